package schema

import (
	"fmt"
	"math/big"
	"reflect"

	"github.com/invopop/jsonschema"
)

// own is the schema of a type with its own coding: what it says itself, or
// the little that is known.
func (r *renderer) own(t *Type) *jsonschema.Schema {
	s := ownSchema(t.Go)
	switch {
	case s != nil:
		own := *s
		s = &own
		s.Version, s.ID = "", ""
	case t.Enum != nil:
		s = anything()
	case t.Go == reflect.TypeFor[big.Int]():
		s = &jsonschema.Schema{Type: "integer"}
	case t.Kind == Custom:
		s = anything()
	case t.Go.PkgPath() == "github.com/google/uuid" && t.Go.Name() == "UUID":
		s = &jsonschema.Schema{Type: "string", Format: "uuid"}
	default:
		s = &jsonschema.Schema{Type: "string"}
	}
	if s.Description == "" && !r.defined(t) && r.style.Inline {
		s.Description = t.Doc
	}
	enumerate(s, t)
	return s
}

// Format is the format that the schema of a Text or Custom states, such as
// uuid; empty without one.
func (t *Type) Format() string {
	if t.Kind != Text && t.Kind != Custom {
		return ""
	}
	return (&renderer{}).own(t).Format
}

// ownSchema is what t says of itself with a method JSONSchema, on the value
// or on the pointer; nil without one.
func ownSchema(t reflect.Type) *jsonschema.Schema {
	if t.Kind() == reflect.Interface {
		return nil
	}
	if self, ok := reflect.New(t).Interface().(interface{ JSONSchema() *jsonschema.Schema }); ok {
		return self.JSONSchema()
	}
	return nil
}

// checkOwn looks at what a type says of itself: it is written in place, so
// it must not refer to anything.
func (m *Model) checkOwn(t *Type) {
	defer func() {
		if p := recover(); p != nil {
			m.report(t, t.Go, "", fmt.Sprintf("its JSONSchema panics: %v", p), "make it work on a zero value")
		}
	}()
	s := ownSchema(t.Go)
	if s == nil {
		return
	}
	refers := false
	walk(s, func(sub *jsonschema.Schema) { refers = refers || sub.Ref != "" || len(sub.Definitions) > 0 })
	if refers {
		m.report(t, t.Go, "", "its JSONSchema has $ref or $defs, which point nowhere once it is part of a document", "write the schema out in place")
	}
	if _, err := Encode(s); err != nil {
		m.report(t, t.Go, "", "its JSONSchema cannot be encoded: "+err.Error(), "put only JSON values into it")
	}
}
