package params

import (
	"fmt"
	"reflect"

	"github.com/facet-rpc/facet/rpc/schema"
)

// try runs the rules on values that calls will bring, to find at start-up
// what would fail or panic later.
func (c *Compiler) try(p *Plan) {
	c.tryFields(p.root, map[*node]bool{})
	if len(c.faults) > 0 || !p.Ruled() {
		return
	}
	values := []reflect.Value{p.New()}
	for _, x := range strangers() {
		values = append(values, sample(p.root, x))
	}
	for _, v := range values {
		if problem := panics(func() { p.Check(v, nil) }); problem != "" {
			c.fault(p.root.typ, "", "its validate tags panic: "+problem, "correct the rule or its parameter")
			return
		}
	}
}

// strangers are the values that may come where any stands: a rule must bear
// them all.
func strangers() []any {
	return []any{nil, "a", schema.Number("1"), true, []any{[]any{}}, map[string]any{"a": []any{}}}
}

// tryRules runs every rule that validator does at a field by itself: where one
// fails, those behind it are not reached otherwise. owner is a sample of the
// struct around. Rules of the application are left to the trial of the whole.
func (c *Compiler) tryRules(owner reflect.Value, f *field, n *node, k *checks) (rule, problem string) {
	for n.kind == schema.Pointer {
		n = n.elem
	}
	if k == nil {
		return "", ""
	}
	s := &scope{root: owner, owner: f.owner(owner), field: f}
	for i := range k.list {
		one := &k.list[i]
		if one.item == "" || one.custom {
			continue
		}
		for _, x := range strangers() {
			if problem = panics(func() { c.keeps(s, sample(n, x), one) }); problem != "" {
				return one.item, problem
			}
		}
	}
	if k.keys != nil {
		if rule, problem = c.tryRules(owner, f, n.key, k.keys); problem != "" {
			return rule, problem
		}
	}
	if k.elem != nil {
		return c.tryRules(owner, f, n.elem, k.elem)
	}
	return "", ""
}

// tryFields checks the value of every field that may be left out.
func (c *Compiler) tryFields(n *node, seen map[*node]bool) {
	if n == nil || seen[n] {
		return
	}
	seen[n] = true
	for i := range n.fields {
		f := &n.fields[i]
		c.tryField(n, i)
		c.tryFields(f.node, seen)
	}
	c.tryFields(n.elem, seen)
	c.tryFields(n.key, seen)
}

func (c *Compiler) tryField(n *node, i int) {
	f, declared := &n.fields[i], &n.typ.Fields[i]
	if f.checks == nil && !f.node.ruled {
		return
	}
	v := reflect.New(f.node.goType).Elem()
	if f.def != nil && f.fill(v) != nil {
		return // found before
	}
	if rule, problem := c.tryRules(sample(n, nil), f, f.node, f.checks); problem != "" {
		c.fault(n.typ, declared.GoName, fmt.Sprintf("its rule validate:%q panics: %s", rule, problem), "correct the rule or its parameter")
		return
	}
	var failed string
	panics(func() { // one below is found there
		if bad := (&walk{Compiler: c}).value(nil, v, f.node, f.checks); len(bad) > 0 {
			failed = bad[0].Rule
			if bad[0].Param != "" {
				failed += "=" + bad[0].Param
			}
			if bad[0].Pointer != "" {
				failed += " at " + bad[0].Pointer
			}
		}
	})
	switch {
	case failed == "" || declared.Required:
	case f.def != nil:
		c.fault(n.typ, declared.GoName, "its default "+string(f.def)+" breaks its own rule "+failed, "choose a default that the rules allow")
	case f.node.kind == schema.Object:
		c.fault(n.typ, declared.GoName, "it may be left out, and its empty value breaks "+failed, "make it a pointer, or require it")
	default:
		c.fault(n.typ, declared.GoName, "it may be left out, and its zero value breaks "+failed, `add omitempty to the validate tag, give it a default, or require it`)
	}
}

// panics runs f and says what it panicked with; empty: it did not.
func panics(f func()) (problem string) {
	defer func() {
		if r := recover(); r != nil {
			problem = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

// sample is a value with one element in every collection and no nil pointer,
// as deep as types do not repeat, and x wherever any value may stand.
func sample(n *node, x any) reflect.Value {
	v := reflect.New(n.goType).Elem()
	fillSample(n, v, x, map[*node]bool{})
	return v
}

func fillSample(n *node, v reflect.Value, x any, above map[*node]bool) {
	if above[n] {
		return
	}
	above[n] = true
	defer delete(above, n)
	switch n.kind {
	case schema.Pointer:
		v.Set(reflect.New(n.elem.goType))
		fillSample(n.elem, v.Elem(), x, above)
	case schema.Array:
		if n.typ.Len < 0 {
			v.Set(reflect.MakeSlice(n.goType, 1, 1))
		}
		if v.Len() > 0 {
			fillSample(n.elem, v.Index(0), x, above)
		}
	case schema.Map:
		v.Set(reflect.MakeMap(n.goType))
		element := reflect.New(n.elem.goType).Elem()
		fillSample(n.elem, element, x, above)
		v.SetMapIndex(reflect.New(n.key.goType).Elem(), element)
	case schema.Any:
		if x != nil {
			v.Set(reflect.ValueOf(x))
		}
	case schema.Object:
		for i := range n.fields {
			fillSample(n.fields[i].node, n.fields[i].in(v), x, above)
		}
	}
}
