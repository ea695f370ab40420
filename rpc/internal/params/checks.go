package params

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/facet-rpc/facet/rpc/schema"
)

// checks is one level of a validate tag, compiled. Rules that are common are
// our own, the others validator's, one by one.
type checks struct {
	list  []check // in the order of the tag, omitempty and its kin among them
	looks bool    // a rule here or below looks at other fields
	named bool    // a rule of the application is here: it may ask for the name
	keys  *checks
	elem  *checks
}

// check is one rule with its parameter in the form its kind compares.
type check struct {
	name, param string // as callers are told: in the names of the wire
	unit        unit
	item        string // as validator takes it; empty: a rule of our own
	around      bool   // looks at other fields
	custom      bool   // of the application
	first       *check // of alternatives: what nil is said to break
	n           int64
	u           uint64
	f           float64
	list        []string
}

// checks compiles the rules for values of n.
func (c *Compiler) checks(r *schema.Rules, n *node) *checks {
	if r == nil {
		return nil
	}
	out := &checks{}
	inner := n
	for inner.kind == schema.Pointer {
		inner = inner.elem
	}
	rules := r.List
	for _, item := range strings.Split(r.Tag, ",") {
		switch item {
		case "":
		case "omitempty", "omitnil", "omitzero":
			out.list = append(out.list, check{name: item})
		default:
			if len(rules) == 0 {
				continue
			}
			rule := rules[0]
			rules = rules[1:]
			out.list = append(out.list, c.check(rule, item, inner))
		}
	}
	if inner.kind == schema.Map && inner.key != nil {
		out.keys = c.checks(r.Keys, inner.key)
	}
	if inner.elem != nil {
		out.elem = c.checks(r.Elem, inner.elem)
	}
	for i := range out.list {
		out.looks = out.looks || out.list[i].around
		out.named = out.named || out.list[i].custom
	}
	for _, below := range []*checks{out.keys, out.elem} {
		out.looks = out.looks || below != nil && below.looks
	}
	return out
}

// check compiles one rule, written as item.
func (c *Compiler) check(r schema.Rule, item string, n *node) check {
	k, mine := own(r, n)
	if mine {
		return k
	}
	k.item = item
	for _, one := range append([]schema.Rule{r}, r.Or...) {
		_, ours := c.messages[one.Name]
		k.custom = k.custom || ours
		k.around = k.around || ours || aroundRule(one.Name)
	}
	if r.Or != nil { // the name has all the parameters
		first := k
		k.first = &first
		k.name, k.param = alternatives(r.Or), ""
	}
	return k
}

func alternatives(rules []schema.Rule) string {
	var out []string
	for _, r := range rules {
		text := r.Name
		if r.Wire != "" {
			text += "=" + r.Wire
		}
		out = append(out, text)
	}
	return strings.Join(out, "|")
}

// own compiles a rule that this package checks itself; false for any other.
func own(r schema.Rule, n *node) (check, bool) {
	k := check{name: r.Name, param: r.Wire, unit: unitOf(n.goType.Kind())}
	if r.Or != nil {
		return k, false
	}
	switch r.Name {
	case "required":
		return k, true
	case "oneof":
		k.list = strings.Fields(r.Param)
		return k, (n.kind == schema.String || n.kind == schema.Int || n.kind == schema.Uint) && !strings.Contains(r.Param, "'")
	case "eq", "ne":
		if n.kind == schema.String {
			return k, true
		}
		if n.kind == schema.Array || n.kind == schema.Map {
			return k, false
		}
	case "min", "max", "len", "gte", "lte", "gt", "lt":
	default:
		return k, false
	}
	var err error
	switch n.kind {
	case schema.String, schema.Array, schema.Map, schema.Int:
		k.n, err = strconv.ParseInt(r.Param, 0, 64)
	case schema.Uint:
		k.u, err = strconv.ParseUint(r.Param, 0, 64)
	case schema.Float:
		k.f, err = strconv.ParseFloat(r.Param, n.bits)
	default:
		return k, false
	}
	return k, err == nil
}

// aroundRule reports whether a rule of validator looks at other fields.
func aroundRule(name string) bool {
	return strings.HasSuffix(name, "field") || strings.HasPrefix(name, "required_") ||
		strings.HasPrefix(name, "excluded_") || strings.HasPrefix(name, "skip_") ||
		slices.Contains([]string{"fieldcontains", "fieldexcludes"}, name)
}

// holds reports whether v, of kind n and no pointer, keeps the rule, which is
// not required.
func (k *check) holds(n *node, v reflect.Value) bool {
	switch n.kind {
	case schema.String:
		return k.text(v.String())
	case schema.Int:
		return k.int(v.Int())
	case schema.Uint:
		return k.uint(v.Uint())
	case schema.Float:
		return compare(k.name, v.Float(), k.f)
	case schema.Array, schema.Map:
		return compare(k.name, int64(v.Len()), k.n)
	}
	return true // own gave no rule to the other kinds
}

// has is validator's idea of a value that is there: what required asks for and
// omitempty goes on with. Behind a pointer all is there but nil.
func has(v reflect.Value, pointed bool) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Interface:
		return !v.IsNil()
	}
	return pointed || !v.IsZero()
}

// zero is what omitzero ends at.
func zero(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}

func (k *check) text(s string) bool {
	switch k.name {
	case "eq":
		return s == k.param
	case "ne":
		return s != k.param
	case "oneof":
		return slices.Contains(k.list, s)
	case "max", "lte":
		return int64(len(s)) <= k.n || int64(utf8.RuneCountInString(s)) <= k.n
	}
	return compare(k.name, int64(utf8.RuneCountInString(s)), k.n)
}

func (k *check) int(i int64) bool {
	if k.name == "oneof" {
		return slices.Contains(k.list, strconv.FormatInt(i, 10))
	}
	return compare(k.name, i, k.n)
}

func (k *check) uint(u uint64) bool {
	if k.name == "oneof" {
		return slices.Contains(k.list, strconv.FormatUint(u, 10))
	}
	return compare(k.name, u, k.u)
}

// compare is the rule between a value or length and the rule's parameter.
func compare[T int64 | uint64 | float64](rule string, v, limit T) bool {
	switch rule {
	case "min", "gte":
		return v >= limit
	case "max", "lte":
		return v <= limit
	case "gt":
		return v > limit
	case "lt":
		return v < limit
	case "ne":
		return v != limit
	}
	return v == limit // len, eq
}
