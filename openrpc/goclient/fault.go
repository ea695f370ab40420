package goclient

import (
	_ "embed"
	"regexp"
	"strconv"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/openrpc/internal/reader"
)

// errors declares the errors of the document, so that errors.Is finds them.
func (w *writer) errors() {
	for _, e := range w.doc.Errors {
		text := strings.Join(reader.Lines(e.Message), " ")
		w.line("")
		w.comment(w.faults[e] + ": " + text)
		w.line("var " + w.faults[e] + " = " + w.use(pkgErrors, w.definition(e, text)))
		w.inPlace()
	}
}

var action = regexp.MustCompile(`\{\{[^}]*\}\}`)

// definition is with data where the document has some and a program may
// declare such an error; the others are kinds.
func (w *writer) definition(e *reader.Error, text string) string {
	text = strings.TrimSpace(action.ReplaceAllString(text, "…"))
	if text == "" || strings.Contains(text, "{{") {
		text = e.Name
	}
	if !definable(e.Code, e.Kind) {
		return "rpcerrors.Protocol(" + strconv.Itoa(e.Code) + ", " + quote(e.Kind) + ", " + strconv.Quote(text) + ")"
	}
	data := "struct{}"
	if e.Details != nil {
		expr, nullable := w.expr(e.Details, w.faults[e]+"Details")
		data = expr
		if nullable {
			data = "*" + expr
		}
	}
	return "rpcerrors.Define[" + data + "](" + strconv.Itoa(e.Code) + ", " + quote(e.Kind) + ", " + strconv.Quote(text) + ")"
}

// definable asks Define, which panics on what it refuses.
func definable(code int, kind string) (ok bool) {
	defer func() { ok = recover() == nil }()
	_ = rpcerrors.Define[struct{}](code, kind, "text")
	return true
}

//go:embed meta.txt
var meta string

//go:embed position.txt
var position string

// support writes what the methods share.
func (w *writer) support() {
	w.b.WriteString(meta)
	if w.uses[pkgReflect] {
		w.b.WriteString(position)
	}
}
