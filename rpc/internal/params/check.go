package params

import (
	"errors"
	"reflect"
	"strconv"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-playground/validator/v10"
)

// Ruled reports whether Check has anything to do.
func (p *Plan) Ruled() bool { return p.root.ruled || p.byRoot }

// Check applies the validate tags to decoded params. known are the violations
// of Decode: what is wrong already is not blamed twice. It returns known and
// what it found.
func (p *Plan) Check(v reflect.Value, known []rpcerrors.Violation) []rpcerrors.Violation {
	var found []rpcerrors.Violation
	if p.byRoot {
		found = p.whole(v)
	} else {
		found = p.compiler.object(v, p.root)
	}
	if len(known) == 0 {
		return found[:min(len(found), maxViolations)]
	}
	for _, f := range found {
		if len(known) < maxViolations && !blamed(known, f.Pointer) {
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

// object checks the fields of a struct.
func (c *Compiler) object(v reflect.Value, n *node) (found []rpcerrors.Violation) {
	for i := range n.fields {
		f := &n.fields[i]
		if f.checks == nil && !f.node.ruled {
			continue
		}
		fv, ok := f.peek(v)
		if !ok {
			continue
		}
		if below := c.value(fv, f.node, f.checks); len(below) > 0 {
			prefix(below, pointer(f.name))
			found = append(found, below...)
		}
	}
	return found
}

// value checks one value against the rules of its level, then what is in it.
func (c *Compiler) value(v reflect.Value, n *node, k *checks) []rpcerrors.Violation {
	whole, pointed := v, false
	for n.kind == schema.Pointer {
		if v.IsNil() {
			return nilPointer(k)
		}
		v, n, pointed = v.Elem(), n.elem, true
	}
	if k != nil && k.foreign {
		if bad := c.variable(whole, k.tag); bad != nil {
			return bad
		}
	}
	if k != nil {
		if bad, done := k.level(n, v, pointed); bad != nil || done {
			return bad
		}
	}
	switch {
	case n.kind == schema.Object && n.ruled:
		return c.object(v, n)
	case n.kind == schema.Array && k != nil && k.elem != nil:
		return c.elements(v, n, k)
	case n.kind == schema.Map && k != nil && (k.elem != nil || k.keys != nil):
		return c.entries(v, n, k)
	}
	return nil
}

// level applies the rules of a tag in their order; done: what is below is not
// checked either.
func (k *checks) level(n *node, v reflect.Value, pointed bool) (bad []rpcerrors.Violation, done bool) {
	for i := range k.list {
		rule, holds := &k.list[i], true
		switch rule.name {
		case "omitempty":
			done = !has(v, pointed)
		case "omitnil":
			done = isNil(v)
		case "omitzero":
			done = zero(v)
		case "required":
			holds = has(v, pointed)
		default:
			holds = k.foreign || rule.holds(n, v)
		}
		if !holds {
			return rule.broken(), true
		}
		if done {
			return nil, true
		}
	}
	return nil, false
}

// nilPointer is validator's verdict on a nil pointer: its first rule fails.
func nilPointer(k *checks) []rpcerrors.Violation {
	if k == nil || len(k.list) == 0 {
		return nil
	}
	switch first := &k.list[0]; first.name {
	case "omitempty", "omitnil", "omitzero", "isdefault":
		return nil
	default:
		return first.broken()
	}
}

func (k *check) broken() []rpcerrors.Violation {
	return []rpcerrors.Violation{{Rule: k.name, Param: k.param, Message: broken(k.name, k.param, k.unit)}}
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Interface:
		return v.IsNil()
	}
	return false
}

func (c *Compiler) elements(v reflect.Value, n *node, k *checks) (found []rpcerrors.Violation) {
	for i := range v.Len() {
		if below := c.value(v.Index(i), n.elem, k.elem); len(below) > 0 {
			prefix(below, "/"+strconv.Itoa(i))
			found = append(found, below...)
		}
		if len(found) >= maxViolations {
			break
		}
	}
	return found
}

func (c *Compiler) entries(v reflect.Value, n *node, k *checks) (found []rpcerrors.Violation) {
	for _, key := range n.sortedKeys(v) {
		var below []rpcerrors.Violation
		if k.keys != nil {
			below = c.value(key, n.key, k.keys)
		}
		if k.elem != nil {
			below = append(below, c.value(v.MapIndex(key), n.elem, k.elem)...)
		}
		if len(below) > 0 {
			prefix(below, pointer(n.key.keyName(key)))
			found = append(found, below...)
		}
		if len(found) >= maxViolations {
			break
		}
	}
	return found
}

// variable lets validator check one level of a tag on one value.
func (c *Compiler) variable(v reflect.Value, tag string) []rpcerrors.Violation {
	err := c.validate.Var(v.Interface(), tag)
	var bad validator.ValidationErrors
	if !errors.As(err, &bad) || len(bad) == 0 {
		return nil
	}
	rule, param := bad[0].Tag(), bad[0].Param()
	if strings.Contains(rule, "|") {
		param = "" // the rule has all the parameters itself
	}
	return []rpcerrors.Violation{c.violation(rule, param, unitOf(bad[0].Kind()))}
}

// violation is that of a rule of validator or of the application.
func (c *Compiler) violation(rule, param string, u unit) rpcerrors.Violation {
	v := rpcerrors.Violation{Rule: rule, Param: param, Message: c.messages[rule]}
	if v.Message == "" {
		v.Message = broken(rule, param, u)
	}
	return v
}
