package rpc

import (
	"context"
	"reflect"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

// signatures is what the signature may be, for faults.
const signatures = "write func([ctx context.Context][, p P]) ([R][, error]) with P a struct or a pointer to one"

// sign reads the signature of fn into b. receiver: the first argument is one.
// It returns what is wrong, empty if nothing.
func (b *bound) sign(t reflect.Type, receiver bool) string {
	if t.IsVariadic() {
		return "it is variadic"
	}
	in := make([]reflect.Type, 0, 2)
	for i := range t.NumIn() {
		if i > 0 || !receiver {
			in = append(in, t.In(i))
		}
	}
	if len(in) > 0 && in[0] == contextType {
		b.takesContext = true
		in = in[1:]
	}
	switch {
	case len(in) > 1:
		return "it takes more than one parameter besides the context; the parameters of a method are the fields of one struct"
	case len(in) == 1:
		p := in[0]
		if p.Kind() == reflect.Pointer {
			b.paramsPointer = true
			p = p.Elem()
		}
		if p.Kind() != reflect.Struct {
			return "its parameter is no struct"
		}
		b.params = p
	}
	return b.results(t)
}

func (b *bound) results(t reflect.Type) string {
	out := make([]reflect.Type, t.NumOut())
	for i := range out {
		out[i] = t.Out(i)
	}
	if n := len(out); n > 0 && out[n-1] == errorType {
		b.returnsError = true
		out = out[:n-1]
	}
	switch {
	case len(out) > 1 && out[1].Implements(errorType), len(out) == 1 && out[0].Implements(errorType):
		kind := out[len(out)-1]
		if kind == reflect.TypeFor[*rpcerrors.Error]() {
			return "it returns *errors.Error; a nil one would be an error that is not nil"
		}
		return "it returns the error as a type of its own; a nil one would be an error that is not nil"
	case len(out) > 1:
		return "it returns more than one result"
	case len(out) == 1:
		b.result = out[0]
	}
	return ""
}
