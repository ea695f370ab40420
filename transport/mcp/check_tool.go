package mcp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json"
)

// shelf is the tools of one version, made ready to be looked at.
type shelf struct {
	version int
	specs   []*rpc.Spec
	views   []*view
	server  string                 // the name of the server
	shapes  map[*rpc.Spec][2]shape // in full and in place
	model   *schema.Model
}

// shape is the schemas of a tool as JSON values.
type shape struct{ input, output map[string]any }

func newShelf(r *rpc.Registry, e Edge, version int) *shelf {
	ep := r.Endpoint(e.Group, version)
	return &shelf{version, ep.Specs(), e.views(ep), e.serverName(version), map[*rpc.Spec][2]shape{}, r.Model()}
}

// listed is a tool as a client gets it.
type listed struct {
	name   string
	server string
	shape
}

func (s *shelf) listed(spec *rpc.Spec, v *view) listed {
	both, ok := s.shapes[spec]
	if !ok {
		for i := range both {
			style := schema.Style{Inline: i == 1}
			both[i].input = values(schema.Encode(s.model.InputObject(spec.Params, style)))
			both[i].output = values(outputSchema(s.model, spec, style))
		}
		s.shapes[spec] = both
	}
	t := listed{name: v.tool(spec.Name()), server: s.server, shape: both[0]}
	if v.inline {
		t.shape = both[1]
	}
	return t
}

// values is a schema as JSON values; a schema that cannot be written is
// reported when it is asked for.
func values(raw []byte, err error) map[string]any {
	var out map[string]any
	if err != nil || len(raw) == 0 || json.Unmarshal(raw, &out) != nil {
		return nil
	}
	return out
}

// digit: Gemini's names begin with a letter or an underscore.
func (t listed) digit() string {
	if c := t.name[0]; c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' {
		return ""
	}
	return fmt.Sprintf("the name begins with %q", t.name[:1])
}

// reference finds a $ref in the input, to a type that holds itself or to
// another one.
func (t listed) reference(recursive bool) string {
	found := ""
	walk(t.input, "", func(at string, s map[string]any) {
		if name := target(s); name != "" && found == "" && reaches(t.input, name) == recursive {
			found = "the params refer to " + name + " at " + at
		}
	})
	return found
}

func (t listed) recursiveResult() string {
	found := ""
	walk(t.output, "", func(_ string, s map[string]any) {
		if name := target(s); name != "" && found == "" && reaches(t.output, name) {
			found = "the result holds " + name + ", which holds itself"
		}
	})
	return found
}

// union finds what has several types at once.
func (t listed) union() string {
	found := ""
	walk(t.input, "", func(at string, s map[string]any) {
		if _, list := s["type"].([]any); list {
			found = "several types at " + at
		}
		variants, _ := s["anyOf"].([]any)
		for _, sub := range variants {
			if m, _ := sub.(map[string]any); m["type"] == "null" {
				found = "null besides another type at " + at
			}
		}
	})
	return found
}

const defs = "#/$defs/"

// target is the name of the type that a schema refers to.
func target(s map[string]any) string {
	ref, _ := s["$ref"].(string)
	name, _ := strings.CutPrefix(ref, defs)
	return name
}

// reaches reports whether a type of root holds itself.
func reaches(root map[string]any, name string) bool {
	all, _ := root["$defs"].(map[string]any)
	seen := map[string]bool{}
	var visit func(from string) bool
	visit = func(from string) bool {
		found := false
		walk(all[from], "", func(_ string, s map[string]any) {
			to := target(s)
			if to == "" || found {
				return
			}
			if to == name {
				found = true
			} else if !seen[to] {
				seen[to] = true
				found = visit(to)
			}
		})
		return found
	}
	return visit(name)
}

// walk calls visit for every object of a schema, with its place as a JSON
// pointer, in a fixed order.
func walk(v any, at string, visit func(at string, s map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		visit(at, v)
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			walk(v[name], at+"/"+name, visit)
		}
	case []any:
		for i, sub := range v {
			walk(sub, fmt.Sprintf("%s/%d", at, i), visit)
		}
	}
}
