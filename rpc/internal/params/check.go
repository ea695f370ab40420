package params

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-playground/validator/v10"
)

// Ruled reports whether Check has anything to do.
func (p *Plan) Ruled() bool { return p.root.ruled }

// Check applies the validate tags to decoded params. known are the violations
// of Decode: what is wrong already is not blamed twice. It returns known and
// what it found, and stops when that is enough for an answer.
func (p *Plan) Check(v reflect.Value, known []rpcerrors.Violation) []rpcerrors.Violation {
	w := walk{p.compiler, v}
	found := w.object(v, p.root)
	if len(known) == 0 {
		return found[:min(len(found), MaxViolations)]
	}
	for _, f := range found {
		if len(known) < MaxViolations && !blamed(known, f.Pointer) {
			known = append(known, f)
		}
	}
	return known
}

// blamed reports whether something at, above or below the pointer is wrong
// already. Params that are no object are wrong everywhere; a wrong number of
// values by position says nothing about those that are there.
func blamed(known []rpcerrors.Violation, pointer string) bool {
	for i := range known {
		k := known[i].Pointer
		if k == pointer || k == "" && known[i].Rule == "type" || k != "" && strings.HasPrefix(pointer, k+"/") || strings.HasPrefix(k, pointer+"/") {
			return true
		}
	}
	return false
}

// walk is one check of the params root. Without root the rules that look at
// other fields are left out.
type walk struct {
	*Compiler
	root reflect.Value
}

// object checks the fields of a struct.
func (w *walk) object(v reflect.Value, n *node) (found []rpcerrors.Violation) {
	var s *scope
	for i := range n.fields {
		f := &n.fields[i]
		if f.checks == nil && !f.node.ruled {
			continue
		}
		fv, ok := f.peek(v)
		if !ok {
			continue
		}
		here := w.enter(s, v, f)
		if here != nil {
			s = here
		}
		if below := w.value(here, fv, f.node, f.checks); len(below) > 0 {
			prefix(below, Pointer(f.name))
			found = append(found, below...)
		}
		if len(found) >= MaxViolations {
			break
		}
	}
	return found
}

// value checks one value against the rules of its level, then what is in it.
func (w *walk) value(s *scope, v reflect.Value, n *node, k *checks) []rpcerrors.Violation {
	whole, pointed := v, false
	for n.kind == schema.Pointer {
		if v.IsNil() {
			return w.nilPointer(s, whole, k)
		}
		v, n, pointed = v.Elem(), n.elem, true
	}
	if n.kind == schema.Any {
		if v.IsNil() {
			return w.nilPointer(s, whole, k)
		}
		v, pointed = v.Elem(), true
	}
	if k != nil {
		if bad, done := w.level(s, k, n, whole, v, pointed); bad != nil || done {
			return bad
		}
	}
	switch {
	case n.kind == schema.Object && n.ruled:
		return w.object(v, n)
	case n.kind == schema.Array && k != nil && k.elem != nil:
		return w.elements(s, v, n, k)
	case n.kind == schema.Map && k != nil && (k.elem != nil || k.keys != nil):
		return w.entries(s, v, n, k)
	case n.ruled && (n.kind == schema.Text || n.kind == schema.Custom):
		return w.opaque(v)
	}
	return nil
}

// level applies the rules of a tag in their order; done: what is below is not
// checked either.
func (w *walk) level(s *scope, k *checks, n *node, whole, v reflect.Value, pointed bool) (bad []rpcerrors.Violation, done bool) {
	for i := range k.list {
		rule, holds := &k.list[i], true
		switch {
		case rule.name == "omitempty":
			done = !has(v, pointed)
		case rule.name == "omitnil":
			done = isNil(v)
		case rule.name == "omitzero":
			done = zero(v)
		case rule.item != "":
			holds = w.keepsAll(s, whole, rule)
		case rule.name == "required":
			holds = has(v, pointed)
		default:
			holds = rule.holds(n, v)
		}
		if !holds {
			return w.broken(rule, v), true
		}
		if done {
			return nil, true
		}
	}
	return nil, false
}

// keepsAll is keeps, but for rules that look around where nothing is.
func (w *walk) keepsAll(s *scope, v reflect.Value, k *check) bool {
	return k.around && s == nil || w.keeps(s, v, k)
}

// nilPointer is validator's verdict on a nil pointer, or null under any: its first rule fails,
// unless it is one that is asked about nil too.
func (w *walk) nilPointer(s *scope, v reflect.Value, k *checks) []rpcerrors.Violation {
	if k == nil {
		return nil
	}
	for i := range k.list {
		switch rule := &k.list[i]; {
		case strings.HasPrefix(rule.name, "omit"), rule.name == "isdefault":
			return nil
		case rule.around && w.keepsAll(s, v, rule):
		case rule.first != nil && !rule.asksNil():
			return w.broken(rule.first, v)
		default:
			return w.broken(rule, v)
		}
	}
	return nil
}

// asksNil: validator calls the rule for nil too.
func (k *check) asksNil() bool {
	return k.custom || strings.HasPrefix(k.name, "required_") || strings.HasPrefix(k.name, "excluded_") || strings.HasPrefix(k.name, "skip_")
}

// broken is the violation of a rule by v.
func (c *Compiler) broken(k *check, v reflect.Value) []rpcerrors.Violation {
	u := k.unit
	if u == "" && v.IsValid() {
		u = unitOf(v.Kind()) // any
	}
	text := c.messages[k.name]
	if text == "" {
		text = broken(k.name, k.param, u)
	}
	return []rpcerrors.Violation{{Rule: k.name, Param: k.param, Message: text, Unit: string(u)}}
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Interface:
		return v.IsNil()
	}
	return false
}

func (w *walk) elements(s *scope, v reflect.Value, n *node, k *checks) (found []rpcerrors.Violation) {
	for i := range v.Len() {
		if below := w.part(s, v.Index(i), n.elem, k.elem, i); len(below) > 0 {
			prefix(below, "/"+strconv.Itoa(i))
			found = append(found, below...)
		}
		if len(found) >= MaxViolations {
			break
		}
	}
	return found
}

// part is value for an element or entry called name.
func (w *walk) part(s *scope, v reflect.Value, n *node, k *checks, name any) []rpcerrors.Violation {
	if s != nil && k != nil && (k.named || k.elem != nil) {
		outer := s.at
		s.at = fmt.Sprintf("%s[%v]", outer, name)
		defer func() { s.at = outer }()
	}
	return w.value(s, v, n, k)
}

func (w *walk) entries(s *scope, v reflect.Value, n *node, k *checks) (found []rpcerrors.Violation) {
	for _, key := range n.sortedKeys(v) {
		var below []rpcerrors.Violation
		if k.keys != nil {
			below = w.part(s, key, n.key, k.keys, key)
		}
		if k.elem != nil {
			below = append(below, w.part(s, v.MapIndex(key), n.elem, k.elem, key)...)
		}
		if len(below) > 0 {
			prefix(below, Pointer(n.key.keyName(key)))
			found = append(found, below...)
		}
		if len(found) >= MaxViolations {
			break
		}
	}
	return found
}

// opaque checks a struct that decodes itself and has validate tags inside:
// nothing says how what is in it is called on the wire.
func (w *walk) opaque(v reflect.Value) []rpcerrors.Violation {
	var bad validator.ValidationErrors
	if v.Kind() != reflect.Struct || !errors.As(w.validate.Struct(v.Interface()), &bad) {
		return nil
	}
	rule, param := bad[0].Tag(), bad[0].Param()
	if aroundRule(rule) || strings.Contains(rule, "|") {
		param = "" // the names of Go
	}
	u := unitOf(bad[0].Kind())
	return []rpcerrors.Violation{{Rule: rule, Param: param, Message: broken(rule, param, u), Unit: string(u)}}
}
