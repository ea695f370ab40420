package errors

import (
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// Declared is a kind of error that a caller may see: a [Kind] or a
// [Definition]. It is an error itself, so that errors.Is(err, OutOfStock)
// works; returning it bare is allowed and means "no data".
type Declared interface {
	error
	// Code is the number on the wire.
	Code() int
	// Name is the stable name on the wire, data.exception.
	Name() string
	// Text is the English text, a template over the data.
	Text() string
	// DataType is the type of data.details, nil without data.
	DataType() reflect.Type

	declared() *declaration
}

// declaration is what makes two errors the same kind.
type declaration struct {
	code     int
	kind     string
	text     string
	data     reflect.Type
	protocol bool // the data of its errors is written as it stands
	render   func(data any) string
}

func (d *declaration) Code() int              { return d.code }
func (d *declaration) Name() string           { return d.kind }
func (d *declaration) Text() string           { return d.text }
func (d *declaration) DataType() reflect.Type { return d.data }
func (d *declaration) Error() string          { return d.text }
func (d *declaration) declared() *declaration { return d }

// action is a part of a text that waits for data.
var action = regexp.MustCompile(`\{\{[^}]*\}\}`)

// bare is the text of an error that has no data to put into it.
func (d *declaration) bare() string {
	if d.render == nil {
		return d.text
	}
	return action.ReplaceAllString(d.text, "…")
}

// Kind is an error kind whose text is given where it is returned.
type Kind struct{ *declaration }

// New makes an error of this kind; callers see message. An empty message
// means the kind's own text.
func (k *Kind) New(message string) *Error { return k.make(nil, message) }

// Wrap is New with a cause that goes to the log and never to a caller.
func (k *Kind) Wrap(cause error, message string) *Error { return k.make(cause, message) }

// Invalid is New with what is wrong with the parameters. The message tells
// the first of it: many programs, agents among them, read nothing else.
func (k *Kind) Invalid(violations []Violation) *Error {
	e := k.make(nil, summary(k.text, violations))
	e.violations = violations
	return e
}

func summary(text string, violations []Violation) string {
	if len(violations) == 0 {
		return text
	}
	first := &violations[0]
	s := strings.TrimSuffix(text, ".") + ": "
	if first.Pointer != "" {
		s += first.Pointer + " "
	}
	s += first.Message
	if more := len(violations) - 1; more > 0 {
		s += " (and " + strconv.Itoa(more) + " more)"
	}
	return s + "."
}

// With is New with data. The data of a [Protocol] kind is the whole of
// error.data on the wire, of any other kind it is data.details.
func (k *Kind) With(message string, data any) *Error {
	e := k.make(nil, message)
	e.details = data
	return e
}

func (k *Kind) make(cause error, message string) *Error {
	if message == "" {
		message = k.text
	}
	return &Error{kind: k.declaration, message: message, cause: cause, pc: caller(4)}
}

// Protocol declares a kind of a wire protocol with a code of the reserved
// range, for edges. Applications use [Define].
func Protocol(code int, kind, text string) *Kind {
	return &Kind{&declaration{code: code, kind: kind, text: text, protocol: true}}
}

// caller is the program counter of the function skip frames up.
func caller(skip int) uintptr {
	var pc [1]uintptr
	runtime.Callers(skip, pc[:])
	return pc[0]
}
