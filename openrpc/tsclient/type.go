package tsclient

import (
	"regexp"
	"slices"
	"strings"

	"github.com/facet-rpc/facet/openrpc/internal/reader"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// expr is a type where a type may stand. It begins on a line that is indented
// by depth, and may have more lines.
func (w *writer) expr(t *reader.Type, depth int) string {
	switch t.Kind {
	case reader.Never:
		return "never"
	case reader.Null:
		return "null"
	case reader.Boolean:
		return "boolean"
	case reader.Integer, reader.Number:
		return "number"
	case reader.String:
		return "string"
	case reader.List:
		return w.inParens(t.Elem, depth) + "[]"
	case reader.Tuple:
		return w.tuple(t, depth)
	case reader.Map:
		return w.mapping(t, depth)
	case reader.Object:
		return w.object(t, depth)
	case reader.Literal, reader.Union:
		return strings.Join(w.members(t, depth), " | ")
	case reader.All:
		parts := make([]string, len(t.Members))
		for i, m := range t.Members {
			parts[i] = w.inParens(m, depth)
		}
		return strings.Join(parts, " & ")
	case reader.Ref:
		return w.types[t.Target]
	}
	return "unknown"
}

// members are the alternatives of a union, null last.
func (w *writer) members(t *reader.Type, depth int) []string {
	var parts []string
	null := false
	add := func(expr string) {
		if expr == "null" {
			null = true
		} else if !slices.Contains(parts, expr) {
			parts = append(parts, expr)
		}
	}
	for _, v := range t.Values {
		add(literal(v, depth))
	}
	for _, m := range t.Members {
		if m.Kind == reader.Literal {
			for _, v := range m.Values {
				add(literal(v, depth))
			}
			continue
		}
		expr := w.expr(m, depth)
		if m.Kind == reader.All {
			expr = "(" + expr + ")"
		}
		add(expr)
	}
	if null {
		parts = append(parts, "null")
	}
	return parts
}

// inParens is a type that binds as tightly as a name.
func (w *writer) inParens(t *reader.Type, depth int) string {
	expr := w.expr(t, depth)
	if t.Kind == reader.Union || t.Kind == reader.All || t.Kind == reader.Literal && len(t.Values) > 1 {
		return "(" + expr + ")"
	}
	return expr
}

func (w *writer) tuple(t *reader.Type, depth int) string {
	var parts []string
	for i, item := range t.Items {
		if i < t.Least {
			parts = append(parts, w.expr(item, depth))
		} else {
			parts = append(parts, w.inParens(item, depth)+"?")
		}
	}
	if t.Rest != nil {
		parts = append(parts, "..."+w.inParens(t.Rest, depth)+"[]")
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// mapping spells maps out, because an alias such as Record may not refer to
// itself.
func (w *writer) mapping(t *reader.Type, depth int) string {
	if t.Keys == nil {
		return "{ [key: string]: " + w.expr(t.Elem, depth) + " }"
	}
	keys := make([]string, len(t.Keys))
	for i, k := range t.Keys {
		keys[i] = reader.Quoted(k)
	}
	if len(keys) == 0 {
		keys = []string{"never"}
	}
	return "{ [K in " + strings.Join(keys, " | ") + "]?: " + w.expr(t.Elem, depth) + " }"
}

// object is the braces of an interface or of a type in place.
func (w *writer) object(t *reader.Type, depth int) string {
	inner := &writer{types: w.types}
	inner.properties(t.Properties, depth+1)
	if t.Extra != nil && t.Extra.Kind != reader.Never {
		inner.line(depth+1, "[key: string]: "+inner.extra(t, depth+1)+";")
	}
	if inner.b.Len() == 0 {
		if t.Extra != nil {
			return "{\n" + strings.Repeat("  ", depth+1) + "[key: string]: never;\n" + strings.Repeat("  ", depth) + "}"
		}
		return "{}"
	}
	return "{\n" + inner.b.String() + strings.Repeat("  ", depth) + "}"
}

// extra is the type of members without a name of their own: TypeScript wants
// the types of the named ones in it.
func (w *writer) extra(t *reader.Type, depth int) string {
	parts := []string{w.inParens(t.Extra, depth)}
	for _, p := range t.Properties {
		parts = append(parts, w.inParens(p.Type, depth))
		if !p.Required {
			parts = append(parts, "undefined")
		}
	}
	if slices.Contains(parts, "unknown") {
		return "unknown"
	}
	slices.Sort(parts[1:])
	return strings.Join(slices.Compact(parts), " | ")
}

func (w *writer) properties(list []*reader.Property, depth int) {
	for _, p := range list {
		w.comment(depth, append(reader.Lines(body(p.Text, p.Deprecated)), tags(p.Type, p.Deprecated, p.Text)...))
		mark := ""
		if !p.Required {
			mark = "?"
		}
		head := key(p.Name) + mark + ":"
		expr := w.expr(p.Type, depth)
		choice := p.Type.Kind == reader.Union || p.Type.Kind == reader.Literal && len(p.Type.Values) > 1
		if choice && (strings.Contains(expr, "\n") || 2*depth+len(head)+len(expr)+2 > width) {
			w.line(depth, head)
			w.alternatives(p.Type, depth+1)
			continue
		}
		w.line(depth, head+" "+expr+";")
	}
}

var plainKey = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// key is the name of a member in a type.
func key(name string) string {
	if plainKey.MatchString(name) {
		return name
	}
	return reader.Quoted(name)
}

// literal is the type that a JSON value alone has.
func literal(v jsontext.Value, depth int) string {
	switch v.Kind() {
	case '[':
		var items []jsontext.Value
		_ = json.Unmarshal(v, &items) // it was read as JSON
		parts := make([]string, len(items))
		for i, item := range items {
			parts[i] = literal(item, depth)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case '{':
		var members map[string]jsontext.Value
		_ = json.Unmarshal(v, &members) // it was read as JSON
		var parts []string
		for name, value := range members {
			parts = append(parts, key(name)+": "+literal(value, depth))
		}
		slices.Sort(parts)
		return "{ " + strings.Join(parts, "; ") + " }"
	case '"':
		text, _ := jsontext.AppendUnquote(nil, v)
		return reader.Quoted(string(text))
	}
	return string(v)
}
