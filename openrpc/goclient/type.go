package goclient

import (
	"strconv"
	"strings"

	"github.com/facet-rpc/facet/openrpc/internal/reader"
)

// quote is text as a Go string of ASCII.
func quote(text string) string { return strconv.QuoteToASCII(text) }

const raw = "jsontext.Value"

// expr is the Go type of values of t, and whether null is among them: then
// they are pointers. name is what a type in place is called if it needs a name.
func (w *writer) expr(t *reader.Type, name string) (expr string, nullable bool) {
	t, nullable = t.NotNull()
	switch t.Kind {
	case reader.Boolean:
		return "bool", nullable
	case reader.Integer:
		return integer(t), nullable
	case reader.Number:
		return "float64", nullable
	case reader.String:
		return w.text(t), nullable
	case reader.Literal:
		return w.literal(t, name), nullable
	case reader.List:
		return "[]" + w.element(t.Elem, name), nullable
	case reader.Tuple:
		return w.use(pkgJSONText, "[]"+raw), nullable
	case reader.Map:
		return "map[string]" + w.element(t.Elem, name), nullable
	case reader.Ref:
		_, inner := t.Target.Type.NotNull()
		if end := w.resolve(t); end.Kind == reader.Null || end.Kind == reader.Any {
			return w.use(pkgJSONText, raw), false
		}
		return w.types[t.Target], nullable || inner || w.nullRef(t.Target.Type)
	case reader.Object, reader.All, reader.Union:
		if t.Kind == reader.All && w.fields(t) == nil {
			break
		}
		name = w.names.Take(name)
		w.later = append(w.later, func() { w.declare(name, t) })
		return name, nullable
	}
	return w.use(pkgJSONText, raw), false
}

// nullRef reports whether a type is a reference to one that has null.
func (w *writer) nullRef(t *reader.Type) bool {
	for range 50 {
		rest, nullable := t.NotNull()
		if nullable || rest.Kind != reader.Ref {
			return nullable
		}
		t = rest.Target.Type
	}
	return false
}

// element is expr with the pointer that null needs.
func (w *writer) element(t *reader.Type, name string) string {
	expr, nullable := w.expr(t, name+"Item")
	if nullable {
		return "*" + expr
	}
	return expr
}

func integer(t *reader.Type) string {
	switch string(t.Fact("format")) {
	case `"uint64"`:
		return "uint64"
	case `"int32"`:
		return "int32"
	}
	return "int64"
}

func (w *writer) text(t *reader.Type) string {
	switch {
	case string(t.Fact("format")) == `"date-time"`:
		return w.use(pkgTime, "time.Time")
	case string(t.Fact("contentEncoding")) == `"base64"`:
		return "[]byte"
	}
	return "string"
}

// base is the Go type that all values of a Literal have, raw JSON if they are
// of several.
func base(t *reader.Type) string {
	kinds := map[string]bool{}
	for _, v := range t.Values {
		switch v.Kind() {
		case '"':
			kinds["string"] = true
		case 't', 'f':
			kinds["bool"] = true
		case '0':
			if _, err := strconv.ParseInt(string(v), 10, 64); err != nil {
				return raw
			}
			kinds["int64"] = true
		default:
			return raw
		}
	}
	if len(kinds) != 1 {
		return raw
	}
	for kind := range kinds {
		return kind
	}
	return raw
}

// literal is the type of some values: one of its own with constants, unless
// there is only one value.
func (w *writer) literal(t *reader.Type, name string) string {
	kind := base(t)
	if kind == raw {
		return w.use(pkgJSONText, raw)
	}
	if len(t.Values) < 2 || kind == "bool" {
		return kind
	}
	name = w.names.Take(name)
	w.later = append(w.later, func() { w.declare(name, t) })
	return name
}

// resolve is what references lead to.
func (w *writer) resolve(t *reader.Type) *reader.Type {
	for range 50 {
		t, _ = t.NotNull()
		if t.Kind != reader.Ref {
			return t
		}
		t = t.Target.Type
	}
	return &reader.Type{Kind: reader.Any}
}

// fields are the properties of a struct, nil if t is none.
func (w *writer) fields(t *reader.Type) []*reader.Property {
	f := &fields{w: w, seen: map[*reader.Type]bool{}, at: map[string]int{}}
	if !f.add(t) {
		return nil
	}
	if f.list == nil {
		return []*reader.Property{}
	}
	return f.list
}

// fields collects the properties of all parts of a type.
type fields struct {
	w     *writer
	seen  map[*reader.Type]bool
	at    map[string]int
	list  []*reader.Property
	extra *reader.Type
}

// add reports whether t is an object with properties.
func (f *fields) add(t *reader.Type) bool {
	t = f.w.resolve(t)
	if f.seen[t] {
		return true
	}
	f.seen[t] = true
	switch t.Kind {
	case reader.Object:
		for _, p := range t.Properties {
			f.property(p)
		}
		if t.Extra != nil && t.Extra.Kind != reader.Never {
			f.extra = t.Extra
		}
		return true
	case reader.Map:
		f.extra = t.Elem
		return t.Keys == nil && len(f.seen) > 1
	case reader.All:
		for _, m := range t.Members {
			if !f.add(m) {
				return false
			}
		}
		return true
	}
	return false
}

func (f *fields) property(p *reader.Property) {
	i, known := f.at[p.Name]
	if !known {
		f.at[p.Name] = len(f.list)
		f.list = append(f.list, p)
		return
	}
	merged := *f.list[i]
	merged.Required = merged.Required || p.Required
	if merged.Type.Kind == reader.Any {
		merged.Type, merged.Text = p.Type, p.Text
	}
	f.list[i] = &merged
}

// circular reports whether a struct would contain itself by value.
func (w *writer) circular(n *reader.Named) bool {
	known, ok := w.circles[n]
	if !ok {
		known = w.contains(n.Type, n, map[*reader.Named]bool{})
		w.circles[n] = known
	}
	return known
}

// contains reports whether a struct of type t has one of n inside it.
func (w *writer) contains(t *reader.Type, n *reader.Named, seen map[*reader.Named]bool) bool {
	for _, p := range w.fields(t) {
		rest, nullable := p.Type.NotNull()
		if nullable || !p.Required {
			continue
		}
		if rest.Kind == reader.Ref {
			if rest.Target == n {
				return true
			}
			if seen[rest.Target] {
				continue
			}
			seen[rest.Target] = true
			rest = rest.Target.Type
		}
		if w.contains(rest, n, seen) {
			return true
		}
	}
	return false
}

// zeroSays reports whether the zero value of an optional member means
// something else than its absence, so that it needs a pointer.
func zeroSays(t *reader.Type) bool {
	def := string(t.Fact("default"))
	if def == "" || def == "null" || def == "0" || def == `""` || def == "false" {
		return false
	}
	switch t.Kind {
	case reader.Boolean:
		return true
	case reader.Integer, reader.Number:
		for _, name := range []string{"minimum", "exclusiveMinimum"} {
			if low, err := strconv.ParseFloat(string(t.Fact(name)), 64); err == nil && (low > 0 || low == 0 && name != "minimum") {
				return false
			}
		}
		return true
	case reader.String:
		low := string(t.Fact("minLength"))
		return (low == "" || low == "0") && t.Fact("format") == nil && !strings.HasPrefix(string(t.Fact("contentEncoding")), `"`)
	}
	return false
}
