package guard

import (
	"reflect"

	"github.com/facet-rpc/facet/rpc"
)

// collect makes the built-in methods: ping and those of the edges.
func (s *Site) collect(edges []Edge, f *faults) {
	by := map[string]reflect.Type{}
	s.builtin(rpc.Method{
		Func: ping, Name: "ping", Title: "Ping",
		Description: "Answers PONG: the program is there.",
		Hints:       rpc.Hints{ReadOnly: rpc.Yes},
	}, f)
	by["ping"] = nil
	for _, e := range edges {
		if d, ok := e.(rpc.Deferrer); ok {
			if s.deferrer != nil {
				f.add("%T runs calls later, and %T does already; keep one", e, s.deferrer)
			}
			s.deferrer = d
		}
		b, ok := e.(Builtins)
		if !ok {
			continue
		}
		t := reflect.TypeOf(e)
		for _, m := range b.Builtins(s) {
			if first, taken := by[m.Name]; !taken {
				by[m.Name] = t
				s.builtin(m, f)
			} else if first != t { // edges of one kind, for several groups, bring the same
				f.add("%v brings the built-in %s, which is there already; rename one", t, m.Name)
			}
		}
	}
}

func (s *Site) builtin(m rpc.Method, f *faults) {
	spec, err := s.exec.Builtin(m)
	if err != nil {
		f.add("built-in %s: %w", m.Name, err)
		return
	}
	s.builtins = append(s.builtins, spec)
}

func ping() string { return "PONG" }
