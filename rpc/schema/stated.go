package schema

import (
	"bytes"
	stdjson "encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/invopop/jsonschema"
)

// stated is what JSON Schema says for a rule of validator on a value of t,
// nil when it cannot; exact: it says the same. This and [stringRule] are the
// one table between the two.
func stated(t *Type, r Rule) (s *jsonschema.Schema, exact bool) {
	if r.Or != nil {
		return anyOf(t, r.Or)
	}
	switch t.Kind {
	case String:
		if s, exact, ok := sized(r, func(s *jsonschema.Schema) (min, max **uint64) { return &s.MinLength, &s.MaxLength }); ok && r.Name != "eq" && r.Name != "ne" {
			return s, exact
		}
		return stringRule(r)
	case Int, Uint, Float:
		return numberRule(t, r)
	case Bool:
		return boolRule(r)
	case Array:
		if r.Name == "unique" && r.Param == "" && plainElem(t.Elem) {
			return &jsonschema.Schema{UniqueItems: true}, true
		}
		if r.implied(t) {
			return anything(), true
		}
		s, exact, _ := sized(r, func(s *jsonschema.Schema) (min, max **uint64) { return &s.MinItems, &s.MaxItems })
		return s, exact
	case Map:
		if r.implied(t) {
			return anything(), true
		}
		s, exact, _ := sized(r, func(s *jsonschema.Schema) (min, max **uint64) { return &s.MinProperties, &s.MaxProperties })
		return s, exact
	case Any:
		if r.Name == "required" {
			return not(&jsonschema.Schema{Type: "null"}), true
		}
	}
	return nil, false
}

// plainElem: two elements are equal in Go when they are equal in JSON.
func plainElem(t *Type) bool {
	switch t.Kind {
	case Bool, Int, Uint, Float, String:
		return true
	default:
		return false
	}
}

// anyOf are alternatives: all of them must be sayable.
func anyOf(t *Type, alternatives []Rule) (*jsonschema.Schema, bool) {
	s, exact := &jsonschema.Schema{}, true
	for _, alt := range alternatives {
		one, ok := stated(t, alt)
		if one == nil {
			return nil, false
		}
		exact = exact && ok
		s.AnyOf = append(s.AnyOf, one)
	}
	return s, exact
}

func not(s *jsonschema.Schema) *jsonschema.Schema { return &jsonschema.Schema{Not: s} }

// sized are the rules on a length. ok is false for all other rules.
func sized(r Rule, limits func(*jsonschema.Schema) (min, max **uint64)) (s *jsonschema.Schema, exact, ok bool) {
	switch r.Name {
	case "min", "gte", "max", "lte", "gt", "lt", "len", "eq", "ne":
	default:
		return nil, false, false
	}
	n, err := strconv.ParseInt(r.Param, 0, 64)
	if err != nil {
		return nil, false, true
	}
	s = &jsonschema.Schema{}
	low, high := limits(s)
	set := func(at **uint64, n int64) bool {
		if n < 0 {
			return false
		}
		*at = size(int(n))
		return true
	}
	switch r.Name {
	case "min", "gte":
		set(low, n)
		exact = true
	case "gt":
		set(low, n+1)
		exact = true
	case "max", "lte":
		exact = set(high, n)
	case "lt":
		exact = set(high, n-1)
	case "len", "eq":
		exact = set(low, n) && set(high, n)
	case "ne":
		inner := &jsonschema.Schema{}
		low, high := limits(inner)
		exact = set(low, n) && set(high, n)
		s = not(inner)
	}
	if !exact {
		return nil, false, true
	}
	return s, true, true
}

// numberRule are the rules on numbers.
func numberRule(t *Type, r Rule) (*jsonschema.Schema, bool) {
	switch r.Name {
	case "numeric", "number":
		return anything(), true
	case "oneof", "noneof":
		return oneOfNumbers(t, r)
	case "port":
		return &jsonschema.Schema{Minimum: "1", Maximum: "65535"}, t.Kind != Float
	case "isdefault":
		return &jsonschema.Schema{Const: jsontext.Value("0")}, true
	}
	text, ok := numberText(t, r.Param)
	if !ok {
		return nil, false
	}
	n, value := stdjson.Number(text), jsontext.Value(text)
	switch r.Name {
	case "min", "gte":
		return &jsonschema.Schema{Minimum: n}, true
	case "max", "lte":
		return &jsonschema.Schema{Maximum: n}, true
	case "gt":
		return &jsonschema.Schema{ExclusiveMinimum: n}, true
	case "lt":
		return &jsonschema.Schema{ExclusiveMaximum: n}, true
	case "len", "eq":
		return &jsonschema.Schema{Const: value}, true
	case "ne":
		return not(&jsonschema.Schema{Const: value}), true
	default:
		return nil, false
	}
}

// numberText is the parameter as validator reads it, in JSON.
func numberText(t *Type, param string) (string, bool) {
	switch t.Kind {
	case Int:
		n, err := strconv.ParseInt(param, 0, 64)
		return strconv.FormatInt(n, 10), err == nil
	case Uint:
		n, err := strconv.ParseUint(param, 0, 64)
		return strconv.FormatUint(n, 10), err == nil
	default:
		f, err := strconv.ParseFloat(param, t.Go.Bits())
		text := strconv.AppendFloat(nil, f, 'g', -1, t.Go.Bits())
		return string(bytes.ReplaceAll(text, []byte("e+"), []byte("e"))), err == nil && jsontext.Value(text).IsValid()
	}
}

// oneOfNumbers compares texts, as validator does: 01 is nothing's text.
func oneOfNumbers(t *Type, r Rule) (*jsonschema.Schema, bool) {
	if t.Kind == Float {
		return nil, false
	}
	var values []any
	for _, word := range words(r.Param) {
		if text, ok := numberText(t, word); ok && text == word {
			values = append(values, jsontext.Value(text))
		}
	}
	return listed(values, r.Name == "noneof")
}

// listed is an enum, or its negation.
func listed(values []any, negated bool) (*jsonschema.Schema, bool) {
	if len(values) == 0 {
		return nil, false
	}
	s := &jsonschema.Schema{Enum: values}
	if negated {
		s = not(s)
	}
	return s, true
}

// words splits the parameter of oneof: at spaces, but for 'quoted words'.
func words(param string) []string {
	found := regexp.MustCompile(`'[^']*'|\S+`).FindAllString(param, -1)
	var out []string
	seen := map[string]bool{}
	for _, word := range found {
		word = strings.ReplaceAll(word, "'", "")
		if !seen[word] {
			seen[word] = true
			out = append(out, word)
		}
	}
	return out
}

// boolRule are the rules on bools.
func boolRule(r Rule) (*jsonschema.Schema, bool) {
	switch r.Name {
	case "boolean":
		return anything(), true
	case "isdefault":
		return &jsonschema.Schema{Const: false}, true
	case "eq", "ne":
		b, err := strconv.ParseBool(r.Param)
		return &jsonschema.Schema{Const: b == (r.Name == "eq")}, err == nil
	default:
		return nil, false
	}
}
