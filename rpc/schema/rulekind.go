package schema

import (
	"fmt"
	"reflect"
	"strings"
)

// What the rules that are not for text only are for; a rule of validator that
// is not here is for text.
const (
	// rules for values of every type, or checked elsewhere
	everyRules = `required isdefault unique validateFn len min max eq ne gt gte lt lte fieldcontains fieldexcludes`
	// rules for text and integers
	wholeRules = `oneof noneof luhn_checksum iso3166_1_alpha_numeric iso3166_1_alpha_numeric_eu country_code eu_country_code`
	// rules for text and numbers
	numberRules = `numeric number latitude longitude`
	// rules for integers alone
	intRules = `port iso4217_numeric`
	// rules for text that go by the type's String method where it has one
	stringerRules = `uuid uuid3 uuid4 uuid5 uuid7 uuid_rfc4122 uuid3_rfc4122 uuid4_rfc4122 uuid5_rfc4122 ulid`
)

// kind checks that a value of t can keep the rule at all: validator asks
// "<int Value>" whether it is an e-mail address, and refuses or panics.
func (c *ruleChecker) kind(t *Type, r Rule) {
	in := func(list string) bool { return strings.Contains(" "+list+" ", " "+r.Name+" ") }
	if c.custom[r.Name] || !builtinRule(r.Name) || r.refers() != refersNone || in(everyRules) {
		return
	}
	k := t.Go.Kind()
	whole := k >= reflect.Int && k <= reflect.Uintptr
	number := whole || k == reflect.Float32 || k == reflect.Float64
	want := "text"
	switch {
	case k == reflect.Interface, t.Kind == Invalid:
		return
	case in(intRules):
		if whole {
			return
		}
		want = "integers"
	case k == reflect.String:
		return
	case in(wholeRules):
		if whole {
			return
		}
		want = "text and integers"
	case in(numberRules):
		if number {
			return
		}
		want = "text and numbers"
	case r.Name == "boolean" && k == reflect.Bool, r.Name == "json" && t.Kind == Bytes && t.Len < 0,
		in(stringerRules) && implements[fmt.Stringer](t.Go):
		return
	}
	c.fault("validate: "+r.text()+" is for "+want+" and never holds for type "+t.Go.String(), "leave it out, or give the field another type")
}
