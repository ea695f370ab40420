package result

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// options are those of the whole package: without and with durations, which
// cost a look-up for every value.
func options() (plain, all json.Options) {
	plain = json.JoinOptions(json.Deterministic(true), jsontext.PreserveRawStrings(true))
	all = json.JoinOptions(plain, json.WithMarshalers(json.MarshalFunc(func(d time.Duration) ([]byte, error) {
		return []byte(`"` + d.String() + `"`), nil
	})))
	return plain, all
}

// writer lets json/v2 append to a slice.
type writer struct {
	buffer  bytes.Buffer
	encoder jsontext.Encoder
}

// maxKept bounds the memory of a result, in bytes, that an idle writer may keep
// from being collected.
const maxKept = 64 << 10

// append leaves w unusable when the type's own encoder panics.
func (w *writer) append(b []byte, value any, options json.Options) ([]byte, error) {
	w.buffer = *bytes.NewBuffer(b)
	w.encoder.Reset(&w.buffer, options)
	err := json.MarshalEncode(&w.encoder, value)
	out := bytes.TrimSuffix(w.buffer.Bytes(), []byte("\n"))
	w.buffer = bytes.Buffer{}
	if cap(out) > maxKept {
		w.encoder.Reset(io.Discard) // the encoder knows the memory of out, too
	}
	return out, err
}

// foreign lets json/v2 write v. It refuses invalid UTF-8, which is how we
// notice it; a second run then lets it pass.
func (p *Plan) foreign(b []byte, v reflect.Value, s *state) ([]byte, *fault) {
	w, ok := p.compiler.writers.Get().(*writer)
	if !ok {
		w = new(writer)
	}
	value := address(v)
	out, err := w.append(b, value, p.options)
	if err != nil && invalidUTF8(err) {
		s.repaired = true
		out, err = w.append(b, value, json.JoinOptions(p.options, jsontext.AllowInvalidUTF8(true)))
		if err == nil && !utf8.Valid(out[len(b):]) { // raw JSON passes as it is
			out = append(out[:len(b)], repair(string(out[len(b):]))...)
		}
	}
	p.compiler.writers.Put(w) // not after a panic
	if err != nil {
		return b, failed(err)
	}
	return out, nil
}

// invalidUTF8 reports whether err is, or holds, json/v2's complaint about
// invalid UTF-8, which has no exported name.
func invalidUTF8(err error) bool {
	_, complaint := jsontext.AppendQuote(nil, "\xff")
	return errors.Is(err, errors.Unwrap(complaint))
}
