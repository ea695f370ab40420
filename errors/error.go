package errors

import (
	stderrors "errors"
	"fmt"
	"reflect"
	"strings"
	"text/template"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Error is an error that a caller may see. Make one with a [Kind] or a
// [Definition]; functions return it as error.
type Error struct {
	kind       *declaration
	message    string
	details    any
	received   jsontext.Value // details as the client read them
	violations []Violation
	debug      *Debug
	cause      error
	pc         uintptr
}

// Violation is one thing that is wrong with the parameters of a call.
type Violation struct {
	// Pointer says where: a JSON pointer (RFC 6901) into params, in the names
	// of the wire, also for params by position. Empty: params as a whole.
	Pointer string `json:"pointer"`
	// Rule is what is broken: required, unknown, duplicate, null, type, range,
	// format, count or the name of a validate rule such as max.
	Rule string `json:"rule"`
	// Param is the rule's own parameter, such as 100 for max=100.
	Param string `json:"param,omitzero"`
	// Message says it to people, in the language of the call.
	Message string `json:"message"`
	// Unit is what the rule counts, for translations: character, item, member
	// or, for a length that cannot vary, length. Empty: nothing is counted. It
	// is not sent.
	Unit string `json:"-"`
}

// Debug is what error.data shows besides in development and tests.
type Debug struct {
	Message string // of the cause
	File    string // where the error was made, else where the method stands
	Line    int
	Trace   []string // a panic's stack, else the wrapped chain, outermost first
}

// Error is the text a caller sees.
func (e *Error) Error() string {
	if e == nil {
		return "nil *errors.Error"
	}
	return e.message
}

// Code is the number on the wire.
func (e *Error) Code() int { return e.kind.code }

// Kind is the stable name on the wire, data.exception.
func (e *Error) Kind() string { return e.kind.kind }

// Violations is what is wrong with the parameters, for [InvalidParams].
func (e *Error) Violations() []Violation { return e.violations }

// Details is the application's data, nil without; see [Definition.Data].
func (e *Error) Details() any { return e.details }

// Unwrap is the cause, which never leaves the process.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.cause
}

// PC is where the error was made, 0 if unknown.
func (e *Error) PC() uintptr { return e.pc }

// Is reports whether target is the kind of e, so that
// errors.Is(err, OutOfStock) works. An error read by the client is of a kind
// when code and name are the same.
func (e *Error) Is(target error) bool {
	d, ok := target.(Declared)
	if e == nil || !ok || isNil(target) || d.declared() == nil {
		return false
	}
	k := d.declared()
	return e.kind == k || e.kind.code == k.code && e.kind.kind == k.kind
}

// WithDebug is a copy of e that shows d in its data.
func (e *Error) WithDebug(d Debug) *Error {
	c := *e
	c.debug = &d
	return &c
}

// WithMessage is a copy of e with another text, a translation.
func (e *Error) WithMessage(message string) *Error {
	c := *e
	c.message = message
	return &c
}

// WithViolations is a copy of e with other violations, translated ones.
func (e *Error) WithViolations(violations []Violation) *Error {
	c := *e
	c.violations = violations
	return &c
}

// From finds the public error in the chain of err: the first [*Error], a
// bare [Declared], otherwise an [Internal] error that hides err. It is nil
// only for nil: a nil pointer in err, such as an *Error returned as error, is
// a mistake of the method and Internal.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	if isNil(err) {
		return hide(fmt.Errorf("a nil %T was returned as an error", err))
	}
	if e := find(err); e != nil {
		return e
	}
	var d Declared
	if stderrors.As(err, &d) && !isNil(d) && d.declared() != nil {
		k := d.declared()
		return &Error{kind: k, message: k.bare(), cause: err}
	}
	return hide(err)
}

// hide is an internal error with a cause that only the log sees.
func hide(cause error) *Error {
	return &Error{kind: Internal.declaration, message: Internal.text, cause: cause}
}

// isNil reports whether err is a nil pointer, which is not a nil error.
func isNil(err error) bool {
	v := reflect.ValueOf(err)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// Received rebuilds an error from the wire: code, message and error.data.
func Received(code int, message string, data []byte) *Error {
	var d struct {
		Exception  string         `json:"exception"`
		Message    string         `json:"message"`
		Violations []Violation    `json:"violations"`
		Details    jsontext.Value `json:"details"`
	}
	_ = json.Unmarshal(data, &d) // another server's data may have any shape
	return &Error{
		kind:    &declaration{code: code, kind: d.Exception, text: message},
		message: message, violations: d.Violations, received: d.Details,
	}
}

// Localize is a copy of e with its text made from a translation, which is a
// template over the data as the declared text is. A text that was given where
// the error was made stays.
func (e *Error) Localize(text string) *Error {
	if e.message != e.kind.text && e.kind.render == nil {
		return e
	}
	if e.kind.render == nil {
		return e.WithMessage(text)
	}
	tmpl, err := template.New(e.kind.kind).Option("missingkey=error").Parse(text)
	if err != nil {
		return e
	}
	var b strings.Builder
	if tmpl.Execute(&b, e.details) != nil {
		return e
	}
	return e.WithMessage(b.String())
}
