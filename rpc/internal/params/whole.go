package params

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/go-playground/validator/v10"
)

// whole lets validator check the params as a whole: rules that look at other
// fields need all of them.
func (p *Plan) whole(v reflect.Value) []rpcerrors.Violation {
	err := p.compiler.validate.Struct(v.Addr().Interface())
	var bad validator.ValidationErrors
	if !errors.As(err, &bad) {
		return nil
	}
	type placed struct {
		place
		rpcerrors.Violation
	}
	var all []placed
	for _, e := range bad[:min(len(bad), maxViolations)] {
		if e.Tag() == "dive" {
			continue // how validator refuses a nil pointer to a list; null is allowed there
		}
		at := locate(p.root, v, strings.TrimPrefix(e.StructNamespace(), p.root.goType.Name()+"."))
		rule, param := e.Tag(), e.Param()
		if at.owner != nil {
			param = wireNames(p.root, at.owner, rule, param)
		}
		f := p.compiler.violation(rule, param, unitOf(e.Kind()))
		f.Pointer = at.pointer
		all = append(all, placed{at, f})
	}
	// validator goes through maps in random order.
	slices.SortStableFunc(all, func(a, b placed) int { return slices.Compare(a.order, b.order) })
	found := make([]rpcerrors.Violation, len(all))
	for i := range all {
		found[i] = all[i].Violation
	}
	return found
}

// place is where in the params something is wrong.
type place struct {
	pointer string
	owner   *node // the innermost struct around it
	order   []int // its position among the members, level by level
}

// locate finds validator's path of Go names below the value v of type n.
func locate(n *node, v reflect.Value, path string) (at place) {
	for path != "" {
		for n.kind == schema.Pointer && !v.IsNil() {
			n, v = n.elem, v.Elem()
		}
		var step string
		var order int
		rest, ok := path, false
		switch n.kind {
		case schema.Object:
			at.owner = n
			n, v, step, order, rest, ok = n.member(v, strings.TrimPrefix(path, "."))
		case schema.Array:
			index, after, _ := strings.Cut(strings.TrimPrefix(path, "["), "]")
			i, err := strconv.Atoi(index)
			if ok = err == nil && i < v.Len(); ok {
				n, v, step, order, rest = n.elem, v.Index(i), index, i, after
			}
		case schema.Map:
			n, v, step, order, rest, ok = n.entry(v, path)
		}
		if !ok {
			return at
		}
		at.pointer += pointer(step)
		at.order = append(at.order, order)
		path = rest
	}
	return at
}

// member finds the field of v that path begins with.
func (n *node) member(v reflect.Value, path string) (*node, reflect.Value, string, int, string, bool) {
	for i := range n.fields {
		f := &n.fields[i]
		rest, ok := strings.CutPrefix(path, f.goPath(n.goType))
		if !ok || rest != "" && rest[0] != '.' && rest[0] != '[' {
			continue
		}
		if fv, ok := f.peek(v); ok {
			return f.node, fv, f.name, i, rest, true
		}
	}
	return nil, v, "", 0, "", false
}

// entry finds the value of the map v that path begins with: of several keys
// that fit the longest, since a key may hold brackets itself.
func (n *node) entry(v reflect.Value, path string) (*node, reflect.Value, string, int, string, bool) {
	keys := n.sortedKeys(v)
	best, rest := -1, ""
	for i, key := range keys {
		if after, ok := strings.CutPrefix(path, "["+keyText(key)+"]"); ok && (best < 0 || len(after) < len(rest)) {
			best, rest = i, after
		}
	}
	if best < 0 {
		return nil, v, "", 0, "", false
	}
	return n.elem, v.MapIndex(keys[best]), n.key.keyName(keys[best]), best, rest, true
}

// wireNames replaces the Go names of fields in the parameter of a rule that
// looks at them from a field of owner.
func wireNames(root, owner *node, rule, param string) string {
	base := owner
	switch {
	case rule == "validateFn":
		return "" // the name of a Go method
	case strings.Contains(rule, "|"):
		return "" // the rule has all the parameters itself
	case !aroundRule(rule):
		return param
	case strings.HasSuffix(rule, "csfield"):
		base = root
	}
	pairs := strings.HasSuffix(rule, "_if") || strings.HasSuffix(rule, "_unless")
	words := strings.Fields(param)
	for i, w := range words {
		if !pairs || i%2 == 0 {
			words[i] = base.wirePath(w)
		}
	}
	return strings.Join(words, " ")
}

// wirePath writes the path of Go names below n in the names of the wire.
func (n *node) wirePath(path string) string {
	var names []string
	for step := range strings.SplitSeq(path, ".") {
		for n != nil && (n.kind == schema.Pointer || n.kind == schema.Array || n.kind == schema.Map) {
			n = n.elem
		}
		i := -1
		if n != nil && n.kind == schema.Object {
			i = slices.IndexFunc(n.typ.Fields, func(f schema.Field) bool { return f.GoName == step })
		}
		if i < 0 {
			return path
		}
		names = append(names, n.fields[i].name)
		n = n.fields[i].node
	}
	return strings.Join(names, ".")
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

// keyText is how validator writes the key of a map.
func keyText(key reflect.Value) string { return fmt.Sprint(key.Interface()) }

// keyName is the key of a map as the name of its member.
func (n *node) keyName(key reflect.Value) string {
	switch n.kind {
	case schema.String:
		return key.String()
	case schema.Int:
		return strconv.FormatInt(key.Int(), 10)
	case schema.Uint:
		return strconv.FormatUint(key.Uint(), 10)
	}
	p := reflect.New(n.goType)
	p.Elem().Set(key)
	text, err := json.Marshal(p.Interface())
	if err == nil {
		text, err = jsontext.AppendUnquote(nil, text)
	}
	if err != nil {
		return keyText(key)
	}
	return string(text)
}

// sortedKeys are the keys of the map v in the order of their names.
func (n *node) sortedKeys(v reflect.Value) []reflect.Value {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(n.key.keyName(a), n.key.keyName(b)) })
	return keys
}
