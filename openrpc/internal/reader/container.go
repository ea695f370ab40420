package reader

import "slices"

// arrayType reads items of draft 7, which is one schema or a list, and
// prefixItems of its successors.
func (r *reading) arrayType(n *node) (*Type, error) {
	prefix, rest := n.get("prefixItems"), n.get("items")
	if prefix == nil && rest != nil && rest.kind == '[' {
		prefix, rest = rest, n.get("additionalItems")
	}
	t := &Type{Kind: List, Elem: &Type{Kind: Any}}
	if rest != nil {
		var err error
		if t.Elem, err = r.schema(rest); err != nil {
			return nil, err
		}
	}
	if prefix == nil || prefix.kind != '[' || len(prefix.items) == 0 {
		return t, nil
	}
	t.Kind = Tuple
	for _, item := range prefix.items {
		v, err := r.schema(item)
		if err != nil {
			return nil, err
		}
		t.Items = append(t.Items, v)
	}
	least, _ := n.whole("minItems")
	t.Least = max(0, min(least, len(t.Items)))
	most, bounded := n.whole("maxItems")
	if t.Elem.Kind != Never && (!bounded || most > len(t.Items)) {
		t.Rest = t.Elem
	}
	t.Elem = nil
	return t, nil
}

// objectType reads properties and what other members may be.
func (r *reading) objectType(n *node) (*Type, error) {
	t := &Type{Kind: Object}
	properties, err := n.object("properties")
	if err != nil {
		return nil, err
	}
	required, err := n.strings("required")
	if err != nil {
		required = nil // draft 3 had a boolean here
	}
	if properties != nil {
		for _, m := range properties.members {
			v, err := r.schema(m.value)
			if err != nil {
				return nil, err
			}
			t.Properties = append(t.Properties, &Property{
				Name: m.name, Text: v.Text, Deprecated: v.Deprecated, Type: v,
				Required: slices.Contains(required, m.name),
			})
		}
	}
	for _, name := range required {
		if !slices.ContainsFunc(t.Properties, func(p *Property) bool { return p.Name == name }) {
			t.Properties = append(t.Properties, &Property{Name: name, Required: true, Type: &Type{Kind: Any}})
		}
	}
	if t.Extra, err = r.extra(n); err != nil {
		return nil, err
	}
	if len(t.Properties) > 0 || t.Extra != nil && t.Extra.Kind == Never {
		return t, nil
	}
	t.Kind, t.Elem, t.Extra = Map, t.Extra, nil
	if t.Elem == nil {
		t.Elem = &Type{Kind: Any}
	}
	if names := n.get("propertyNames"); names != nil && names.kind != 't' {
		keys, err := r.schema(names)
		if err != nil {
			return nil, err
		}
		t.Keys = keysOf(keys)
	}
	return t, nil
}

// extra is the type of members that are not among properties, nil if nothing
// is said of them.
func (r *reading) extra(n *node) (*Type, error) {
	var members []*Type
	if patterns, err := n.object("patternProperties"); err != nil {
		return nil, err
	} else if patterns != nil {
		for _, m := range patterns.members {
			t, err := r.schema(m.value)
			if err != nil {
				return nil, err
			}
			members = append(members, t)
		}
	}
	if more := n.get("additionalProperties"); more != nil {
		t, err := r.schema(more)
		if err != nil {
			return nil, err
		}
		members = append(members, t)
	}
	if len(members) == 0 {
		return nil, nil
	}
	return union(members), nil
}

// keysOf are the names that propertyNames lists; nil if it lists none.
func keysOf(t *Type) []string {
	for range 20 {
		if t == nil || t.Kind != Ref {
			break
		}
		t = t.Target.Type
	}
	if t == nil || t.Kind != Literal {
		return nil
	}
	var keys []string
	for _, v := range t.Values {
		if key, ok := text(v); ok {
			keys = append(keys, key)
		}
	}
	return keys
}
