package rpc

import (
	"fmt"
	"maps"
	"slices"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json/jsontext"
)

// checkReferences finds names of methods that do not exist.
func (r *registration) checkReferences() {
	cached := map[string]bool{}
	for _, m := range r.methods {
		name := m.spec.Declared.Name
		cached[name] = cached[name] || m.spec.Declared.Cache.TTL > 0
	}
	named := func(m *method, field, name string) bool {
		has, known := cached[name]
		if !known {
			r.fault(m, "", field+" names "+quoted(name)+", which no service has", "write the full name, such as Catalog.search")
		} else if !has {
			r.fault(m, "", field+" names "+quoted(name)+", which has no Cache", "give that method a Cache, or leave it out")
		}
		return has
	}
	for _, m := range r.methods {
		b := &m.spec.bound
		for _, name := range m.spec.Declared.Invalidates {
			if named(m, "Invalidates", name) {
				b.ends = append(b.ends, ended{method: name})
			}
		}
		for _, i := range m.spec.Declared.InvalidatesExact {
			if named(m, "InvalidatesExact", i.Method) {
				r.exact(m, i)
			}
		}
	}
}

// exact checks an invalidation of exact params against every version of its
// method that has a Cache.
func (r *registration) exact(m *method, i Invalidation) {
	say := func(problem, mend string) { r.fault(m, "", "InvalidatesExact of "+i.Method+": "+problem, mend) }
	for _, target := range r.methods {
		t := target.spec.Params
		if d := &target.spec.Declared; d.Name != i.Method || d.Cache.TTL == 0 {
			continue
		}
		if t == nil {
			if len(i.Params) > 0 {
				say("that method has no parameters", "name it in Invalidates")
			}
			continue
		}
		for _, f := range t.Fields {
			if _, ok := i.Params[f.Name]; f.Required && !ok {
				say("its parameter "+quoted(f.Name)+" is required and not in Params", "say which parameter of this method has its value")
			}
		}
	}
	e := ended{method: i.Method, exact: true, warm: i.Warm}
	for _, name := range slices.Sorted(maps.Keys(i.Params)) {
		w, from, problem := wayTo(m.spec.Params, i.Params[name])
		if problem != "" {
			say("it takes "+quoted(name)+" from "+quoted(i.Params[name])+": "+problem, "name a parameter, or one inside an object as /item/sku")
			return
		}
		for _, target := range r.methods {
			if target.spec.Declared.Name != i.Method || target.spec.Params == nil {
				continue
			}
			at := target.spec.Params.Lookup([]byte(name))
			if at < 0 {
				say("that method has no parameter "+quoted(name), "leave it out, or name another one")
			} else if to := target.spec.Params.Fields[at].Type; base(to).Kind != base(from.Type).Kind {
				say(quoted(i.Params[name])+" is of another type than "+quoted(name), "take a parameter of the same type")
			}
		}
		head, _ := jsontext.AppendQuote([]byte{','}, name)
		e.params = append(e.params, mapped{string(head) + ":", w, r.keys.Plan(from.Type)})
	}
	m.spec.bound.ends = append(m.spec.bound.ends, e)
}

// base is the type behind pointers.
func base(t *schema.Type) *schema.Type {
	for t.Kind == schema.Pointer {
		t = t.Elem
	}
	return t
}

// checkDuplicates finds methods of one name that begin in the same version of
// the same group.
func (r *registration) checkDuplicates() {
	type place struct {
		name, group string
		since       int
	}
	first := map[place]*method{}
	for _, m := range r.methods {
		d := &m.spec.Declared
		for _, g := range d.Groups {
			p := place{d.Name, g, d.Since}
			if other := first[p]; other != nil && other != m {
				r.fault(m, "", fmt.Sprintf("%s is there twice in version %d of group %s", d.Name, d.Since, g), "name one of them differently, or let it begin in a later version with Since")
				break
			}
			first[p] = m
		}
	}
}
