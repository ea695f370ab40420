package schema

import (
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// Definition is a named schema that others refer to.
type Definition struct {
	Name   string
	Schema *jsonschema.Schema
}

// defaultPrefix is where a schema that stands on its own keeps definitions.
const defaultPrefix = "#/$defs/"

func (s Style) prefix() string {
	if s.RefPrefix == "" {
		return defaultPrefix
	}
	return s.RefPrefix
}

// ref refers to the definition of t. A type that is known as a result keeps
// its name for results; as params it is called with Input behind it, if the
// two differ at all.
func (r *renderer) ref(t *Type) *jsonschema.Schema {
	name := t.Name
	switch {
	case !differs(t):
	case r.input:
		name = t.input
	case !t.result:
		name = t.Name + "Output"
	}
	return &jsonschema.Schema{Ref: r.style.prefix() + name}
}

// Definitions are all that the given schemas refer to, directly or through
// each other, sorted by name. The style must be the one they were rendered in.
func (m *Model) Definitions(s Style, schemas ...*jsonschema.Schema) []Definition {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []Definition
	seen := map[string]bool{}
	visit := func(sub *jsonschema.Schema) {}
	visit = func(sub *jsonschema.Schema) {
		name, ok := strings.CutPrefix(sub.Ref, s.prefix())
		if !ok || sub.Ref == "" || seen[name] {
			return
		}
		seen[name] = true
		t, input := m.lookup(name)
		if t == nil {
			return
		}
		body := (&renderer{m: m, style: s, input: input}).body(t, place{})
		if body.Description == "" {
			body.Description = t.Doc
		}
		out = append(out, Definition{name, body})
		walk(body, visit)
	}
	for _, schema := range schemas {
		walk(schema, visit)
	}
	slices.SortFunc(out, func(a, b Definition) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// lookup finds what a name in a $ref stands for.
func (m *Model) lookup(name string) (t *Type, input bool) {
	if t := m.taken[name]; t != nil {
		return t, name == t.input && (name != t.Name || !t.result)
	}
	return m.taken[strings.TrimSuffix(name, "Output")], false
}

// define puts what root refers to into its own $defs.
func (m *Model) define(root *jsonschema.Schema, s Style) {
	for _, d := range m.Definitions(s, root) {
		if root.Definitions == nil {
			root.Definitions = jsonschema.Definitions{}
		}
		root.Definitions[d.Name] = d.Schema
	}
}

// walk calls visit for s and every schema in it.
func walk(s *jsonschema.Schema, visit func(*jsonschema.Schema)) {
	if s == nil {
		return
	}
	visit(s)
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems} {
		for _, sub := range list {
			walk(sub, visit)
		}
	}
	for _, sub := range []*jsonschema.Schema{s.Not, s.If, s.Then, s.Else, s.Items, s.Contains, s.AdditionalProperties, s.PropertyNames, s.ContentSchema} {
		walk(sub, visit)
	}
	for _, group := range []map[string]*jsonschema.Schema{s.Definitions, s.PatternProperties, s.DependentSchemas} {
		for _, sub := range group {
			walk(sub, visit)
		}
	}
	if s.Properties != nil {
		for pair := s.Properties.Oldest(); pair != nil; pair = pair.Next() {
			walk(pair.Value, visit)
		}
	}
}
