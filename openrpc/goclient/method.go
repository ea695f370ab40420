package goclient

import (
	"strconv"
	"strings"

	"github.com/facet-rpc/facet/openrpc/internal/reader"
)

// params writes the params of a method as a struct.
func (w *writer) params(m *reader.Method) {
	if w.inputs[m] == "" {
		return
	}
	params := m.Params
	if m.ByPosition { // the names are never sent, so any will do
		params = nil
		names := reader.NewNames()
		for _, p := range m.Params {
			named := *p
			named.Name = names.Take(goName(p.Name))
			params = append(params, &named)
		}
	}
	w.declare(w.inputs[m], &reader.Type{
		Kind: reader.Object, Properties: params,
		Text: w.inputs[m] + " are the params of " + strings.Join(reader.Lines(m.Name), " ") + ".",
	})
}

// group is a place in the tree of methods.
type group struct {
	name    string // of the field
	typed   string // the beginning of the names of its types
	methods []*reader.Method
	labels  map[*reader.Method]string
	groups  []*group
	parts   map[string]*group
	names   *reader.Names
}

func newGroup(name, typed string, taken ...string) *group {
	return &group{name: name, typed: typed, labels: map[*reader.Method]string{}, parts: map[string]*group{}, names: reader.NewNames(taken...)}
}

// tree writes the client and the batch, with the methods at their places.
func (w *writer) tree() {
	root := newGroup("", "", "Batch", "Send", "RPC")
	for _, m := range w.doc.Methods { // a method goes before a group of its name
		at := root
		parts := m.Path()
		for _, part := range parts[:len(parts)-1] {
			next := at.parts[part]
			if next == nil {
				next = newGroup(part, at.typed+goName(part))
				at.parts[part] = next
				at.groups = append(at.groups, next)
			}
			at = next
		}
		at.methods = append(at.methods, m)
		at.labels[m] = at.names.Take(goName(parts[len(parts)-1]))
	}
	for _, m := range w.doc.Methods {
		w.results[m] = w.result(m)
	}
	w.root(root)
	w.references()
	for _, m := range w.doc.Methods {
		w.from(m)
	}
	w.groups(root)
	for _, m := range root.methods {
		w.method(m, root, "*Client", "*Batch")
	}
}

// result is the Go type of a result; struct{} without one.
func (w *writer) result(m *reader.Method) string {
	if m.Result == nil || m.Result.Kind == reader.Null {
		return "struct{}"
	}
	expr, nullable := w.expr(m.Result, goName(m.Name)+"Result")
	w.inPlace()
	if nullable {
		return "*" + expr
	}
	return expr
}

func (w *writer) root(root *group) {
	for _, g := range root.groups {
		g.prepare(root, w.names)
	}
	url := "https://shop.example/rpc"
	if len(w.doc.Servers) > 0 {
		url = strings.Join(reader.Lines(w.doc.Servers[0]), " ")
	}
	w.line("\n// Client calls the methods of the server. It is safe for concurrent use.")
	w.line("type Client struct {\ncaller *client.Client")
	for _, g := range root.groups {
		w.line(g.name + " " + g.typed + "Methods")
	}
	w.line("}\n")
	w.line("// New makes a client that calls through caller:\n//")
	w.line("//\tNew(client.New(" + harmless(reader.Quoted(url)) + ", client.Options{Token: token}))")
	w.line("func New(caller *client.Client) *Client {")
	w.line("return &Client{caller: caller" + root.values("Methods", "caller") + "}\n}")
	w.line("\n// RPC calls methods by name, and notifies them.\nfunc (c *Client) RPC() *client.Client { return c.caller }")
	w.line("\n// Batch is several calls in one request. Results are there once it was sent.")
	w.line("type Batch struct {\ncaller *client.Batch")
	for _, g := range root.groups {
		w.line(g.name + " " + g.typed + "Batch")
	}
	w.line("}\n\n// Batch begins a batch.\nfunc (c *Client) Batch() *Batch {\ncaller := c.caller.Batch()")
	w.line("return &Batch{caller: caller" + root.values("Batch", "caller") + "}\n}")
	w.line("\n// Send sends the batch and waits for all answers. Its error is about the batch as\n// a whole; each call has its own.")
	w.line("func (b *Batch) Send(ctx " + w.use(pkgContext, "context.Context") + ") error { return b.caller.Send(ctx) }")
}

// prepare names the groups below one, after their methods.
func (g *group) prepare(parent *group, names *reader.Names) {
	name := goName(g.name)
	g.name = parent.names.Take(name, name+"Group")
	for {
		typed := g.typed
		if names.Free(typed+"Methods") && names.Free(typed+"Batch") {
			names.Take(typed + "Methods")
			names.Take(typed + "Batch")
			break
		}
		g.typed += "Group"
	}
	for _, sub := range g.groups {
		sub.prepare(g, names)
	}
}

// values are the groups below g in a literal.
func (g *group) values(kind, caller string) string {
	out := ""
	for _, sub := range g.groups {
		out += ", " + sub.name + ": " + sub.typed + kind + "{caller: " + caller + sub.values(kind, caller) + "}"
	}
	return out
}

func (w *writer) groups(g *group) {
	for _, sub := range g.groups {
		for _, kind := range []string{"Methods", "Batch"} {
			w.line("")
			w.comment(map[string]string{
				"Methods": sub.typed + kind + " are the methods of a group.",
				"Batch":   sub.typed + kind + " puts the methods of a group into a batch.",
			}[kind])
			w.line("type " + sub.typed + kind + " struct {\ncaller *client." + map[string]string{"Methods": "Client", "Batch": "Batch"}[kind])
			for _, inner := range sub.groups {
				w.line(inner.name + " " + inner.typed + kind)
			}
			w.line("}")
		}
		for _, m := range sub.methods {
			w.method(m, sub, sub.typed+"Methods", sub.typed+"Batch")
		}
		w.groups(sub)
	}
}

// method writes a method of the client and those of the batch.
func (w *writer) method(m *reader.Method, in *group, onClient, onBatch string) {
	label := in.labels[m]
	params, value := w.argument(m, "params", w.inputs[m])
	ctx := w.use(pkgContext, "ctx context.Context")
	result := w.results[m]
	name := quote(m.Name)
	w.line("")
	w.comment(w.about(m, label))
	head := "func (c " + onClient + ") " + label + "(" + strings.TrimSuffix(ctx+", "+params, ", ") + ") "
	switch {
	case m.Result == nil:
		w.line(head + "error {\nreturn c.caller.Notify(ctx, " + name + ", " + value + ")\n}")
	case result == "struct{}":
		w.line(head + "error {\n_, err := client.Call[struct{}](ctx, c.caller, " + name + ", " + value + ")\nreturn err\n}")
	default:
		w.line(head + "(" + result + ", error) {\nreturn client.Call[" + result + "](ctx, c.caller, " + name + ", " + value + ")\n}")
	}
	w.line("")
	w.comment(label + " puts the call into the batch.")
	w.member(m, "func (b "+onBatch+") "+label+"("+params+") ", value)
	if from := w.froms[m]; from != "" {
		params, value = w.argument(m, "from", from)
		label = in.names.Take(label + "From")
		w.line("")
		w.comment(label + " is the call with params that may be results of other calls.")
		w.member(m, "func (b "+onBatch+") "+label+"("+params+") ", value)
	}
}

// argument is a parameter of Go that has the params, and what is sent of it.
func (w *writer) argument(m *reader.Method, name, typed string) (param, value string) {
	value = "struct{}{}"
	if typed != "" {
		param, value = name+" "+typed, name
	}
	if m.ByPosition {
		return param, w.positional(m, name)
	}
	return strings.TrimPrefix(param+", meta ...Meta", ", "), "with(" + value + ", meta)"
}

// member writes a method of the batch.
func (w *writer) member(m *reader.Method, head, value string) {
	result, name := w.results[m], quote(m.Name)
	add := "client.Add[" + result + "](b.caller, " + name + ", " + value + ")"
	switch pending := w.pending[result]; {
	case m.Result == nil:
		w.line(head + "{\nb.caller.Notify(" + name + ", " + value + ")\n}")
	case pending != "":
		w.line(head + pending + " {\nreturn " + pending + "{" + add + "}\n}")
	default:
		w.line(head + "*client.Pending[" + result + "] {\nreturn " + add + "\n}")
	}
}

// positional is the params as a list.
func (w *writer) positional(m *reader.Method, of string) string {
	if len(m.Params) == 0 {
		return "nil"
	}
	names := reader.NewNames()
	required := 0
	values := make([]string, len(m.Params))
	for i, p := range m.Params {
		values[i] = of + "." + names.Take(goName(p.Name))
		if p.Required {
			required = i + 1
		}
	}
	w.use(pkgReflect, "")
	return "byPosition(" + strconv.Itoa(required) + ", " + strings.Join(values, ", ") + ")"
}

// about is the comment of a method.
func (w *writer) about(m *reader.Method, label string) string {
	text := strings.Join(reader.Lines(m.Text), "\n")
	deprecated := ""
	if m.Deprecated {
		var instead string
		text, instead = reader.Deprecation(text)
		if instead == "" {
			instead = "The document says no more."
		}
		deprecated = "\n\nDeprecated: " + instead
	}
	if text == "" {
		text = label + " calls " + strings.Join(reader.Lines(m.Name), " ") + "."
	}
	var declared []string
	for _, e := range m.Errors {
		if !e.Common() {
			declared = append(declared, "["+w.faults[e]+"]")
		}
	}
	if len(declared) > 0 {
		text += "\n\nErrors: " + strings.Join(declared, ", ") + "."
	}
	return text + deprecated
}
