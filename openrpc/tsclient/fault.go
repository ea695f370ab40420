package tsclient

import (
	"strconv"

	"github.com/facet-rpc/facet/openrpc/internal/reader"
)

// errors writes the declared errors, as types and as tables.
func (w *writer) errors() {
	w.line(0, "")
	w.comment(0, []string{"The errors that methods declare, by name."})
	w.block("export interface Errors {", len(w.doc.Errors), func(i int) {
		e := w.doc.Errors[i]
		w.comment(1, reader.Lines(e.Message))
		kind, data := "string | undefined", "unknown"
		if e.Kind != "" {
			kind = reader.Quoted(e.Kind)
		}
		if e.Data != nil {
			data = w.expr(e.Data, 2)
		}
		w.line(1, w.faults[e]+": {")
		w.line(2, "code: "+strconv.Itoa(e.Code)+";")
		w.line(2, "kind: "+kind+";")
		w.line(2, "data: "+data+";")
		w.line(1, "};")
	})
	var declaring []*reader.Method
	for _, m := range w.doc.Methods {
		if len(m.Errors) > 0 {
			declaring = append(declaring, m)
		}
	}
	w.line(0, "")
	w.comment(0, []string{"The names of the errors that each method declares."})
	w.block("export interface MethodErrors {", len(declaring), func(i int) {
		m := declaring[i]
		line := key(m.Name) + ":"
		short := line
		for k, e := range m.Errors {
			if k > 0 {
				short += " |"
			}
			short += " " + reader.Quoted(w.faults[e])
		}
		if len(short)+3 <= width {
			w.line(1, short+";")
			return
		}
		w.line(1, line)
		for k, e := range m.Errors {
			w.line(2, "| "+reader.Quoted(w.faults[e])+[]string{"", ";"}[(k+1)/len(m.Errors)])
		}
	})
	w.tables(declaring)
}

// block writes members in braces.
func (w *writer) block(head string, n int, member func(int)) {
	if n == 0 {
		w.line(0, head+"}")
		return
	}
	w.line(0, head)
	for i := range n {
		member(i)
	}
	w.line(0, "}")
}

func (w *writer) tables(declaring []*reader.Method) {
	w.line(0, "")
	w.line(0, "const errorTable: Record<")
	w.line(1, "string,")
	w.line(1, "readonly [code: number, kind?: string] | undefined")
	w.list("> = {", "};", len(w.doc.Errors), func(i int) string {
		e := w.doc.Errors[i]
		value := strconv.Itoa(e.Code)
		if e.Kind != "" {
			value += ", " + reader.Quoted(e.Kind)
		}
		return w.faults[e] + ": [" + value + "]"
	})
	w.line(0, "")
	w.list("const methodErrors: Record<string, readonly (keyof Errors)[] | undefined> = {", "};", len(declaring), func(i int) string {
		m := declaring[i]
		name := key(m.Name)
		if m.Name == "__proto__" {
			name = `["__proto__"]` // without brackets it would be the prototype
		}
		names := make([]string, len(m.Errors))
		for k, e := range m.Errors {
			names[k] = w.faults[e]
		}
		line := name + ": " + texts(names)
		if len(line)+3 > width {
			line = name + ": ["
			for _, n := range names {
				line += "\n    " + reader.Quoted(n) + ","
			}
			line += "\n  ]"
		}
		return line
	})
}
