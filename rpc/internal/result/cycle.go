package result

import (
	"encoding"
	"reflect"

	"github.com/go-json-experiment/json"
)

// ends reports that v comes to an end within so many steps down. json/v2 looks
// for cycles from a depth of 1000 on, and would follow pointers and interfaces
// that add no depth for ever.
func ends(v reflect.Value, steps int) bool {
	if steps == 0 {
		return false
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return v.IsNil() || ends(v.Elem(), steps-1)
	case reflect.Struct:
		if selfCoded(v.Type()) {
			return true
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); (f.IsExported() || f.Anonymous) && !ends(v.Field(i), steps-1) {
				return false
			}
		}
	case reflect.Slice, reflect.Array:
		if scalar(v.Type().Elem()) || selfCoded(v.Type()) {
			return true
		}
		for i := range v.Len() {
			if !ends(v.Index(i), steps-1) {
				return false
			}
		}
	case reflect.Map:
		if scalar(v.Type().Elem()) || selfCoded(v.Type()) {
			return true
		}
		for iter := v.MapRange(); iter.Next(); {
			if !ends(iter.Value(), steps-1) {
				return false
			}
		}
	}
	return true
}

func scalar(t reflect.Type) bool {
	return t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String
}

// selfCoded: json/v2 asks the type itself, and does not look into it.
func selfCoded(t reflect.Type) bool {
	pointer := reflect.PointerTo(t)
	return pointer.Implements(reflect.TypeFor[json.MarshalerTo]()) || pointer.Implements(reflect.TypeFor[json.Marshaler]()) ||
		pointer.Implements(reflect.TypeFor[encoding.TextAppender]()) || pointer.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}
