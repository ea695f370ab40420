package goclient

import (
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
		for len(w.later) > 0 {
			next := w.later[0]
			w.later = w.later[1:]
			next()
		}
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
	rpcerrors.Define[struct{}](code, kind, "text")
	return true
}

// support writes what the methods share.
func (w *writer) support() {
	w.line(`
// Meta is what a Facet server is told about a call, in $rpc. The zero value of
// a field says nothing.
type Meta struct {
	// Timeout is after how many seconds the server gives up.
	Timeout float64 ` + "`json:\"timeout,omitzero\"`" + `
	// RayID is the id that logs, events and traces of the server show.
	RayID string ` + "`json:\"rayId,omitempty\"`" + `
	// IdempotencyKey answers the first result again when it comes again.
	IdempotencyKey string ` + "`json:\"idempotencyKey,omitempty\"`" + `
	// IgnoreCache wants no answer from the cache.
	IgnoreCache bool ` + "`json:\"ignoreCache,omitzero\"`" + `
}

// with adds the last meta to params.
func with[P any](params P, meta []Meta) any {
	if len(meta) == 0 {
		return params
	}
	return struct {
		Params P    ` + "`json:\",embed\"`" + `
		Meta   Meta ` + "`json:\"$rpc\"`" + `
	}{params, meta[len(meta)-1]}
}`)
	if w.uses[pkgReflect] {
		w.line(`
// byPosition is params as a list, without optional ones at the end that are
// not set.
func byPosition(required int, params ...any) []any {
	for len(params) > required && reflect.ValueOf(params[len(params)-1]).IsZero() {
		params = params[:len(params)-1]
	}
	return params
}`)
	}
}
