package errors_test

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// received sends e over the wire and reads it as the client does.
func received(t *testing.T, e *rpcerrors.Error) *rpcerrors.Error {
	t.Helper()
	var wire struct {
		Code    int            `json:"code"`
		Message string         `json:"message"`
		Data    jsontext.Value `json:"data"`
	}
	if err := json.Unmarshal(e.AppendJSON(nil), &wire); err != nil {
		t.Fatal(err)
	}
	return rpcerrors.Received(wire.Code, wire.Message, wire.Data)
}

// errors.Is, errors.As and Data work through wrapping, on the server and on
// what a client received.
func TestIsAndData(t *testing.T) { // R-C04
	made := outOfStock.New(left{"tea", 2})
	for name, err := range map[string]error{
		"made": made, "wrapped": fmt.Errorf("buy: %w", made), "joined": errors.Join(io.EOF, made), "received": received(t, made), "received, wrapped": fmt.Errorf("call: %w", received(t, made)),
	} {
		if !errors.Is(err, outOfStock) || errors.Is(err, rpcerrors.NotFound) || errors.Is(err, rpcerrors.Define[left](1001, "Other", "Other.")) || errors.Is(err, rpcerrors.Define[left](1002, "OutOfStock", "Other.")) {
			t.Errorf("%s: Is is wrong", name)
		}
		var e *rpcerrors.Error
		if !errors.As(err, &e) || e.Code() != 1001 || e.Kind() != "OutOfStock" || e.Error() != "Only 2 of tea left." {
			t.Errorf("%s: got %+v", name, e)
		}
		if data, ok := outOfStock.Data(err); !ok || data != (left{"tea", 2}) {
			t.Errorf("%s: got %+v, %v", name, data, ok)
		}
	}
	// The same declaration in another program.
	if !errors.Is(made, rpcerrors.Define[struct{}](1001, "OutOfStock", "Sold out.")) {
		t.Error("code and name are the kind")
	}
	for _, err := range []error{nil, io.EOF, rpcerrors.NotFound.New("x"), outOfStock, rpcerrors.Received(1001, "x", []byte(`{"exception":"OutOfStock"}`)), rpcerrors.Received(1001, "x", []byte(`{"exception":"OutOfStock","details":[1]}`))} {
		if data, ok := outOfStock.Data(err); ok || data != (left{}) {
			t.Errorf("%v has data %+v", err, data)
		}
	}
	if !errors.Is(received(t, rpcerrors.Timeout.New("")), rpcerrors.Timeout) || errors.Is(received(t, rpcerrors.Locked.New("")), rpcerrors.Logic) {
		t.Error("ready kinds are known by the client too")
	}
}

func TestKindsMakeErrors(t *testing.T) {
	if e := rpcerrors.NotFound.New(""); e.Error() != "Not found." || e.Code() != -32404 || e.Details() != nil || e.Violations() != nil {
		t.Errorf("got %+v", e)
	}
	if e := rpcerrors.Custom.With("No.", 5); e.Error() != "No." || e.Details() != 5 {
		t.Errorf("got %+v", e)
	}
	bad := []rpcerrors.Violation{{Pointer: "/a", Rule: "required", Message: "is required"}}
	if e := rpcerrors.InvalidParams.Invalid(bad); e.Error() != "Invalid params: /a is required." || !reflect.DeepEqual(e.Violations(), bad) {
		t.Errorf("got %+v", e)
	}
	e := rpcerrors.Runtime.Wrap(io.ErrUnexpectedEOF, "The file ends.")
	if !errors.Is(e, io.ErrUnexpectedEOF) || e.Unwrap() != io.ErrUnexpectedEOF || !errors.Is(e, rpcerrors.Runtime) {
		t.Errorf("got %+v", e)
	}
	plain := rpcerrors.Define[struct{}](7, "Plain", "Just text.")
	if e := plain.New(struct{}{}); e.Error() != "Just text." || e.Details() != nil {
		t.Errorf("got %+v", e)
	}
}

// An error knows the line that made it.
func TestPC(t *testing.T) { // R-C04
	_, file, line, _ := runtime.Caller(0)
	for i, e := range []*rpcerrors.Error{
		outOfStock.New(left{}),
		outOfStock.Wrap(io.EOF, left{}),
		rpcerrors.NotFound.New("x"),
		rpcerrors.NotFound.Wrap(io.EOF, "x"),
		rpcerrors.NotFound.With("x", 1),
		rpcerrors.InvalidParams.Invalid(nil),
	} {
		frame, _ := runtime.CallersFrames([]uintptr{e.PC()}).Next()
		if frame.File != file || frame.Line != line+2+i {
			t.Errorf("%d: made at %s:%d, want %s:%d", i, frame.File, frame.Line, file, line+2+i)
		}
	}
	if rpcerrors.From(io.EOF).PC() != 0 {
		t.Error("nobody knows where a plain error was made")
	}
}

type typed struct{}

func (*typed) Error() string { panic("called on nil") }

func TestFrom(t *testing.T) { // R-C03 R-C04
	var nilError *rpcerrors.Error
	var nilKind *rpcerrors.Kind
	var nilDefinition *rpcerrors.Definition[left]
	made := outOfStock.New(left{"tea", 2})
	for _, c := range []struct {
		name  string
		err   error
		kind  string
		cause string
	}{
		{"made", made, "OutOfStock", ""},
		{"wrapped", fmt.Errorf("a: %w", fmt.Errorf("b: %w", made)), "OutOfStock", ""},
		{"the first of two", fmt.Errorf("%w, %w", rpcerrors.NotFound.New("x"), made), "NotFound", ""},
		{"the outer of two", rpcerrors.Logic.Wrap(made, "x"), "Logic", "Only 2 of tea left."},
		{"bare", outOfStock, "OutOfStock", "Only {{.Left}} of {{.SKU}} left."},
		{"bare, wrapped", fmt.Errorf("a: %w", rpcerrors.NotFound), "NotFound", "a: Not found."},
		{"plain", io.EOF, "Internal", "EOF"},
		{"a nil *Error", nilError, "Internal", "a nil *errors.Error was returned as an error"},
		{"a nil *Error, wrapped", fmt.Errorf("a: %w", nilError), "Internal", "a: nil *errors.Error"},
		{"a nil *Kind", nilKind, "Internal", "a nil *errors.Kind was returned as an error"},
		{"a nil *Kind, wrapped", fmt.Errorf("a: %w", nilKind), "Internal", "a: <nil>"},
		{"a nil Definition", nilDefinition, "Internal", "a nil *errors.Definition[github.com/facet-rpc/facet/errors_test.left] was returned as an error"},
		{"an empty Kind", &rpcerrors.Kind{}, "Internal", ""},
		{"nil of another type", (*typed)(nil), "Internal", "a nil *errors_test.typed was returned as an error"},
	} {
		e := rpcerrors.From(c.err)
		if e.Kind() != c.kind {
			t.Errorf("%s: kind %s, want %s", c.name, e.Kind(), c.kind)
		}
		if c.cause != "" && (e.Unwrap() == nil || e.Unwrap().Error() != c.cause) {
			t.Errorf("%s: the cause is %v", c.name, e.Unwrap())
		}
		if text := string(e.AppendJSON(nil)); c.kind == "Internal" && text != `{"code":-32603,"message":"Internal error.","data":{"exception":"Internal"}}` {
			t.Errorf("%s: %s", c.name, text)
		}
	}
	if rpcerrors.From(nil) != nil {
		t.Error("nil is no error")
	}
	if errors.Is(nilError, rpcerrors.NotFound) || errors.Is(made, nilKind) || errors.Is(made, &rpcerrors.Kind{}) || nilError.Unwrap() != nil || nilError.Error() == "" {
		t.Error("a nil *Error is of no kind, and nothing is of a nil kind")
	}
}

// A declared error returned bare has no data: its text shows no template.
func TestBareText(t *testing.T) {
	if got := rpcerrors.From(outOfStock).Error(); got != "Only … of … left." {
		t.Errorf("got %q", got)
	}
	braces := rpcerrors.Define[struct{}](7, "Braces", "Use } and {.")
	if got := rpcerrors.From(braces).Error(); got != "Use } and {." {
		t.Errorf("got %q", got)
	}
}

// A translation is a template over the data, as the declared text is; a text
// that was given where the error was made is nobody's to translate.
func TestLocalize(t *testing.T) { // R-I04
	made := outOfStock.New(left{"tea", 2})
	for _, c := range []struct {
		err        *rpcerrors.Error
		text, want string
	}{
		{made, "Лишилося {{.Left}} ({{.SKU}}).", "Лишилося 2 (tea)."},
		{made, "Лишилося {{.Left.", "Only 2 of tea left."},
		{made, "Лишилося {{.Lost}}.", "Only 2 of tea left."},
		{rpcerrors.From(outOfStock), "Лишилося {{.Left}}.", "Only … of … left."},
		{rpcerrors.Timeout.New(""), "Задовго.", "Задовго."},
		{rpcerrors.NotFound.New("No such tea."), "Не знайдено.", "No such tea."},
	} {
		got := c.err.Localize(c.text)
		if got.Error() != c.want || got.Code() != c.err.Code() {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
	if made.Error() != "Only 2 of tea left." {
		t.Error("the original changed")
	}
}

// Copies leave the original as it was: one error may be sent twice.
func TestCopies(t *testing.T) {
	e := outOfStock.New(left{"tea", 2})
	before := string(e.AppendJSON(nil))
	e.WithDebug(rpcerrors.Debug{Message: "m"})
	other := e.WithMessage("Лише 2.").WithDebug(rpcerrors.Debug{Message: "m"})
	if string(e.AppendJSON(nil)) != before || other.Error() != "Лише 2." || !errors.Is(other, outOfStock) {
		t.Errorf("got %s and %s", e.AppendJSON(nil), other.AppendJSON(nil))
	}
}

// Another server's data may have any shape.
func TestReceivedAnything(t *testing.T) {
	for _, data := range []string{``, `null`, `5`, `"text"`, `[1]`, `{}`, `{"exception":5}`, `{"violations":"x","exception":"K"}`, `{"details":`, "\xff", strings.Repeat("[", 100_000)} {
		e := rpcerrors.Received(-32000, "Other.", []byte(data))
		if e.Code() != -32000 || e.Error() != "Other." {
			t.Errorf("%.50s: got %+v", data, e)
		}
		if text := e.AppendJSON(nil); !jsontext.Value(text).IsValid() {
			t.Errorf("%.50s: wrote %.200s", data, text)
		}
	}
}
