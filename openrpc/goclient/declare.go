package goclient

import (
	"strings"

	"github.com/facet-rpc/facet/openrpc/internal/reader"
	"github.com/go-json-experiment/json/jsontext"
)

// declare writes a type under a name, then the types that are only in it.
func (w *writer) declare(name string, t *reader.Type) {
	t, _ = t.NotNull()
	w.line("")
	switch {
	case t.Kind == reader.Literal && base(t) != raw:
		w.enum(name, t)
	case t.Kind == reader.Union:
		w.union(name, t)
	default:
		w.comment(said(name, t.Text, t.Deprecated))
		if list := w.fields(t); list != nil && t.Kind != reader.Ref && t.Kind != reader.Map {
			w.structure(name, t, list)
			break
		}
		expr, _ := w.expr(t, name+"Item")
		if t.Kind == reader.List || t.Kind == reader.Map {
			w.defined[name] = expr
		} else {
			w.defined[name] = expr
			expr = "= " + expr
		}
		w.line("type " + name + " " + expr)
	}
	w.inPlace()
}

// inPlace declares the types that were found in place and need a name.
func (w *writer) inPlace() {
	for len(w.later) > 0 {
		next := w.later[0]
		w.later = w.later[1:]
		next()
	}
}

// said is the comment of a declaration: what the document says, with the
// paragraph that Go has for what is deprecated.
func said(name, text string, deprecated bool) string {
	lines := strings.Join(reader.Lines(text), "\n")
	if lines == "" {
		lines = name + " is a type of the document."
	}
	if !deprecated || strings.Contains("\n"+lines, "\nDeprecated: ") {
		return lines
	}
	return lines + "\n\nDeprecated: The document says no more."
}

func (w *writer) structure(name string, t *reader.Type, list []*reader.Property) {
	f := &fields{w: w, seen: map[*reader.Type]bool{}, at: map[string]int{}}
	f.add(t)
	w.line("type " + name + " struct {")
	names := reader.NewNames()
	var odd []string
	for _, p := range list {
		if taggable(p.Name) {
			w.field(name, names.Take(goName(p.Name)), p)
		} else {
			odd = append(odd, quote(p.Name))
		}
	}
	if f.extra != nil || odd != nil {
		expr := raw
		if odd == nil {
			expr = w.element(f.extra, name+"Extra")
		} else {
			w.use(pkgJSONText, "")
		}
		about := "Members that have no field of their own"
		if odd != nil {
			about += ", such as " + strings.Join(odd, " and ")
		}
		w.comment(about + ".")
		w.line(names.Take("Extra") + " map[string]" + expr + " `json:\",embed\"`")
	}
	w.line("}")
}

func (w *writer) field(owner, name string, p *reader.Property) {
	text := p.Text
	if p.Deprecated || text != "" {
		text = said(name, text, p.Deprecated)
	}
	w.comment(text)
	expr, pointer := w.expr(p.Type, owner+name)
	rest, _ := p.Type.NotNull()
	end := w.resolve(rest)
	isStruct := end.Kind == reader.Object || end.Kind == reader.All && w.fields(end) != nil
	if expr == raw {
		isStruct = false
	}
	option := ""
	if !p.Required {
		option = ",omitzero"
		pointer = pointer || isStruct || zeroSays(p.Type)
	}
	if isStruct && rest.Kind == reader.Ref && w.circular(rest.Target) {
		pointer = true
	}
	if pointer {
		expr = "*" + expr
	}
	w.line(name + " " + expr + " " + tag(p.Name, option))
	w.members[owner] = append(w.members[owner], member{name, p.Name, strings.TrimPrefix(expr, "*")})
}

// enum writes a type with a constant for each value.
func (w *writer) enum(name string, t *reader.Type) {
	w.comment(said(name, t.Text, t.Deprecated))
	w.line("type " + name + " " + base(t))
	w.line("")
	w.comment("The values of " + name + ".")
	w.line("const (")
	for i, v := range t.Values {
		w.comment(t.ValueText(i))
		value, label := string(v), string(v)
		if v.Kind() == '"' {
			text, _ := jsontext.AppendUnquote(nil, v) // it was read as JSON
			value, label = quote(string(text)), string(text)
		}
		w.line(w.names.Take(name+suffix(label)) + " " + name + " = " + value)
	}
	w.line(")")
}

// suffix is a value as the end of a name.
func suffix(label string) string {
	switch {
	case label == "":
		return "Empty"
	case strings.HasPrefix(label, "-"):
		label = "minus " + label[1:]
	}
	s := goName(label)
	if s[0] == 'N' && len(s) > 1 && s[1] >= '0' && s[1] <= '9' && !strings.HasPrefix(strings.ToUpper(label), "N") {
		return s[1:]
	}
	return s
}

// union writes a type that keeps the JSON, with a function for each of its
// alternatives.
func (w *writer) union(name string, t *reader.Type) {
	names := reader.NewNames()
	type option struct{ label, expr string }
	var options []option
	seen := map[string]bool{}
	for _, m := range t.Members {
		expr, _ := w.expr(m, name+"Option")
		if key := w.underlying(m, expr); seen[key] || expr == raw {
			continue
		} else {
			seen[key] = true
		}
		label := goName(strings.NewReplacer("[]", "list ", "map[string]", "map ", "*", "", "time.", "").Replace(expr))
		options = append(options, option{names.Take(label), expr})
	}
	text := t.Text
	if text == "" {
		text = name + " is one of several types; Value is its JSON."
	}
	w.comment(said(name, text, t.Deprecated))
	w.line("type " + name + " struct{ " + w.use(pkgJSONText, raw) + " }")
	if len(options) == 0 {
		return
	}
	w.use(pkgJSON, "")
	terms := make([]string, len(options))
	for i, o := range options {
		terms[i] = o.expr
	}
	w.line("")
	w.comment(name + "Of is v as a " + name + ".")
	w.line("func " + w.names.Take(name+"Of") + "[T " + strings.Join(terms, " | ") + "](v T) (" + name + ", error) {")
	w.line("value, err := json.Marshal(v)\nreturn " + name + "{value}, err\n}")
	for _, o := range options {
		w.line("")
		w.comment("As" + o.label + " reads the value as this alternative.")
		w.line("func (u " + name + ") As" + o.label + "() (" + o.expr + ", error) {")
		w.line("var v " + o.expr + "\nerr := json.Unmarshal(u.Value, &v)\nreturn v, err\n}")
	}
}

// underlying is expr without an alias: two alternatives may not be one type.
func (w *writer) underlying(t *reader.Type, expr string) string {
	end := w.resolve(t)
	switch end.Kind {
	case reader.Boolean, reader.Integer, reader.Number, reader.String, reader.Tuple, reader.Any, reader.Null, reader.Never:
		plain, _ := w.expr(end, "")
		return plain
	case reader.Literal:
		if base(end) == raw || base(end) == "bool" && t.Kind != reader.Ref {
			return base(end)
		}
	}
	for range 50 {
		if t.Kind != reader.Ref || t.Target.Type.Kind != reader.Ref {
			break
		}
		t = t.Target.Type
		expr = w.types[t.Target]
	}
	return expr
}
