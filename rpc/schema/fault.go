package schema

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// Fault is something in a Go type that must be mended before it can be
// published. All faults of a type are reported at once.
type Fault struct {
	Type    reflect.Type // the type it stands in
	Field   string       // Go name of the field; empty: the type itself
	Problem string       // what is wrong and why, without a full stop
	Mend    string       // what to write instead
}

// Error names the place, what is wrong there and the way to mend it.
func (f Fault) Error() string {
	var b strings.Builder
	b.WriteString(f.Type.String())
	if f.Field != "" {
		b.WriteByte('.')
		b.WriteString(f.Field)
	}
	b.WriteString(": ")
	b.WriteString(f.Problem)
	if f.Mend != "" {
		b.WriteString("; ")
		b.WriteString(f.Mend)
	}
	return b.String()
}

// finding is a fault and whether it counts only where the type is read from
// a caller.
type finding struct {
	Fault
	params bool
}

// report notes a fault of every use of t.
func (m *Model) report(t *Type, where reflect.Type, field, problem, mend string) {
	m.found[t] = append(m.found[t], finding{Fault{where, field, problem, mend}, false})
}

// reportParams notes a fault of t as params only.
func (m *Model) reportParams(t *Type, where reflect.Type, field, problem, mend string) {
	m.found[t] = append(m.found[t], finding{Fault{where, field, problem, mend}, true})
}

// faults is what was found in t and below it, each once, outermost first.
func (m *Model) faults(t *Type, params bool) []Fault {
	var out []Fault
	seen := map[Fault]bool{}
	for _, u := range reach(t) {
		for _, f := range inOrder(u, m.found[u]) {
			if (f.params && !params) || seen[f.Fault] {
				continue
			}
			seen[f.Fault] = true
			out = append(out, f.Fault)
		}
	}
	return out
}

// inOrder sorts findings as the fields of t stand in its source, what
// concerns t as a whole first.
func inOrder(t *Type, found []finding) []finding {
	at := func(f finding) int {
		return slices.IndexFunc(t.Fields, func(g Field) bool { return g.owner == f.Type && g.GoName == f.Field })
	}
	found = slices.Clone(found)
	slices.SortStableFunc(found, func(a, b finding) int { return cmp.Compare(at(a), at(b)) })
	return found
}

// reach lists t and every type below it, each once, in depth-first order.
func reach(t *Type) []*Type {
	var out []*Type
	seen := map[*Type]bool{}
	var walk func(*Type)
	walk = func(t *Type) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		out = append(out, t)
		walk(t.Key)
		walk(t.Elem)
		for i := range t.Fields {
			walk(t.Fields[i].Type)
		}
	}
	walk(t)
	return out
}
