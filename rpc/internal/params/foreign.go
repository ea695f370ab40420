package params

import (
	"context"
	"reflect"
	"time"
)

// keeps asks validator whether v keeps a rule that is not our own.
func (c *Compiler) keeps(s *scope, v reflect.Value, k *check) bool {
	ctx := context.Background()
	if k.custom {
		ctx = &inside{ctx, s, v}
	}
	switch {
	case nested(v) && k.around && !k.custom:
		return c.validate.VarWithValueCtx(ctx, presence(v), s.around(), k.item) == nil
	case nested(v):
		// Without a name validator would check what is in a struct instead.
		return c.validate.VarWithKeyCtx(ctx, "struct", v.Interface(), k.item+",nostructlevel") == nil
	}
	value := v.Interface()
	if v.Kind() == reflect.Interface { // validator is to know that this may be nil
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		value = p.Interface()
	}
	if k.around {
		return c.validate.VarWithValueCtx(ctx, value, s.around(), k.item) == nil
	}
	return c.validate.VarCtx(ctx, value, k.item) == nil
}

// nested reports whether validator takes v for a struct with fields of its own.
func nested(v reflect.Value) bool {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return false
		}
		v = v.Elem()
	}
	return v.Kind() == reflect.Struct && !v.Type().ConvertibleTo(reflect.TypeFor[time.Time]())
}

// presence stands for a struct in the rules that look at other fields: of the
// struct itself they ask only whether it is there.
func presence(v reflect.Value) any {
	if v.Kind() == reflect.Struct {
		return !v.IsZero()
	}
	there := true
	return &there
}
