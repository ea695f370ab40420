package params

import (
	"context"
	"reflect"

	"github.com/go-playground/validator/v10"
)

// scope is what stands around a value, for rules that look there.
type scope struct {
	root  reflect.Value // the params
	owner reflect.Value // the struct that declares the field
	field *field
	at    string // within the field, as validator writes it: [3]
	other any    // what validator gets for owner; made when first asked for
}

// enter gives the scope of a field of v, nil where no rule of the field looks
// around. s is that of the field before, which shares the struct.
func (w *walk) enter(s *scope, v reflect.Value, f *field) *scope {
	switch {
	case f.checks == nil || !f.checks.looks || !w.root.IsValid():
		return nil
	case s == nil:
		s = &scope{root: w.root}
	case f.path == nil && s.field.path == nil:
		s.field = f
		return s
	}
	s.owner, s.field, s.other = f.owner(v), f, nil
	return s
}

// owner is the struct in v that declares the field: v, or one embedded in it.
func (f *field) owner(v reflect.Value) reflect.Value {
	for i, x := range f.path {
		if i > 0 && v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if i == len(f.path)-1 {
			break
		}
		v = v.Field(x)
	}
	return v
}

// around is the owner as validator takes it: a pointer, which copies nothing.
// Of an embedded struct that is not exported only a copy can be given away.
func (s *scope) around() any {
	if s.other != nil {
		return s.other
	}
	v := s.owner
	if !v.CanAddr() || !v.CanInterface() {
		c := reflect.New(v.Type()).Elem()
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				c.Field(i).Set(v.Field(i))
			}
		}
		v = c
	}
	s.other = v.Addr().Interface()
	return s.other
}

// custom calls a rule of the application with the field, the struct around it
// and the params as a whole, as a check of the whole would.
func custom(rule validator.Func) validator.FuncCtx {
	return func(ctx context.Context, level validator.FieldLevel) bool {
		if in, ok := ctx.Value(inside{}).(*inside); ok {
			level = seen{level, in}
		}
		return rule(level)
	}
}

// inside is a context that carries the value under check.
type inside struct {
	context.Context
	scope *scope
	value reflect.Value
}

func (in *inside) Value(key any) any {
	if _, ok := key.(inside); ok {
		return in
	}
	return in.Context.Value(key)
}

// seen is a level as the rule would see it in a check of the whole.
type seen struct {
	validator.FieldLevel
	in *inside
}

func (s seen) Top() reflect.Value      { return s.in.scope.root.Addr() }
func (s seen) Parent() reflect.Value   { return s.in.scope.owner }
func (s seen) FieldName() string       { return s.in.scope.field.goName + s.in.scope.at }
func (s seen) StructFieldName() string { return s.FieldName() }

func (s seen) Field() reflect.Value {
	v := s.in.value
	for (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && !v.IsNil() {
		v = v.Elem()
	}
	return v
}
