package errors

import (
	stderrors "errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"text/template"

	"github.com/go-json-experiment/json"
)

var kindName = regexp.MustCompile(`^[A-Z][A-Za-z0-9]{0,63}$`)

// Definition is an error kind with data of type D.
type Definition[D any] struct{ *declaration }

// Define declares an error of the application. The code is outside the range
// that JSON-RPC reserves (-32768 to -32000), kind is a name like OutOfStock
// that stays the same for ever, text is what people read, with fields of D as
// {{.Left}}. D is struct{} for an error without data.
//
// Define panics when one of them is wrong: it runs while the program starts.
func Define[D any](code int, kind, text string) *Definition[D] {
	at := fmt.Sprintf("facet: errors.Define(%d, %q): ", code, kind)
	if reserved(code) {
		panic(at + "the codes from -32768 to -32000 belong to JSON-RPC; take another, such as 1001")
	}
	if !kindName.MatchString(kind) {
		panic(at + "a kind is a name like OutOfStock: a capital, then letters and digits, 64 at most")
	}
	if builtins[kind] {
		panic(at + "this kind is one of Facet's own; take another name")
	}
	if strings.TrimSpace(text) == "" {
		panic(at + "the text is empty; say what went wrong in a sentence")
	}
	var zero D
	tmpl, err := template.New(kind).Option("missingkey=error").Parse(text)
	if err == nil {
		err = tmpl.Execute(new(strings.Builder), zero)
	}
	if err != nil {
		panic(at + "the text does not fit the data: " + err.Error())
	}
	d := &declaration{code: code, kind: kind, text: text, render: renderer(tmpl, text)}
	if t := reflect.TypeFor[D](); t != reflect.TypeFor[struct{}]() {
		d.data = t
		if _, err := json.Marshal(zero); err != nil {
			panic(at + "the data cannot be written as JSON: " + err.Error())
		}
	}
	return &Definition[D]{d}
}

func renderer(tmpl *template.Template, text string) func(any) string {
	if !strings.Contains(text, "{{") {
		return func(any) string { return text }
	}
	return func(data any) string {
		var b strings.Builder
		if err := tmpl.Execute(&b, data); err != nil {
			return text
		}
		return b.String()
	}
}

// New makes an error with data.
func (d *Definition[D]) New(data D) *Error { return d.make(nil, data) }

// Wrap is New with a cause that goes to the log and never to a caller.
func (d *Definition[D]) Wrap(cause error, data D) *Error { return d.make(cause, data) }

func (d *Definition[D]) make(cause error, data D) *Error {
	e := &Error{kind: d.declaration, message: d.render(data), cause: cause, pc: caller(4)}
	if d.data != nil {
		e.details = data
	}
	return e
}

// Data is the data of err, if err is or wraps an error of this kind, made
// here or received by the Go client.
func (d *Definition[D]) Data(err error) (data D, ok bool) {
	e := find(err)
	if e == nil || !e.Is(d) {
		return data, false
	}
	if v, ok := e.details.(D); ok {
		return v, true
	}
	if e.received != nil && json.Unmarshal(e.received, &data) == nil {
		return data, true
	}
	return data, false
}

// find is the first *Error in the chain of err, nil without one.
func find(err error) *Error {
	var e *Error
	if stderrors.As(err, &e) {
		return e
	}
	return nil
}
