package client

import (
	"bytes"
	stderrors "errors"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Ref stands for the result of another call of a batch, or for what lies in
// it: the server puts the value, which should be a T, in its place. It can be a
// parameter of a later call of the same batch, but not lie in one; so it is a
// value of a map or slice of params, or a field of a struct of params.
//
// Only clients with [Options.References] send references.
type Ref[T any] struct {
	batch *Batch
	id    int
	path  string
}

// Ref is the result of the call as a parameter of another one of the batch.
func (p *Pending[R]) Ref() Ref[R] { return Ref[R]{batch: p.batch, id: p.id} }

// Source is a [Ref] of any type, also one in a generated struct.
type Source interface{ source() Ref[any] }

func (r Ref[T]) source() Ref[any] { return Ref[any](r) }

// At is what lies in of at a path: names of members and indexes of elements,
// dots between, such as "items.0.sku". Names that have a dot cannot be in it.
// That there is a T, only the server sees: if there is not, the call that has
// the parameter fails with rpcerrors.Reference or rpcerrors.InvalidParams.
func At[T any](of Source, path string) Ref[T] {
	r := Ref[T](of.source())
	if r.path != "" && path != "" {
		r.path += "."
	}
	r.path += path
	return r
}

// As is of where another type belongs, such as one with the same members. Only
// the server checks whether the value fits.
func As[T any](of Source) Ref[T] { return At[T](of, "") }

// Param is a parameter: a [Ref] or a [Value] of type T. nil is none.
type Param[T any] interface{ param(T) }

func (Ref[T]) param(T) {}

// Value is v as a parameter beside others that are references.
func Value[T any](v T) Param[T] { return literal[T]{v} }

type literal[T any] struct{ value T }

func (literal[T]) param(T) {}

// MarshalJSONTo writes the value.
func (l literal[T]) MarshalJSONTo(enc *jsontext.Encoder) error {
	return json.MarshalEncode(enc, l.value)
}

var (
	errRefAlone = stderrors.New("a Ref is only for params in a batch of a client with Options.References")
	errRefOther = stderrors.New("the Ref is of no call of this batch; take it from a Pending of the same batch")
	errRefDeep  = stderrors.New("the Ref lies inside a parameter; only a whole parameter can be one")
)

// MarshalJSON fails: where a Ref can be, the batch writes it.
func (Ref[T]) MarshalJSON() ([]byte, error) { return nil, errRefAlone }

// params encodes parameters that may have references, and marks text that
// looks like one.
func (b *Batch) params(v any) ([]byte, error) {
	if !b.client.references {
		return b.client.params(v)
	}
	written := map[int64]bool{} // where references end
	refs := json.MarshalToFunc(func(enc *jsontext.Encoder, s Source) error {
		r := s.source()
		switch {
		case r.batch != b:
			return errRefOther
		case enc.StackDepth() > 1:
			return errRefDeep
		}
		err := enc.WriteToken(jsontext.String("@FROM:" + strconv.Itoa(r.id) + "(" + r.path + ")"))
		written[enc.OutputOffset()] = true
		return err
	})
	raw, err := encodeParams(v, encodeOptions(refs))
	if err != nil || raw == nil {
		return nil, err
	}
	return markText(raw, written), nil
}

// markText puts one more @ before each parameter that is text such as
// @FROM:1(): the server takes it away. written are the ends of references.
func markText(raw []byte, written map[int64]bool) []byte {
	if !bytes.Contains(raw, []byte("FROM:")) && !bytes.ContainsRune(raw, '\\') {
		return raw
	}
	var out []byte
	copied := 0
	dec := jsontext.NewDecoder(bytes.NewReader(raw))
	begin, err := dec.ReadToken()
	for err == nil && dec.PeekKind() != '}' && dec.PeekKind() != ']' {
		if begin.Kind() == '{' {
			err = dec.SkipValue() // the name
		}
		var value jsontext.Value
		if err == nil {
			value, err = dec.ReadValue()
		}
		if end := dec.InputOffset(); err == nil && !written[end] && looksLikeReference(value) {
			inside := int(end) - len(value) + len(`"`)
			out = append(append(out, raw[copied:inside]...), '@')
			copied = inside
		}
	}
	return append(out, raw[copied:]...) // no error: raw was just encoded
}

// looksLikeReference reports whether a string begins with @FROM:, or with more
// than one @ before it.
func looksLikeReference(value jsontext.Value) bool {
	if value.Kind() != '"' {
		return false
	}
	text, err := jsontext.AppendUnquote(nil, value)
	rest := bytes.TrimLeft(text, "@")
	return err == nil && len(rest) < len(text) && bytes.HasPrefix(rest, []byte("FROM:"))
}
