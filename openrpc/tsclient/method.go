package tsclient

import (
	"slices"
	"strconv"
	"strings"

	"github.com/facet-rpc/facet/openrpc/internal/reader"
)

// node is a place in the tree of methods: a group, a method or both.
type node struct {
	key      string
	method   *reader.Method
	children []*node
	parts    map[string]*node // by the part of the method's name
	names    *reader.Names
}

func newNode(key string, taken ...string) *node {
	return &node{key: key, parts: map[string]*node{}, names: reader.NewNames(taken...)}
}

// child is the node below n for a part of a name.
func (n *node) child(part string) *node {
	c := n.parts[part]
	if c == nil {
		c = newNode(n.names.Take(reader.Camel(part), part))
		n.parts[part] = c
		n.children = append(n.children, c)
	}
	return c
}

// api writes the tree of methods as an interface, and as the table from which
// the client is made.
func (w *writer) api() {
	root := newNode("", "$notify", "$batch", "$call")
	paths := map[*reader.Method][]string{}
	for _, m := range w.doc.Methods {
		at := root
		for _, part := range m.Path() {
			at = at.child(part)
			paths[m] = append(paths[m], at.key)
		}
		at.method = m
	}
	w.line(0, "")
	w.comment(0, []string{"The methods, each at the path of its name. M says what they are used for."})
	unused := ""
	if len(root.children) == 0 {
		unused = "_"
	}
	w.block("export interface Api<"+unused+"M extends Mode> {", len(root.children), func(i int) { w.place(root.children[i], 1) })
	w.table(paths)
}

// place writes a node as a member of an interface.
func (w *writer) place(n *node, depth int) {
	name := key(n.key)
	if n.key == "new" || n.key == "constructor" {
		name = reader.Quoted(n.key)
	}
	if len(n.children) == 0 {
		w.signature(n.method, name, depth)
		return
	}
	w.line(depth, "readonly "+name+": {")
	if n.method != nil {
		w.signature(n.method, "", depth+1)
	}
	for _, c := range n.children {
		w.place(c, depth+1)
	}
	w.line(depth, "};")
}

// signature writes a method, with an empty name as a call.
func (w *writer) signature(m *reader.Method, name string, depth int) {
	lines := reader.Lines(body(m.Text, m.Deprecated))
	if result := reader.Lines(m.ResultText); len(result) > 0 {
		lines = append(lines, "@returns "+strings.Join(result, " "))
	}
	if m.Deprecated {
		_, instead := reader.Deprecation(m.Text)
		lines = append(lines, strings.TrimSpace("@deprecated "+strings.Join(reader.Lines(instead), " ")))
	}
	for _, e := range m.Errors {
		if e.Common() {
			continue
		}
		lines = append(lines, "@throws "+w.faults[e]+" ("+strconv.Itoa(e.Code)+"): "+strings.Join(reader.Lines(e.Message), " "))
	}
	w.comment(depth, lines)
	input, mark := w.inputs[m], "?"
	for _, p := range m.Params {
		if p.Required {
			mark = ""
		}
	}
	params := "params" + mark + ": Params<M, " + input + ">"
	if input == "" {
		params = "params?: NoParams"
	}
	reply := "Sent<M>"
	if m.Result != nil {
		reply = "Reply<M, " + w.results[m] + ">"
	}
	line := name + "(" + params + ", options?: Options<M>): " + reply + ";"
	if !strings.Contains(line, "\n") && 2*depth+len(line) <= width {
		w.line(depth, line)
		return
	}
	w.line(depth, name+"(")
	w.line(depth+1, params+",")
	w.line(depth+1, "options?: Options<M>,")
	w.line(depth, "): "+reply+";")
}

// table writes what the client needs to know when it runs, groups before what
// is in them.
func (w *writer) table(paths map[*reader.Method][]string) {
	methods := slices.Clone(w.doc.Methods)
	slices.SortStableFunc(methods, func(a, b *reader.Method) int { return len(paths[a]) - len(paths[b]) })
	w.line(0, "")
	w.list("const methods: readonly MethodInfo[] = [", "];", len(methods), func(i int) string {
		m := methods[i]
		parts := []string{"path: " + texts(paths[m]), "name: " + reader.Quoted(m.Name)}
		if m.ByPosition {
			names := make([]string, len(m.Params))
			for k, p := range m.Params {
				names[k] = p.Name
			}
			parts = append(parts, "order: "+texts(names))
		}
		if m.Result == nil {
			parts = append(parts, "silent: true")
		}
		line := "{ " + strings.Join(parts, ", ") + " }"
		if len(line)+3 > width {
			line = "{\n    " + strings.Join(parts, ",\n    ") + ",\n  }"
		}
		return line
	})
	w.line(0, "")
}

// list writes items between two lines, or on one line without items.
func (w *writer) list(head, tail string, n int, item func(int) string) {
	if n == 0 {
		w.line(0, head+tail)
		return
	}
	w.line(0, head)
	for i := range n {
		w.line(1, item(i)+",")
	}
	w.line(0, tail)
}

// texts is an array of strings.
func texts(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = reader.Quoted(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
