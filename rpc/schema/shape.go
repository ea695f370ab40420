package schema

import (
	stdjson "encoding/json"
	"strconv"

	"github.com/invopop/jsonschema"
)

// Patterns of the strings that we read ourselves.
const (
	durationPattern = `^[-+]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`
	intPattern      = `^-?(0|[1-9][0-9]*)$`
	uintPattern     = `^(0|[1-9][0-9]*)$`
	floatPattern    = `^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`
)

// anything is the schema {}: never the bare true, which clients refuse.
func anything() *jsonschema.Schema { return &jsonschema.Schema{} }

// body is the schema of t written in place.
func (r *renderer) body(t *Type, p place) *jsonschema.Schema {
	switch t.Kind {
	case Object:
		return r.object(t, false)
	case Array:
		s := &jsonschema.Schema{Type: "array", Items: r.element(t, p.rules)}
		if t.Len >= 0 && r.input {
			s.MinItems, s.MaxItems = size(t.Len), size(t.Len)
		}
		return s
	case Map:
		return r.mapping(t, p.rules)
	case Pointer:
		return r.nullable(r.value(t.Elem, nil))
	case Custom, Text:
		return r.own(t)
	}
	s := r.leaf(t, p.quoted)
	enumerate(s, t)
	return s
}

// element is the schema of an element of t. Where null cannot be told, params
// do without it rather than lose the rest: no caller needs to send it.
func (r *renderer) element(t *Type, rules *Rules) *jsonschema.Schema {
	elem := rules.elem()
	return r.place(t.Elem, place{rules: elem, notNull: r.input && (r.style.Inline || elem.refusesNil())})
}

// leaf is the schema of what is not made of other types.
func (r *renderer) leaf(t *Type, quoted bool) *jsonschema.Schema {
	switch t.Kind {
	case Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case Int, Uint, Float:
		return r.number(t, quoted)
	case String:
		return &jsonschema.Schema{Type: "string"}
	case Bytes:
		s := &jsonschema.Schema{Type: "string", ContentEncoding: "base64"}
		if t.Len >= 0 && r.input {
			s.MinLength, s.MaxLength = size((t.Len+2)/3*4), size((t.Len+2)/3*4)
		}
		return s
	case Time:
		return &jsonschema.Schema{Type: "string", Format: "date-time"}
	case Duration:
		if !r.input {
			return &jsonschema.Schema{Type: "string"}
		}
		return &jsonschema.Schema{Type: "string", Pattern: durationPattern}
	case Exact:
		return &jsonschema.Schema{Type: "number"}
	default:
		return anything()
	}
}

// number is the schema of a Go number. 64-bit integers have a format, so that
// a reader knows that a float will not do.
func (r *renderer) number(t *Type, quoted bool) *jsonschema.Schema {
	if quoted {
		s := &jsonschema.Schema{Type: "string"}
		if r.input {
			s.Pattern = map[Kind]string{Int: intPattern, Uint: uintPattern, Float: floatPattern}[t.Kind]
		}
		return s
	}
	if t.Kind == Float {
		return &jsonschema.Schema{Type: "number"}
	}
	s := &jsonschema.Schema{Type: "integer"}
	if t.Go.Bits() == 64 {
		s.Format = "int64"
		if t.Kind == Uint {
			s.Format = "uint64"
		}
	}
	return s
}

// bound states the range of an integer type where no rule is narrower.
func bound(s *jsonschema.Schema, t *Type, quoted bool) {
	if quoted || s.Type != "integer" || (t.Kind != Int && t.Kind != Uint) || t.Enum != nil {
		return
	}
	low := s.Minimum != "" || s.ExclusiveMinimum != "" || s.Const != nil || s.Enum != nil
	high := s.Maximum != "" || s.ExclusiveMaximum != "" || s.Const != nil || s.Enum != nil
	bits := t.Go.Bits()
	switch {
	case t.Kind == Uint && !low:
		s.Minimum = "0"
	case bits < 64 && !low:
		s.Minimum = stdjson.Number(strconv.FormatInt(-1<<(bits-1), 10))
	}
	switch {
	case bits < 64 && !high && t.Kind == Uint:
		s.Maximum = stdjson.Number(strconv.FormatInt(1<<bits-1, 10))
	case bits < 64 && !high:
		s.Maximum = stdjson.Number(strconv.FormatInt(1<<(bits-1)-1, 10))
	}
	if low && high {
		s.Format = ""
	}
}

// object is a struct. As the root of params its members may be described in
// the reader's language.
func (r *renderer) object(t *Type, root bool) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties()}
	if !root {
		s.Description = t.Doc
	}
	if r.input {
		s.AdditionalProperties = jsonschema.FalseSchema
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		member := r.described(f)
		if root && r.style.Describe != nil {
			if text := r.style.Describe(f.Name); text != "" {
				g := *f
				g.Description = text
				member = r.described(&g)
			}
		}
		s.Properties.Set(f.Name, member)
		if f.Required && r.input || !r.input && !f.OmitEmpty && !f.OmitZero && !f.viaPointer {
			s.Required = append(s.Required, f.Name)
		}
	}
	return s
}

// mapping is an object with free names.
func (r *renderer) mapping(t *Type, rules *Rules) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", AdditionalProperties: r.element(t, rules)}
	names := &jsonschema.Schema{}
	switch {
	case t.Key.Enum != nil:
		names.Enum = enumNames(t.Key)
	case !r.input:
	case t.Key.Kind == Int:
		names.Pattern = intPattern
	case t.Key.Kind == Uint:
		names.Pattern = uintPattern
	}
	if r.input && rules != nil && rules.Keys != nil {
		r.constrain(names, t.Key, place{rules: rules.Keys, quoted: t.Key.Kind != String})
	}
	if !isAny(names) {
		s.PropertyNames = names
	}
	return s
}

func setExtra(s *jsonschema.Schema, key string, value any) {
	if s.Extras == nil {
		s.Extras = map[string]any{}
	}
	s.Extras[key] = value
}

func size(n int) *uint64 {
	u := uint64(n)
	return &u
}

// elem are the rules of elements, nil without any.
func (r *Rules) elem() *Rules {
	if r == nil {
		return nil
	}
	return r.Elem
}
