package schema

import (
	"github.com/go-json-experiment/json/jsontext"
	"github.com/invopop/jsonschema"
)

// Style is how a document wants its schemas.
type Style struct {
	// RefPrefix stands before a name in $ref: "#/$defs/" when empty, or
	// "#/components/schemas/".
	RefPrefix string
	// Inline writes types in place instead of $ref, but for recursive ones,
	// and a nullable value as {}, for clients that read neither.
	Inline bool
	// Draft7 wraps a $ref that has anything beside it in allOf: draft 7
	// ignores the siblings of $ref.
	Draft7 bool
	// Describe gives the description of a top-level param in the language of
	// the reader, "" for the model's own; it may be nil.
	Describe func(param string) string
	// Extra gives keywords that a protocol adds to a field of params, such as
	// x-mcp-header; it may be nil, and so may what it returns.
	Extra func(*Field) map[string]any
}

// Input is what a caller may send for t: with constraints, defaults, and no
// members but those of the struct. Named types are references; resolve them
// with [Model.Definitions].
func (m *Model) Input(t *Type, s Style) *jsonschema.Schema { return m.render(t, s, true) }

// Output is what a caller gets for t: types and enums only, because validate
// rules are never run on results. Required are the members that are always
// there.
func (m *Model) Output(t *Type, s Style) *jsonschema.Schema { return m.render(t, s, false) }

func (m *Model) render(t *Type, s Style, input bool) *jsonschema.Schema {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settled = true
	return (&renderer{m: m, style: s, input: input}).value(t, nil)
}

// Member is what a caller may send for one field of the params.
func (m *Model) Member(f *Field, s Style) *jsonschema.Schema {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settled = true
	r := &renderer{m: m, style: s, input: true}
	return r.described(f)
}

// InputObject is the params t, nil for none, as one schema that stands on its
// own: an object in place, with properties even when empty, and the
// definitions it needs in its $defs.
func (m *Model) InputObject(t *Type, s Style) *jsonschema.Schema {
	m.mu.Lock()
	m.settled = true
	r := &renderer{m: m, style: s, input: true}
	root := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
	if t != nil {
		root = r.object(t.base(), true)
	}
	m.mu.Unlock()
	m.define(root, s)
	return root
}

// OutputObject is the result t as one schema that stands on its own: an
// object with the single member result. It is nil without a result, and for
// a result of which nothing is known.
func (m *Model) OutputObject(t *Type, s Style) *jsonschema.Schema {
	if t == nil || t.base().Kind == Any || t.base().Kind == Raw {
		return nil
	}
	properties := jsonschema.NewProperties()
	properties.Set("result", m.Output(t, s))
	root := &jsonschema.Schema{Type: "object", Properties: properties, Required: []string{"result"}}
	m.define(root, s)
	return root
}

// renderer renders in one style and one direction, with m.mu held.
type renderer struct {
	m     *Model
	style Style
	input bool
}

// value is the schema of t under the rules of the place it stands in.
func (r *renderer) value(t *Type, rules *Rules) *jsonschema.Schema {
	return r.place(t, place{rules: rules})
}

// place says where a value stands.
type place struct {
	rules   *Rules
	quoted  bool // a number written as a string
	notNull bool // a pointer that cannot, or need not, be null here
	pointer bool // reached through a pointer
}

func (r *renderer) place(t *Type, p place) *jsonschema.Schema {
	if t.Kind == Pointer && !r.defined(t) {
		if r.style.Inline && !p.notNull {
			return anything()
		}
		p.pointer = true
		inner := r.place(t.Elem, p)
		if p.notNull || t.Elem.Kind == Pointer {
			return inner
		}
		return r.nullable(inner)
	}
	var s *jsonschema.Schema
	if r.defined(t) && (p.rules == nil || p.rules.Elem == nil) {
		s = r.ref(t)
	} else {
		s = r.body(t, p)
	}
	if r.input && p.rules != nil {
		r.constrain(s, t, p)
	}
	if r.input {
		bound(s, t, p.quoted)
	}
	return r.siblings(s)
}

// nullable allows null besides s.
func (r *renderer) nullable(s *jsonschema.Schema) *jsonschema.Schema {
	if isAny(s) {
		return s
	}
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "null"}}}
}

// siblings makes a $ref with constraints readable for draft 7.
func (r *renderer) siblings(s *jsonschema.Schema) *jsonschema.Schema {
	if !r.style.Draft7 || s.Ref == "" {
		return s
	}
	bare := *s
	bare.Ref = ""
	if isAny(&bare) {
		return s
	}
	bare.AllOf = append([]*jsonschema.Schema{{Ref: s.Ref}}, bare.AllOf...)
	return &bare
}

// described is the schema of a member with what is said about it.
func (r *renderer) described(f *Field) *jsonschema.Schema {
	p := place{quoted: f.Quoted, notNull: r.neverNull(f)}
	if r.input {
		p.rules = f.Rules
	}
	s := r.place(f.Type, p)
	if f.Title != "" {
		s.Title = f.Title
	}
	if f.Description != "" {
		s.Description = f.Description
	}
	if f.Deprecated != "" {
		s.Deprecated = true
		s.Description = deprecatedText(s.Description, f.Deprecated)
	}
	if r.input && f.Default != nil {
		s.Default = jsontext.Value(f.Default)
	}
	for _, example := range f.Examples {
		s.Examples = append(s.Examples, jsontext.Value(example))
	}
	if r.input && r.style.Extra != nil {
		for keyword, value := range r.style.Extra(f) {
			setExtra(s, keyword, value)
		}
	}
	return r.siblings(s)
}

// neverNull: a nil pointer is left out of what we send, or refused in what
// we get.
func (r *renderer) neverNull(f *Field) bool {
	if r.input {
		return f.Default == nil && f.Rules.refusesNil()
	}
	return f.OmitEmpty || f.OmitZero
}

func deprecatedText(description, deprecated string) string {
	switch {
	case deprecated == "Deprecated.":
		return description
	case description == "":
		return "Deprecated: " + deprecated
	default:
		return description + "\n\nDeprecated: " + deprecated
	}
}
