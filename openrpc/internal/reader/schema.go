package reader

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// facts are the keywords that are told to people.
var facts = [...]string{
	"format", "default", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf",
	"minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "contentEncoding", "x-validate",
}

// schema reads a JSON Schema of draft 7, or what its successors say in the
// same words. What is no type (not, if, patterns of names) is passed over: the
// type then holds more values than the schema.
func (r *reading) schema(n *node) (*Type, error) {
	if n.kind == 't' {
		if string(n.raw) == "true" {
			return &Type{Kind: Any}, nil
		}
		return &Type{Kind: Never}, nil
	}
	if n.kind != '{' {
		return nil, n.fault("is neither a schema nor true nor false")
	}
	t, err := r.shape(n)
	if err != nil {
		return nil, err
	}
	out := *t
	if text, err := n.text("description"); err != nil {
		return nil, err
	} else if text != "" {
		out.Text = text
	} else if text, err := n.text("title"); err != nil {
		return nil, err
	} else if out.Text == "" {
		out.Text = text
	}
	out.Deprecated = out.Deprecated || n.is("deprecated")
	for _, name := range facts {
		if v := n.get(name); v != nil && v.kind != '{' {
			out.Facts = append(slices.Clip(out.Facts), Fact{name, v.value()})
		}
	}
	return &out, nil
}

// shape is a schema without what it tells people.
func (r *reading) shape(n *node) (*Type, error) {
	if n.get("$ref") != nil {
		return r.reference(n)
	}
	var parts []*Type
	for _, read := range []func(*node) (*Type, error){r.values, r.kinds, r.allOf} {
		t, err := read(n)
		if err != nil {
			return nil, err
		}
		if t != nil {
			parts = append(parts, t)
		}
	}
	for _, word := range []string{"oneOf", "anyOf"} {
		members, err := r.list(n, word)
		if err != nil {
			return nil, err
		}
		if len(members) > 0 {
			parts = append(parts, union(members))
		}
	}
	return both(parts), nil
}

// reference is $ref; what stands beside it is not part of the type.
func (r *reading) reference(n *node) (*Type, error) {
	ref, err := n.text("$ref")
	if err != nil {
		return nil, err
	}
	pointer, local := strings.CutPrefix(ref, "#")
	if !local {
		return &Type{Kind: Any, Text: "Described by " + ref}, nil
	}
	pointer = unescape(pointer)
	target := r.root.find(pointer)
	if pointer == "" || target == nil && r.base != nil {
		target = r.base.find(pointer)
	}
	if target == nil {
		return nil, n.fault("refers to %.80q, and there is no such place in the document", ref)
	}
	base := r.base
	if target.at.Parent() == "/components/schemas" {
		base = target
	}
	named, err := r.target(target, base)
	if err != nil {
		return nil, err
	}
	return &Type{Kind: Ref, Target: named}, nil
}

// target is the type of a node that something refers to.
func (r *reading) target(n, base *node) (*Named, error) {
	if known := r.named[n]; known != nil {
		return known, nil
	}
	named := &Named{Name: n.at.LastToken()}
	if named.Name == "schema" || named.Name == "" { // of a content descriptor
		named.Name = "Shared"
	}
	r.named[n] = named
	r.doc.Types = append(r.doc.Types, named)
	outer := r.base
	r.base = base
	t, err := r.schema(n)
	r.base = outer
	named.Type = t
	return named, err
}

// values are enum and const.
func (r *reading) values(n *node) (*Type, error) {
	if v := n.get("const"); v != nil {
		return &Type{Kind: Literal, Values: []jsontext.Value{v.value()}}, nil
	}
	if n.get("enum") == nil {
		return nil, nil
	}
	items, err := n.array("enum")
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return &Type{Kind: Never}, nil
	}
	t := &Type{Kind: Literal}
	if t.ValueTexts, err = n.strings("x-enum-descriptions"); err != nil {
		t.ValueTexts = nil
	}
	for _, item := range items {
		t.Values = append(t.Values, item.value())
	}
	return t, nil
}

// kinds are the types that type lists, or that the other keywords are about.
func (r *reading) kinds(n *node) (*Type, error) {
	var names []string
	switch t := n.get("type"); {
	case t == nil:
		names = implied(n)
	case t.kind == '"':
		names = []string{t.string()}
	default:
		var err error
		if names, err = n.strings("type"); err != nil {
			return nil, err
		}
	}
	var out []*Type
	for _, name := range names {
		t, err := r.kind(n, name)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		return nil, nil
	}
	return union(out), nil
}

// implied is what a schema without type is about.
func implied(n *node) []string {
	for _, m := range n.members {
		switch m.name {
		case "properties", "additionalProperties", "patternProperties":
			return []string{"object"}
		case "items", "prefixItems":
			return []string{"array"}
		}
	}
	return nil
}

func (r *reading) kind(n *node, name string) (*Type, error) {
	switch name {
	case "null":
		return &Type{Kind: Null}, nil
	case "boolean":
		return &Type{Kind: Boolean}, nil
	case "integer":
		return &Type{Kind: Integer}, nil
	case "number":
		return &Type{Kind: Number}, nil
	case "string":
		return &Type{Kind: String}, nil
	case "array":
		return r.arrayType(n)
	case "object":
		return r.objectType(n)
	}
	return nil, n.get("type").fault("is %.40q, which is no type of JSON Schema", name)
}

func (r *reading) allOf(n *node) (*Type, error) {
	members, err := r.list(n, "allOf")
	if err != nil || len(members) == 0 {
		return nil, err
	}
	return both(members), nil
}

func (r *reading) list(n *node, word string) ([]*Type, error) {
	items, err := n.array(word)
	if err != nil {
		return nil, err
	}
	var out []*Type
	for _, item := range items {
		t, err := r.schema(item)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}
