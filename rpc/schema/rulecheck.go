package schema

import (
	"reflect"
	"strconv"
	"time"
)

// checkRules looks at the rules of a field against its type. Results are
// never validated, so what is wrong there concerns params only.
func (m *Model) checkRules(t *Type, f *Field) {
	c := &ruleChecker{
		fault:  func(problem, mend string) { m.reportParams(t, f.owner, f.GoName, problem, mend) },
		custom: m.cfg.Rules,
	}
	c.level(f.Type, f.Rules, false)
	c.references(f.owner, f.Type, f.Rules)
	if _, ok := f.tag.Lookup("default"); f.Type.Kind == Pointer && !ok {
		c.absent(f.Rules)
	}
}

type ruleChecker struct {
	fault  func(problem, mend string)
	custom map[string]bool // the application's own rules
}

// absent checks the rules of a pointer, which is nil when it is left out.
func (c *ruleChecker) absent(r *Rules) {
	if r == nil || r.OmitEmpty || r.OmitNil || r.OmitZero {
		return
	}
	for i, rule := range r.List {
		if i == 0 && rule.Name == "required" {
			return
		}
		if !rule.runsOnNil() {
			c.fault("a pointer that is left out is nil, which validate: "+rule.text()+" refuses",
				"put omitempty before it if the pointer may be left out, or required first if not")
			return
		}
	}
}

// level checks the rules on a value of t, and that validator gets to every
// rule below it. It goes into structs by itself, into elements with dive.
func (c *ruleChecker) level(t *Type, r *Rules, pointer bool) {
	if t == nil {
		return
	}
	if t.Kind == Pointer {
		c.level(t.Elem, r, true)
		return
	}
	many := t.Elem != nil && (t.Kind == Array || t.Kind == Map)
	if r == nil || r.Elem == nil {
		if many && t.Elem.Ruled {
			c.fault("the elements have validate tags, which are skipped without dive", `add "dive" to the validate tag`)
		}
	}
	if r == nil {
		return
	}
	for _, rule := range r.List {
		c.rule(t, rule, pointer)
	}
	if skip := r.skipText(); skip != "" && !r.OmitNil && !pointer && (t.Kind == Object && t.Ruled || t.Kind == Array && t.Len >= 0) {
		c.fault("validate: "+skip[:len(skip)-1]+" skips the rules below when every part is zero, which the schema cannot say", "leave it out, or make the field a pointer")
	}
	if r.Elem == nil {
		return
	}
	if !many {
		if t.Kind != Invalid {
			c.fault("dive is for slices, arrays and maps, not for type "+t.Go.String(), "leave dive out")
		}
		return
	}
	if r.Keys != nil {
		if t.Kind != Map {
			c.fault("keys is for maps, not for type "+t.Go.String(), "leave keys … endkeys out")
		} else {
			c.level(t.Key, r.Keys, false)
		}
	}
	c.level(t.Elem, r.Elem, false)
}

// rule checks one rule, and each of its alternatives.
func (c *ruleChecker) rule(t *Type, r Rule, pointer bool) {
	for _, alt := range r.Or {
		c.kind(t, alt)
		c.param(t, alt)
	}
	if r.Or != nil {
		return
	}
	if r.Name == "required" && !pointer {
		switch k := t.Go.Kind(); {
		case k == reflect.Bool:
			c.fault(`validate:"required" on a bool refuses false`, "leave it out: presence is already required")
		case k >= reflect.Int && k <= reflect.Float64:
			c.fault(`validate:"required" on a number refuses 0`, "leave it out: presence is already required")
		}
	}
	c.kind(t, r)
	c.param(t, r)
}

// param checks that the rules which compare can compare: validator panics
// when the type or the parameter does not fit.
func (c *ruleChecker) param(t *Type, r Rule) {
	sized := false
	switch r.Name {
	case "min", "max", "len", "gt", "gte", "lt", "lte":
	case "eq", "ne":
		sized = true
	default:
		return
	}
	bad := func(want string) {
		c.fault("validate: "+r.Name+"="+r.Param+" does not fit type "+t.Go.String(), want)
	}
	switch k := t.Go.Kind(); {
	case t.Kind == Exact:
		bad("use int64 or float64: validator sees the text of a Number, not its value")
	case k == reflect.String && sized:
	case k == reflect.String, k == reflect.Slice, k == reflect.Map, k == reflect.Array:
		if _, err := strconv.ParseInt(r.Param, 0, 64); err != nil {
			bad("write a whole number of characters or elements")
		}
	case t.Kind == Duration:
		_, err := time.ParseDuration(r.Param)
		if _, whole := strconv.ParseInt(r.Param, 0, 64); err != nil && whole != nil {
			bad("write a duration such as 1m30s")
		}
	case k >= reflect.Int && k <= reflect.Int64:
		if _, err := strconv.ParseInt(r.Param, 0, 64); err != nil {
			bad("write a whole number")
		}
	case k >= reflect.Uint && k <= reflect.Uintptr:
		if _, err := strconv.ParseUint(r.Param, 0, 64); err != nil {
			bad("write a whole number that is not negative")
		}
	case k == reflect.Float32, k == reflect.Float64:
		if _, err := strconv.ParseFloat(r.Param, 64); err != nil {
			bad("write a number")
		}
	case k == reflect.Bool && sized:
		if _, err := strconv.ParseBool(r.Param); err != nil {
			bad("write true or false")
		}
	case t.Kind == Time && r.Param == "" && !sized && r.Name[0] != 'm' && r.Name != "len":
	case t.Kind == Any, t.Kind == Invalid:
	default:
		bad("leave it out: validator cannot compare such a value")
	}
}
