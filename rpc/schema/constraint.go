package schema

import (
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/invopop/jsonschema"
)

// States reports whether the schema states the rule exactly for values of t,
// so that breaking it is visible to a reader of the schema. It is false for
// rules that are only told as x-validate or hinted at by a format, which all
// rules of a Quoted field are.
func States(t *Type, r Rule) bool {
	if t.Kind == Pointer && r.Name == "required" && r.Or == nil {
		return true // as a required member that is not null
	}
	if t.Kind == Pointer && r.Name == "isdefault" {
		return false // it lets nil pass
	}
	_, exact := stated(t.base(), r)
	return exact
}

// constrain adds the rules of a place to s, and what JSON Schema cannot say
// verbatim as x-validate.
func (r *renderer) constrain(s *jsonschema.Schema, t *Type, p place) {
	c := anything()
	var left []string
	for _, rule := range p.rules.List {
		if rule.Name == "required" && rule.Or == nil && (p.pointer || rule.implied(t)) {
			continue
		}
		one, exact := stated(t, rule)
		if p.quoted && t.Kind != String || p.pointer && rule.Name == "isdefault" {
			one, exact = nil, false
		}
		if !exact && (one == nil || one.Format == "" && rule.Name != "ip") {
			left = append(left, rule.wireText())
		}
		if one != nil {
			merge(c, one)
		}
	}
	if p.rules.skipsZero(t, p.pointer) && !isAny(c) && !acceptsZero(c, t) {
		c = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{zeroOf(t), c}}
	}
	if t.Enum != nil && c.MinLength != nil && *c.MinLength == 1 && !t.allows([]byte(`""`)) {
		c.MinLength = nil // required, and no value of the enum is empty
	}
	merge(s, c)
	if len(left) > 0 {
		setExtra(s, "x-validate", p.rules.skipText()+strings.Join(left, ","))
	}
}

// implied: required says nothing more than that the member is there.
func (r Rule) implied(t *Type) bool {
	return r.Name == "required" && (t.Kind == Map || t.Kind == Array && t.Len < 0 || t.Kind == Bytes && t.Len < 0)
}

// skipsZero: rules are not looked at for the zero value of t. Empty slices
// and maps, which are never nil here, are skipped by omitzero only, and a
// pointer only when it is nil.
func (r *Rules) skipsZero(t *Type, pointer bool) bool {
	switch t.Kind {
	case Bool, Int, Uint, Float, String:
		return r.OmitZero || r.OmitEmpty && !pointer
	case Array, Map:
		return r.OmitZero && t.Len < 0
	default:
		return false
	}
}

func (r *Rules) skipText() string {
	switch {
	case r.OmitEmpty:
		return "omitempty,"
	case r.OmitZero:
		return "omitzero,"
	case r.OmitNil:
		return "omitnil,"
	default:
		return ""
	}
}

// text is the rule as it stands in a tag.
func (r Rule) text() string { return r.written(func(r Rule) string { return r.Param }) }

// wireText is text in the names of the wire.
func (r Rule) wireText() string { return r.written(func(r Rule) string { return r.Wire }) }

func (r Rule) written(param func(Rule) string) string {
	if r.Or != nil {
		parts := make([]string, len(r.Or))
		for i, alt := range r.Or {
			parts[i] = alt.written(param)
		}
		return strings.Join(parts, "|")
	}
	text := param(r)
	if text == "" {
		return r.Name
	}
	return r.Name + "=" + strings.NewReplacer(",", "0x2C", "|", "0x7C").Replace(text)
}

// zeroOf is the schema of the zero value alone.
func zeroOf(t *Type) *jsonschema.Schema {
	switch t.Kind {
	case String:
		return &jsonschema.Schema{Const: ""}
	case Bool:
		return &jsonschema.Schema{Const: false}
	case Array:
		return &jsonschema.Schema{MaxItems: size(0)}
	case Map:
		return &jsonschema.Schema{MaxProperties: size(0)}
	default:
		return &jsonschema.Schema{Const: jsontext.Value("0")}
	}
}

// acceptsZero: the constraints c, as this package makes them, accept the zero
// value of t.
func acceptsZero(c *jsonschema.Schema, t *Type) bool {
	zero := "0"
	switch t.Kind {
	case String:
		zero = `""`
	case Bool:
		zero = "false"
	}
	if c.Const != nil && literalText(c.Const) != zero {
		return false
	}
	if c.Enum != nil {
		found := false
		for _, v := range c.Enum {
			found = found || literalText(v) == zero
		}
		if !found {
			return false
		}
	}
	for _, n := range []*uint64{c.MinLength, c.MinItems, c.MinProperties} {
		if n != nil && *n > 0 {
			return false
		}
	}
	if c.Format != "" || c.Pattern != "" && !regexp.MustCompile(c.Pattern).MatchString("") {
		return false
	}
	if number(string(c.Minimum), 0) > 0 || number(string(c.Maximum), 0) < 0 ||
		number(string(c.ExclusiveMinimum), -1) >= 0 || number(string(c.ExclusiveMaximum), 1) <= 0 {
		return false
	}
	if c.Not != nil && acceptsZero(c.Not, t) {
		return false
	}
	for _, part := range c.AllOf {
		if !acceptsZero(part, t) {
			return false
		}
	}
	any := len(c.AnyOf) == 0
	for _, part := range c.AnyOf {
		any = any || acceptsZero(part, t)
	}
	return any
}

func number(text string, without float64) float64 {
	if text == "" {
		return without
	}
	f, _ := strconv.ParseFloat(text, 64)
	return f
}

// literalText is a value that stands in const or enum as JSON.
func literalText(v any) string {
	switch v := v.(type) {
	case jsontext.Value:
		return string(v)
	case string:
		return quote(v)
	case bool:
		return strconv.FormatBool(v)
	default:
		return ""
	}
}

// merge adds what src says to dst: keyword by keyword, or as a whole under
// allOf where both use the same one.
func merge(dst, src *jsonschema.Schema) {
	d, s := reflect.ValueOf(dst).Elem(), reflect.ValueOf(src).Elem()
	var used []int
	for i := range s.NumField() {
		if !s.Type().Field(i).IsExported() || s.Field(i).IsZero() {
			continue
		}
		if !d.Field(i).IsZero() {
			dst.AllOf = append(dst.AllOf, src)
			return
		}
		used = append(used, i)
	}
	for _, i := range used {
		d.Field(i).Set(s.Field(i))
	}
}

func isAny(s *jsonschema.Schema) bool { return reflect.ValueOf(s).Elem().IsZero() }
