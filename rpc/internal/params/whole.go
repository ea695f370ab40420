package params

import (
	"errors"
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-playground/validator/v10"
)

// whole lets validator check the params as a whole: rules that look at other
// fields need all of them.
func (p *Plan) whole(v reflect.Value) (found []rpcerrors.Violation) {
	err := p.compiler.validate.Struct(v.Addr().Interface())
	var bad validator.ValidationErrors
	if !errors.As(err, &bad) {
		return nil
	}
	for _, e := range bad[:min(len(bad), maxViolations)] {
		rest := strings.TrimPrefix(e.StructNamespace(), p.root.goType.Name()+".")
		f := p.compiler.violation(e)
		f.Param = wireNames(p.root, f.Rule, f.Param)
		f.Pointer = locate(p.root, v, rest)
		if f.Message == message(e.Tag(), e.Param()) {
			f.Message = message(f.Rule, f.Param)
		}
		found = append(found, f)
	}
	return found
}

// wireNames replaces the Go names in the parameter of a rule that names
// fields of the same struct.
func wireNames(n *node, rule, param string) string {
	if !aroundRule(rule) {
		return param
	}
	words := strings.Fields(param)
	for i, w := range words {
		if f := n.goField(w); f != nil {
			words[i] = f.name
		}
	}
	return strings.Join(words, " ")
}

// goField finds a field by its Go name, anywhere below n, n's own first.
func (n *node) goField(name string) *field {
	return n.goFieldIn(name, map[*node]bool{})
}

func (n *node) goFieldIn(name string, seen map[*node]bool) *field {
	if n == nil || seen[n] {
		return nil
	}
	seen[n] = true
	for i := range n.fields {
		if n.typ.Fields[i].GoName == name {
			return &n.fields[i]
		}
	}
	for i := range n.fields {
		if f := n.fields[i].node.goFieldIn(name, seen); f != nil {
			return f
		}
	}
	return n.elem.goFieldIn(name, seen)
}

// locate turns validator's path of Go names, below the value v of type n,
// into a JSON pointer.
func locate(n *node, v reflect.Value, path string) string {
	path = strings.TrimPrefix(path, ".")
	for n.kind == schema.Pointer && !v.IsNil() {
		n, v = n.elem, v.Elem()
	}
	if path == "" {
		return ""
	}
	switch n.kind {
	case schema.Object:
		for i := range n.fields {
			f := &n.fields[i]
			rest, ok := strings.CutPrefix(path, f.goPath(n.goType))
			if !ok || rest != "" && rest[0] != '.' && rest[0] != '[' {
				continue
			}
			if fv, ok := f.peek(v); ok {
				return pointer(f.name) + locate(f.node, fv, rest)
			}
			return pointer(f.name)
		}
	case schema.Array:
		index, rest, _ := strings.Cut(strings.TrimPrefix(path, "["), "]")
		if i, err := strconv.Atoi(index); err == nil && i < v.Len() {
			return "/" + index + locate(n.elem, v.Index(i), rest)
		}
	case schema.Map:
		for _, key := range v.MapKeys() {
			if rest, ok := strings.CutPrefix(path, "["+keyText(key)+"]"); ok {
				return pointer(keyText(key)) + locate(n.elem, v.MapIndex(key), rest)
			}
		}
	}
	return ""
}

// goPath is how validator writes the way to the field: embedded structs count.
func (f *field) goPath(t reflect.Type) string {
	if f.path == nil {
		return t.Field(f.index).Name
	}
	var names []string
	for _, x := range f.path {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		sf := t.Field(x)
		names = append(names, sf.Name)
		t = sf.Type
	}
	return strings.Join(names, ".")
}

func keyText(key reflect.Value) string { return fmt.Sprint(key.Interface()) }

func sortKeys(keys []reflect.Value) {
	sort.Slice(keys, func(i, j int) bool { return keyText(keys[i]) < keyText(keys[j]) })
}
