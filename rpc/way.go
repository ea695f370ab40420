package rpc

import (
	"reflect"
	"slices"
	"strings"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json/jsontext"
)

// way leads from params to the value of one parameter, at any depth: an index
// path a step.
type way [][]int

// wayTo finds the parameter that on names: a name, or a JSON pointer (RFC
// 6901). problem says why it cannot.
func wayTo(t *schema.Type, on string) (w *way, f *schema.Field, problem string) {
	if t == nil {
		return nil, nil, "the method has no parameters"
	}
	steps := []string{on}
	if strings.HasPrefix(on, "/") {
		steps = slices.Collect(jsontext.Pointer(on).Tokens())
	}
	w = new(way)
	for _, step := range steps {
		for t.Kind == schema.Pointer {
			t = t.Elem
		}
		i := t.Lookup([]byte(step))
		if i < 0 {
			return nil, nil, "there is no parameter " + quoted(step)
		}
		f = &t.Fields[i]
		*w = append(*w, f.Index)
		t = f.Type
	}
	return w, f, ""
}

// follow is the value at the end; ok is false behind a nil pointer.
func (w way) follow(v reflect.Value) (_ reflect.Value, ok bool) {
	for _, index := range w {
		for v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		f, err := v.FieldByIndexErr(index)
		if err != nil {
			return v, false
		}
		v = f
	}
	return v, true
}
