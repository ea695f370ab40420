package goclient

import (
	"strings"

	"github.com/facet-rpc/facet/openrpc/internal/reader"
)

// member is a field of a struct that was written.
type member struct {
	name string // of the field
	json string
	expr string // the type, without the pointer
}

// settle is expr without aliases and types that are lists.
func (w *writer) settle(expr string) string {
	for range 50 {
		next, known := w.defined[expr]
		if !known {
			break
		}
		expr = next
	}
	return expr
}

// items is the type of the elements of a list; empty if expr is none.
func (w *writer) items(expr string) string {
	item, list := strings.CutPrefix(w.settle(expr), "[]")
	if !list || item == "byte" {
		return ""
	}
	return strings.TrimPrefix(item, "*")
}

// references writes, for each struct in a result, a type that leads to what
// lies in it, and for the results a place in a batch that has it.
func (w *writer) references() {
	var wait []string // structs whose types are not written yet
	ref := func(expr string) string {
		name := w.settle(expr)
		if len(w.members[name]) == 0 {
			return ""
		}
		if w.refs[name] == "" {
			w.refs[name] = w.names.Take(name + "Ref")
			wait = append(wait, name)
		}
		return w.refs[name]
	}
	for _, m := range w.doc.Methods {
		result := w.results[m]
		if w.pending[result] != "" || m.Result == nil {
			continue
		}
		plain := strings.TrimPrefix(result, "*")
		item := w.items(plain)
		switch {
		case ref(plain) != "":
			name := w.names.Take(w.settle(plain) + "Pending")
			w.pending[result] = name
			w.place(name, result, "Ref leads to what lies in the result", "Ref()", ref(plain),
				"client.At["+plain+"](p.Pending.Ref(), \"\")")
		case item != "" && ref(item) != "":
			name := w.names.Take(w.settle(item) + "ListPending")
			w.pending[result] = name
			w.place(name, result, "At leads to what lies in an element of the result", "At(i int)", ref(item),
				"client.At["+item+"](p.Ref(), "+w.use(pkgStrconv, "strconv.Itoa(i)")+")")
		}
	}
	for len(wait) > 0 {
		name := wait[0]
		wait = wait[1:]
		w.reference(name, ref)
	}
}

// place writes the type of a call in a batch.
func (w *writer) place(name, result, about, method, ref, value string) {
	w.line("")
	w.comment(name + " is a call in a batch whose result is of type " + result + ".")
	w.line("type " + name + " struct{ *client.Pending[" + result + "] }\n")
	w.comment(about + ", for params of later calls.")
	w.line("func (p " + name + ") " + method + " " + ref + " { return " + ref + "{" + value + "} }")
}

// reference writes the type that leads to the members of a struct.
func (w *writer) reference(name string, ref func(string) string) {
	own := w.refs[name]
	w.line("")
	w.comment(own + " stands for a value of type [" + name + "] in a result of the batch.")
	w.line("type " + own + " struct{ client.Ref[" + name + "] }\n")
	names := reader.NewNames("Ref", "MarshalJSON")
	var lists []member
	to := func(method, arg, expr, path string) {
		typed, value := "client.Ref["+expr+"]", "client.At["+expr+"](r, "+path+")"
		if to := ref(expr); to != "" {
			typed, value = to, to+"{"+value+"}"
		}
		w.line("func (r " + own + ") " + method + "(" + arg + ") " + typed + " { return " + value + " }")
	}
	for _, m := range w.members[name] {
		if strings.Contains(m.json, ".") {
			continue // no path can name it
		}
		m.name = names.Take(m.name)
		to(m.name, "", m.expr, quote(m.json))
		if w.items(m.expr) != "" {
			lists = append(lists, m)
		}
	}
	for _, m := range lists {
		to(names.Take(m.name+"At"), "i int", w.items(m.expr), quote(m.json+".")+w.use(pkgStrconv, " + strconv.Itoa(i)"))
	}
}

// from writes the params of a method as references and values.
func (w *writer) from(m *reader.Method) {
	input := w.inputs[m]
	if input == "" || len(w.members[input]) == 0 {
		return
	}
	name := w.names.Take(goName(m.Name) + "From")
	w.froms[m] = name
	w.line("")
	w.comment(name + " are [" + input + "] of which some come from other calls of the batch.\nThe rest is made with client.Value.")
	w.line("type " + name + " struct {")
	for _, p := range w.members[input] {
		w.line(p.name + " client.Param[" + p.expr + "] " + tag(p.json, ",omitzero"))
	}
	w.line("}")
}
