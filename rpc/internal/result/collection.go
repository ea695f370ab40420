package result

import (
	"encoding"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

func (p *Plan) appendArray(b []byte, v reflect.Value, s *state) ([]byte, *fault) {
	n := v.Len()
	if n == 0 {
		return append(b, "[]"...), nil
	}
	if s.depth++; s.depth > maxDepth {
		return b, &fault{text: tooDeep}
	}
	start := len(b)
	for i := range n {
		b = append(b, ',')
		var err *fault
		if b, err = p.elem.append(b, v.Index(i), s); err != nil {
			return b, err.in(strconv.Itoa(i))
		}
	}
	s.depth--
	b[start] = '['
	return append(b, ']'), nil
}

// entry is a member of a map.
type entry struct {
	name  string
	value int // its place in a slice of the values
}

// appendMap writes the members in the order of their names, byte by byte.
func (p *Plan) appendMap(b []byte, v reflect.Value, s *state) ([]byte, *fault) {
	n := v.Len()
	if n == 0 {
		return append(b, "{}"...), nil
	}
	if s.depth++; s.depth > maxDepth {
		return b, &fault{text: tooDeep}
	}
	entries := make([]entry, 0, n)
	values := reflect.MakeSlice(reflect.SliceOf(p.goType.Elem()), n, n)
	key := reflect.New(p.goType.Key()).Elem()
	mended := false
	for iter := v.MapRange(); len(entries) < n && iter.Next(); {
		key.SetIterKey(iter)
		name, err := p.name(key)
		if err != nil {
			return b, err
		}
		mended = mended || !utf8.ValidString(name)
		values.Index(len(entries)).SetIterValue(iter)
		entries = append(entries, entry{name, len(entries)})
	}
	slices.SortFunc(entries, func(x, y entry) int { return strings.Compare(x.name, y.name) })
	if mended || p.key == opAppender || p.key == opText {
		if name, ok := twice(entries); ok {
			return b, (&fault{text: "is there twice"}).in(name)
		}
	}
	start := len(b)
	for _, e := range entries {
		b = append(quote(append(b, ','), e.name, s), ':')
		var err *fault
		if b, err = p.elem.append(b, values.Index(e.value), s); err != nil {
			return b, err.in(e.name)
		}
	}
	s.depth--
	b[start] = '{'
	return append(b, '}'), nil
}

// name is the name of the member with this key.
func (p *Plan) name(key reflect.Value) (string, *fault) {
	switch p.key {
	case opString:
		return key.String(), nil
	case opInt:
		return strconv.FormatInt(key.Int(), 10), nil
	case opUint:
		return strconv.FormatUint(key.Uint(), 10), nil
	case opAppender:
		text, err := address(key).(encoding.TextAppender).AppendText(nil)
		return string(text), failed(err)
	default:
		text, err := address(key).(encoding.TextMarshaler).MarshalText()
		return string(text), failed(err)
	}
}

// twice finds a name that two entries have once they are valid UTF-8.
func twice(entries []entry) (string, bool) {
	seen := make(map[string]bool, len(entries))
	for _, e := range entries {
		name := repair(e.name)
		if seen[name] {
			return name, true
		}
		seen[name] = true
	}
	return "", false
}
