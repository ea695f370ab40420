package reader

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Kind is what sort of type a [Type] is.
type Kind int

const (
	Any     Kind = iota // any JSON
	Never               // no JSON at all
	Null                // null
	Boolean             // true, false
	Integer             // a whole number
	Number              // a number
	String              // a string
	Literal             // one of Values
	List                // an array of Elem
	Tuple               // an array of Items, then of Rest
	Map                 // an object whose members are Elem
	Object              // an object with Properties
	Union               // one of Members
	All                 // all of Members at once
	Ref                 // Target
)

// Type is what a JSON Schema says of the shape of values. What it says besides,
// such as bounds, is in Facts.
type Type struct {
	Kind       Kind
	Values     []jsontext.Value
	ValueTexts []string // of Values, "" or missing without one
	Elem       *Type
	Keys       []string // that a Map may have; nil: any
	Items      []*Type
	Least      int   // how many Items there are at least
	Rest       *Type // nil: nothing follows Items
	Properties []*Property
	Extra      *Type // other members of an Object; nil: it is not said
	Members    []*Type
	Target     *Named

	Text       string
	Deprecated bool
	Facts      []Fact
}

// Fact is a keyword of a schema that no type can say, such as minimum.
type Fact struct {
	Name  string
	Value jsontext.Value
}

// Fact is the value of a keyword, nil without it.
func (t *Type) Fact(name string) jsontext.Value {
	for _, f := range t.Facts {
		if f.Name == name {
			return f.Value
		}
	}
	return nil
}

// NotNull is t without null, and whether null was in it.
func (t *Type) NotNull() (rest *Type, nullable bool) {
	switch t.Kind {
	case Union:
		keep := slices.DeleteFunc(slices.Clone(t.Members), func(m *Type) bool { return m.Kind == Null })
		if len(keep) == len(t.Members) {
			break
		}
		u := *union(keep)
		u.Text, u.Facts, u.Deprecated = cmp.Or(t.Text, u.Text), append(slices.Clone(t.Facts), u.Facts...), t.Deprecated || u.Deprecated
		return &u, true
	case Literal:
		u := *t
		u.Values, u.ValueTexts = nil, nil
		for i, v := range t.Values {
			if v.Kind() != 'n' {
				u.Values = append(u.Values, v)
				u.ValueTexts = append(u.ValueTexts, t.ValueText(i))
			}
		}
		if len(u.Values) > 0 && len(u.Values) < len(t.Values) {
			return &u, true
		}
	}
	return t, false
}

// ValueText is what the schema says of a value of a Literal.
func (t *Type) ValueText(i int) string {
	if i < len(t.ValueTexts) {
		return t.ValueTexts[i]
	}
	return ""
}

// text is the value of a JSON string.
func text(v jsontext.Value) (string, bool) {
	if v.Kind() != '"' {
		return "", false
	}
	b, err := jsontext.AppendUnquote(nil, v)
	return string(b), err == nil
}

// union is a type that is one of members.
func union(members []*Type) *Type {
	var out []*Type
	var literal *Type
	for _, m := range members {
		switch m.Kind {
		case Any:
			return &Type{Kind: Any}
		case Never:
			continue
		case Literal:
			if literal == nil {
				merged := *m
				literal = &merged
				out = append(out, literal)
				continue
			}
			literal.Text, literal.Facts = "", nil
			for i, v := range m.Values {
				if !slices.ContainsFunc(literal.Values, func(x jsontext.Value) bool { return bytes.Equal(x, v) }) {
					for len(literal.ValueTexts) < len(literal.Values) {
						literal.ValueTexts = append(literal.ValueTexts, "")
					}
					literal.Values = append(slices.Clip(literal.Values), v)
					literal.ValueTexts = append(slices.Clip(literal.ValueTexts), m.ValueText(i))
				}
			}
			continue
		}
		parts := []*Type{m}
		if m.Kind == Union {
			parts = m.Members
		}
		for _, p := range parts {
			if !slices.ContainsFunc(out, func(x *Type) bool { return same(x, p) }) {
				out = append(out, p)
			}
		}
	}
	switch len(out) {
	case 0:
		return &Type{Kind: Never}
	case 1:
		return out[0]
	}
	return &Type{Kind: Union, Members: out}
}

// same reports whether two types are the same kind of plain value, or refer to
// the same.
func same(a, b *Type) bool {
	return a.Kind == b.Kind && (a.Kind >= Null && a.Kind <= String || a.Kind == Ref && a.Target == b.Target)
}

// both is a type that is all of parts at once.
func both(parts []*Type) *Type {
	var out []*Type
	for _, p := range parts {
		if p.Kind == Any || slices.ContainsFunc(out, func(x *Type) bool { return same(x, p) }) {
			continue
		}
		out = append(out, p)
	}
	// A list of values says more than the kinds of its values.
	if i := slices.IndexFunc(out, func(t *Type) bool { return t.Kind == Literal }); i >= 0 {
		merged := *out[i]
		rest := slices.DeleteFunc(slices.Clone(out), func(t *Type) bool { return t == out[i] })
		if slices.ContainsFunc(rest, func(t *Type) bool { return !plain(t) }) {
			return &Type{Kind: All, Members: out}
		}
		merged.Values, merged.ValueTexts = nil, nil
		for k, v := range out[i].Values {
			if !slices.ContainsFunc(rest, func(t *Type) bool { return !t.holds(v) }) {
				merged.Values = append(merged.Values, v)
				merged.ValueTexts = append(merged.ValueTexts, out[i].ValueText(k))
			}
		}
		if len(merged.Values) == 0 {
			return &Type{Kind: Never}
		}
		return &merged
	}
	switch len(out) {
	case 0:
		return &Type{Kind: Any}
	case 1:
		return out[0]
	}
	return &Type{Kind: All, Members: out}
}

// plain reports whether t is about values that are no objects and no arrays.
func plain(t *Type) bool {
	if t.Kind == Union {
		return !slices.ContainsFunc(t.Members, func(m *Type) bool { return !plain(m) })
	}
	return t.Kind >= Null && t.Kind <= Literal
}

// holds reports whether a plain type has the value.
func (t *Type) holds(v jsontext.Value) bool {
	switch t.Kind {
	case Null:
		return v.Kind() == 'n'
	case Boolean:
		return v.Kind() == 't' || v.Kind() == 'f'
	case Integer, Number:
		return v.Kind() == '0'
	case String:
		return v.Kind() == '"'
	case Literal:
		return slices.ContainsFunc(t.Values, func(x jsontext.Value) bool { return bytes.Equal(x, v) })
	case Union:
		return slices.ContainsFunc(t.Members, func(m *Type) bool { return m.holds(v) })
	}
	return true
}

// settle replaces references by which a type would only say that it is itself,
// such as A = A or null: nothing is known of those. Each named type is settled
// once.
func (r *reading) settle(t *Type) *Type {
	switch t.Kind {
	case Ref:
		switch state := r.settled[t.Target]; {
		case state == begun || t.Target.Type == nil:
			return &Type{Kind: Any, Text: t.Text}
		case state == 0:
			r.settleNamed(t.Target)
		}
	case Union, All:
		members := make([]*Type, len(t.Members))
		for i, m := range t.Members {
			members[i] = r.settle(m)
		}
		u := *union(members)
		if t.Kind == All {
			u = *both(members)
		}
		u.Text, u.Facts, u.Deprecated = cmp.Or(t.Text, u.Text), t.Facts, t.Deprecated
		return &u
	}
	return t
}

// How far a named type is settled.
const (
	begun = 1 + iota
	done
)

func (r *reading) settleNamed(n *Named) {
	if r.settled[n] != 0 {
		return
	}
	r.settled[n] = begun
	n.Type = r.settle(n.Type)
	r.settled[n] = done
}
