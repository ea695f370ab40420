package rpc

import (
	"reflect"

	"github.com/facet-rpc/facet/rpc/schema"
)

// Enum is a type with a closed set of values, or one that looks so and is
// not; see [EnumOf] and [NotEnum].
type Enum struct {
	typ    reflect.Type
	values []any
	open   bool // made by NotEnum
}

// EnumOf says that T has these values and no others: parameters with another
// one are refused, and documents list them.
//
//	Enums: []rpc.Enum{rpc.EnumOf(Open, Paid, Shipped)}
func EnumOf[T any](values ...T) Enum {
	e := Enum{typ: reflect.TypeFor[T]()}
	for _, v := range values {
		e.values = append(e.values, v)
	}
	return e
}

// NotEnum says that T may have other values than the constants declared for it.
func NotEnum[T any]() Enum { return Enum{typ: reflect.TypeFor[T](), open: true} }

// enums are the Enums of the App as the model wants them, with the comments
// of their constants.
func (r *registration) enums() (out []schema.Enum) {
	for _, e := range r.app.Enums {
		if e.open {
			continue
		}
		if len(e.values) == 0 {
			r.faults = append(r.faults, Fault{Problem: "an Enum has no values", Mend: "list them with rpc.EnumOf, or say rpc.NotEnum if there are others"})
			continue
		}
		s := schema.Enum{Type: e.typ}
		for _, v := range e.values {
			s.Values = append(s.Values, schema.Constant{Value: v, Doc: r.sources.constant(e.typ, v)})
		}
		out = append(out, s)
	}
	return out
}

// missedEnums finds types that have typed constants and are not listed.
func (r *registration) missedEnums(m *method, t *schema.Type, seen map[*schema.Type]bool) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	if t.Go.PkgPath() != "" && t.Enum == nil && !r.listed(t.Go) {
		if names := r.sources.constants(t.Go); len(names) > 1 {
			r.fault(m, t.Go.Name(), "the type has the constants "+names[0]+", "+names[1]+" and is not listed as an enum",
				"list rpc.EnumOf("+names[0]+", "+names[1]+", …) in App.Enums, or rpc.NotEnum["+t.Go.Name()+"]() if other values are right too")
		}
	}
	for i := range t.Fields {
		r.missedEnums(m, t.Fields[i].Type, seen)
	}
	r.missedEnums(m, t.Elem, seen)
	r.missedEnums(m, t.Key, seen)
}

func (r *registration) listed(t reflect.Type) bool {
	for _, e := range r.app.Enums {
		if e.typ == t {
			return true
		}
	}
	return false
}
