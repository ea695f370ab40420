package schema

import (
	"cmp"
	"fmt"
	"reflect"
	"runtime/debug"
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

// mostFaults is how many faults one type is told of at once: nobody reads
// more before mending these.
const mostFaults = 10

// faults is what was found in t and below it, each once, outermost first.
func (m *Model) faults(t *Type, params bool) []Fault {
	var out []Fault
	seen := map[Fault]bool{}
	add := func(f Fault) {
		if !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	foreign := func(u *Type) bool { return params && m.foreign(u) }
	for _, u := range reachUntil(t, foreign) {
		if foreign(u) {
			add(Fault{u.Go, "", "it is no params struct: it comes from package " + u.Go.PkgPath() + ", and no field of it has a json tag",
				"write a struct of your own with the fields that callers send"})
			continue
		}
		for _, f := range inOrder(u, m.found[u]) {
			if params || !f.params {
				add(f.Fault)
			}
		}
	}
	if i := t.Lookup([]byte(control)); params && i >= 0 {
		f := &t.Fields[i]
		add(Fault{f.owner, f.GoName, "its JSON name " + control + " is that of the framework's own member of the params, so no caller could give it by name", "choose another name"})
	}
	if more := len(out) - mostFaults; more > 1 {
		out = append(out[:mostFaults], Fault{t.Go, "", fmt.Sprintf("and %d more faults", more), "mend the first ones, and the rest will be told"})
	}
	return out
}

// control is the member of params that belongs to the framework.
const control = "$rpc"

// foreign: t is a struct of another module, or of the standard library, that
// was not made for JSON. What is below it is nobody's to mend.
func (m *Model) foreign(t *Type) bool {
	pkg := t.Go.PkgPath()
	if t.Kind != Object || t.Go.Name() == "" || m.module == "" || pkg == "main" || t.Go.NumField() == 0 ||
		pkg == m.module || strings.HasPrefix(pkg, m.module+"/") || strings.HasPrefix(pkg, m.module+"_") {
		return false
	}
	for i := range t.Go.NumField() {
		if _, ok := t.Go.Field(i).Tag.Lookup("json"); ok {
			return false
		}
	}
	return true
}

// mainModule is the path of the module that the program is built from, empty
// where the build does not say.
func mainModule() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return info.Main.Path
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
func reach(t *Type) []*Type { return reachUntil(t, func(*Type) bool { return false }) }

// reachUntil is reach without what is below types that stop.
func reachUntil(t *Type, stop func(*Type) bool) []*Type {
	var out []*Type
	seen := map[*Type]bool{}
	var walk func(*Type)
	walk = func(t *Type) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		out = append(out, t)
		if stop(t) {
			return
		}
		walk(t.Key)
		walk(t.Elem)
		for i := range t.Fields {
			walk(t.Fields[i].Type)
		}
	}
	walk(t)
	return out
}
