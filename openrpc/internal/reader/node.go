package reader

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is how deep the objects and arrays of a document may lie in each
// other.
const maxDepth = 200

// node is a value of the document, with the order of its members.
type node struct {
	at      jsontext.Pointer
	kind    jsontext.Kind
	raw     jsontext.Value // of what is no object and no array
	members []member
	items   []*node
}

type member struct {
	name  string
	value *node
}

// parse reads a whole text.
func parse(text []byte) (*node, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	root, err := parseValue(dec, "", 0)
	if err != nil {
		return nil, fmt.Errorf("openrpc: this is not JSON: %w", err)
	}
	if dec.PeekKind() != 0 {
		return nil, fmt.Errorf("openrpc: this is not JSON: there is more after the document, from byte %d on", dec.InputOffset())
	}
	return root, nil
}

func parseValue(dec *jsontext.Decoder, at jsontext.Pointer, depth int) (*node, error) {
	n := &node{at: at, kind: dec.PeekKind()}
	if depth > maxDepth {
		return nil, n.fault("lies too deep: %d objects and arrays in each other are the most", maxDepth)
	}
	if n.kind != '{' && n.kind != '[' {
		raw, err := dec.ReadValue()
		n.raw = raw.Clone()
		if n.kind == 't' || n.kind == 'f' {
			n.kind = 't'
		}
		return n, err
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	for i := 0; dec.PeekKind() != '}' && dec.PeekKind() != ']'; i++ {
		name := strconv.Itoa(i)
		if n.kind == '{' {
			token, err := dec.ReadToken()
			if err != nil {
				return nil, err
			}
			name = token.String()
		}
		value, err := parseValue(dec, at.AppendToken(name), depth+1)
		if err != nil {
			return nil, err
		}
		if n.kind == '{' {
			n.members = append(n.members, member{name, value})
		} else {
			n.items = append(n.items, value)
		}
	}
	_, err := dec.ReadToken()
	return n, err
}

// fault says what is wrong at n.
func (n *node) fault(format string, args ...any) error {
	at := "the document"
	if n.at != "" {
		at = "#" + string(n.at)
		if len(at) > 200 {
			at = strings.ToValidUTF8(at[:200], "") + "…"
		}
	}
	return fmt.Errorf("openrpc: %s "+format, append([]any{at}, args...)...)
}

// get is a member of n, nil without one.
func (n *node) get(name string) *node {
	if n == nil {
		return nil
	}
	for _, m := range n.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// text is a member that is a string, "" without one.
func (n *node) text(name string) (string, error) {
	m := n.get(name)
	if m == nil {
		return "", nil
	}
	if m.kind != '"' {
		return "", m.fault("is not a string")
	}
	return m.string(), nil
}

// string is the value of a node that is a string.
func (n *node) string() string {
	text, _ := jsontext.AppendUnquote(nil, n.raw) // it was read as JSON
	return string(text)
}

// object is a member that is an object, nil without one.
func (n *node) object(name string) (*node, error) {
	m := n.get(name)
	if m != nil && m.kind != '{' {
		return nil, m.fault("is not an object")
	}
	return m, nil
}

// array is the items of a member, nil without one.
func (n *node) array(name string) ([]*node, error) {
	m := n.get(name)
	if m == nil {
		return nil, nil
	}
	if m.kind != '[' {
		return nil, m.fault("is not an array")
	}
	return m.items, nil
}

// strings is a member that is an array of strings.
func (n *node) strings(name string) ([]string, error) {
	items, err := n.array(name)
	if err != nil {
		return nil, err
	}
	out := make([]string, 0, len(items))
	for _, item := range items {
		if item.kind != '"' {
			return nil, item.fault("is not a string")
		}
		out = append(out, item.string())
	}
	return out, nil
}

// is reports whether a member is true.
func (n *node) is(name string) bool {
	m := n.get(name)
	return m != nil && string(m.raw) == "true"
}

// whole is a member that is a whole number.
func (n *node) whole(name string) (int, bool) {
	m := n.get(name)
	if m == nil {
		return 0, false
	}
	v, err := strconv.Atoi(string(m.raw))
	return v, err == nil
}

// find is what a pointer below n means, nil if nothing.
func (n *node) find(pointer string) *node {
	for part := range jsontext.Pointer(pointer).Tokens() {
		if n.kind == '[' {
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(n.items) {
				return nil
			}
			n = n.items[i]
		} else if n = n.get(part); n == nil {
			return nil
		}
	}
	return n
}

// value is n as JSON.
func (n *node) value() jsontext.Value {
	var b bytes.Buffer
	n.write(&b)
	return b.Bytes()
}

func (n *node) write(b *bytes.Buffer) {
	switch n.kind {
	case '{':
		for i, m := range n.members {
			b.WriteString([]string{"{", ","}[min(i, 1)] + Quoted(m.name) + ":")
			m.value.write(b)
		}
		b.WriteString([]string{"{}", "}"}[min(len(n.members), 1)])
	case '[':
		for i, item := range n.items {
			b.WriteString([]string{"[", ","}[min(i, 1)])
			item.write(b)
		}
		b.WriteString([]string{"[]", "]"}[min(len(n.items), 1)])
	default:
		b.Write(n.raw)
	}
}
