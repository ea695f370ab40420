package result

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// fault is why a result cannot be sent, and where it is.
type fault struct {
	text  string // what the value is, such as "is NaN"
	cause error
	below string   // JSON pointer from the place where names end
	names []string // members and indexes on the way, the innermost first
}

// maxPointer bounds the pointer in a message, in bytes: that of a value which
// holds itself has a thousand names.
const maxPointer = 200

// Error is "result at /items/3/price is NaN".
func (f *fault) Error() string {
	var b strings.Builder
	b.WriteString("result ")
	if at := f.pointer(); at != "" {
		b.WriteString("at " + at + " ")
	}
	b.WriteString(f.text)
	if f.cause != nil {
		b.WriteString(": " + f.cause.Error())
	}
	return b.String()
}

// Unwrap is what the type's own encoder returned, or nil.
func (f *fault) Unwrap() error { return f.cause }

func (f *fault) pointer() string {
	var p jsontext.Pointer
	for _, name := range slices.Backward(f.names) {
		p = p.AppendToken(name)
		if len(p) > maxPointer {
			break
		}
	}
	at := string(p) + f.below
	if len(at) > maxPointer {
		return strings.ToValidUTF8(at[:maxPointer], "") + "…"
	}
	return at
}

// in says that the value is the member or element called name.
func (f *fault) in(name string) *fault {
	f.names = append(f.names, name)
	return f
}

// failed is the fault of a type that could not encode itself; nil without err.
func failed(err error) *fault {
	if err == nil {
		return nil
	}
	f := &fault{text: "cannot be encoded", cause: err}
	for { // the text of a SemanticError names the Go type
		semantic, ok := f.cause.(*json.SemanticError)
		if !ok {
			break
		}
		f.below += string(semantic.JSONPointer)
		if f.cause = semantic.Err; f.cause == nil {
			f.text = "is of a type that has no form in JSON"
		}
	}
	return f
}
