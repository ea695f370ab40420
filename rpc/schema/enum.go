package schema

import (
	"bytes"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/invopop/jsonschema"
)

// Enum is a type with a closed set of values. JSON must carry them as
// strings or numbers.
type Enum struct {
	Type   reflect.Type
	Values []Constant
}

// Constant is one value of an [Enum]: Value is of the enum's type, Doc the
// comment of its constant.
type Constant struct {
	Value any
	Doc   string
}

// enum sets the values t may have, in the order they are listed.
func (m *Model) enum(t *Type, e Enum) {
	fault := func(problem, mend string) { m.report(t, t.Go, "", problem, mend) }
	switch t.Kind {
	case String, Int, Uint, Text, Custom:
	default:
		fault("an enum must be a named string or integer type", "take it out of the enums")
		return
	}
	if len(e.Values) == 0 {
		fault("the enum has no values", "list its constants")
		return
	}
	for _, c := range e.Values {
		if reflect.TypeOf(c.Value) != t.Go {
			fault("the enum lists a value of another type", "list constants of "+t.Go.String())
			continue
		}
		out, err := json.Marshal(c.Value)
		switch {
		case err != nil:
			fault("a value of the enum cannot be encoded: "+err.Error(), "list only values that can")
		case t.allows(out):
			fault("the enum has "+string(out)+" twice", "list each value once")
		default:
			t.Enum = append(t.Enum, EnumValue{JSON: out, Doc: c.Doc})
		}
	}
}

// allows: raw is one of the values of the enum.
func (t *Type) allows(raw []byte) bool {
	for _, v := range t.Enum {
		if bytes.Equal(v.JSON, raw) {
			return true
		}
	}
	return false
}

// enumerate lists the values of an enum, and what is said about them: one
// text a value, in the same order.
func enumerate(s *jsonschema.Schema, t *Type) {
	if t.Enum == nil {
		return
	}
	docs, documented := make([]string, len(t.Enum)), false
	for i, v := range t.Enum {
		s.Enum = append(s.Enum, jsontext.Value(v.JSON))
		docs[i] = v.Doc
		documented = documented || v.Doc != ""
	}
	switch t.Enum[0].JSON[0] {
	case '"':
		s.Type = "string"
	default:
		s.Type, s.Format = "integer", ""
	}
	if s.Description == "" {
		s.Description = t.Doc
	}
	if documented {
		setExtra(s, "x-enum-descriptions", docs)
	}
}

// enumNames are the values of an enum as the names of members.
func enumNames(t *Type) []any {
	var out []any
	for _, v := range t.Enum {
		if v.JSON[0] == '"' {
			out = append(out, jsontext.Value(v.JSON))
			continue
		}
		out = append(out, string(v.JSON))
	}
	return out
}
