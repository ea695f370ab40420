package rpchttp

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/scan"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// reference is a parameter that is a string such as @FROM:1(items.0.sku): the
// answer of another call of the batch, or a part of it, takes its place.
// Without a parent it is text that was written @@FROM:, and loses one @.
type reference struct {
	start, end int // of the string in params, with its quotes
	text       string
	path       string
	parent     int
}

// literal is the parent of a reference that is text.
const literal = -1

// references are those of a batch.
type references struct {
	of      [][]reference // by member
	parents [][]int
	faults  []*rpcerrors.Error // by member: it cannot run
	depth   int
	room    budget // for answers to be read
}

// findReferences reads the references of all members; nil without any.
func findReferences(requests []jsonrpc.Request, depth int, most int64) *references {
	var refs *references
	var known names
	for i := range requests {
		found := referencesIn(requests[i].Params)
		if len(found) == 0 {
			continue
		}
		if refs == nil {
			n := len(requests)
			refs = &references{of: make([][]reference, n), parents: make([][]int, n), faults: make([]*rpcerrors.Error, n), depth: depth}
			refs.room.left.Store(most)
			known = namesOf(requests)
		}
		refs.of[i] = found
		refs.faults[i] = refs.link(i, known)
	}
	if refs != nil {
		refs.order()
	}
	return refs
}

// referencesIn lists the references among the parameters themselves; what
// lies deeper in them is data.
func referencesIn(params []byte) []reference {
	if bytes.IndexByte(params, '@') < 0 && !bytes.Contains(params, []byte(`\u0040`)) {
		return nil
	}
	var found []reference
	s := scan.Scanner{Src: params}
	look := func() error {
		if s.Peek() != '"' {
			return s.Skip(1)
		}
		start := s.Pos
		raw, escaped, err := s.Str()
		if escaped {
			raw = scan.Unquote(raw)
		}
		if at := bytes.TrimLeft(raw, "@"); len(at) < len(raw) && bytes.HasPrefix(at, []byte("FROM:")) {
			ref := reference{start: start, end: s.Pos, text: string(raw)}
			if len(raw)-len(at) > 1 {
				ref.parent = literal
			}
			found = append(found, ref)
		}
		return err
	}
	if s.Peek() == '[' {
		_ = s.Array(func(int) error { return look() }) // the envelope was checked
	} else {
		_ = s.Object(func(name []byte) error {
			if string(name) == "$rpc" { // no parameter
				return s.Skip(1)
			}
			return look()
		})
	}
	return found
}

// several stands for an id that more than one member has.
const several = -1

// names are what references can name.
type names struct {
	ids   map[string]int // 1 and "1" are alike
	later []bool         // by member: its answer is sent elsewhere
}

func namesOf(requests []jsonrpc.Request) names {
	n := names{ids: make(map[string]int, len(requests)), later: make([]bool, len(requests))}
	for i := range requests {
		id := requests[i].ID
		if len(id) == 0 || string(id) == "null" {
			continue
		}
		if id[0] == '"' {
			id = scan.Unquote(id[1 : len(id)-1])
		}
		n.later[i] = later(requests[i].Params)
		if _, taken := n.ids[string(id)]; taken {
			i = several
		}
		n.ids[string(id)] = i
	}
	return n
}

// link finds the parents of member i.
func (r *references) link(i int, known names) *rpcerrors.Error {
	for k := range r.of[i] {
		ref := &r.of[i][k]
		if ref.parent == literal {
			continue
		}
		id, path, ok := strings.Cut(strings.TrimPrefix(ref.text, "@FROM:"), "(")
		if ok {
			path, ok = strings.CutSuffix(path, ")")
		}
		if !ok {
			return ref.fault("is not complete: write @FROM:<id>(<path>), or @@FROM: for text that begins so.")
		}
		parent, found := known.ids[id]
		switch {
		case !found:
			return ref.fault("names no call of this batch.")
		case parent == several:
			return ref.fault("names more than one call of this batch.")
		case known.later[parent]:
			return ref.fault("names a call with a callback, whose answer is not in this batch.")
		}
		ref.parent, ref.path = parent, path
		if !slices.Contains(r.parents[i], parent) {
			r.parents[i] = append(r.parents[i], parent)
		}
	}
	return nil
}

// later reports whether the params ask for the answer to be sent elsewhere.
func later(params []byte) (callback bool) {
	s := scan.Scanner{Src: params}
	if s.Peek() != '{' {
		return false
	}
	_ = s.Object(func(name []byte) error {
		if string(name) != "$rpc" || s.Peek() != '{' {
			return s.Skip(1)
		}
		return s.Object(func(name []byte) error {
			callback = callback || string(name) == "callback"
			return s.Skip(2)
		})
	})
	return callback
}

// params puts the answers of its parents into the params of member i.
func (r *references) params(i int, params []byte, answer func(parent int) *rpc.Response) ([]byte, *rpcerrors.Error) {
	if r.faults[i] != nil || len(r.of[i]) == 0 {
		return params, r.faults[i]
	}
	out := make([]byte, 0, len(params))
	from := 0
	for k := range r.of[i] {
		ref := &r.of[i][k]
		value, fault := r.value(ref, params, answer)
		if fault != nil {
			return nil, fault
		}
		out = append(append(out, params[from:ref.start]...), value...)
		from = ref.end
	}
	return append(out, params[from:]...), nil
}

// value is the JSON that takes the place of ref.
func (r *references) value(ref *reference, params []byte, answer func(parent int) *rpc.Response) ([]byte, *rpcerrors.Error) {
	if ref.parent == literal {
		raw := params[ref.start+1 : ref.end]
		if raw[0] == '@' {
			raw = raw[1:]
		} else {
			raw = raw[len(`\u0040`):]
		}
		return append([]byte{'"'}, raw...), nil
	}
	result := answer(ref.parent).Bytes()
	switch {
	case result == nil:
		return nil, ref.fault("names a call that failed.")
	case !r.room.take(int64(len(result))):
		return nil, ref.fault("reads too much: the answers that a batch refers to are too large together.")
	}
	value, ok, missing := at(result, ref.path)
	if !ok {
		return nil, ref.fault("does not fit: the answer of that call has no " + short(missing) + " there.")
	}
	s := scan.Scanner{Src: value, MaxDepth: r.depth}
	if s.Skip(2) != nil { // in the request and its params
		return nil, ref.fault("brings objects and arrays that lie too deep in each other.")
	}
	return value, nil
}

// fault says what is wrong with a reference.
func (ref *reference) fault(what string) *rpcerrors.Error {
	return rpcerrors.Reference.New("The reference " + short(ref.text) + " " + what)
}

// maxShown is the most bytes of a caller's text that an error repeats.
const maxShown = 120

func short(text string) string {
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + "…"
	}
	return strconv.Quote(text)
}
