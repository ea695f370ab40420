package result

import (
	"encoding"
	"encoding/binary"
	"math/bits"
	"reflect"
	"unicode/utf8"
)

const (
	ones = 0x0101010101010101
	high = 0x8080808080808080
)

// quote writes s as a JSON string in the shortest form (RFC 8785, 3.2.2.2), as
// [jsontext.AppendQuote] does, but looks at eight bytes at a time.
func quote(b []byte, s string, st *state) []byte {
	first, ascii := plain(s)
	if !ascii && !utf8.ValidString(s) {
		st.repaired = true
		s = repair(s)
		first, _ = plain(s)
	}
	b = append(b, '"')
	for first < len(s) {
		b = append(b, s[:first]...)
		b = escape(b, s[first])
		s = s[first+1:]
		first, _ = plain(s)
	}
	b = append(b, s...)
	return append(b, '"')
}

// plain is the index of the first byte of s that must be escaped, len(s)
// without one. ascii: no byte up to the end of s is 0x80 or above; it is only
// told when first is len(s), and false otherwise.
func plain(s string) (first int, ascii bool) {
	src := []byte(s)
	var seen uint64
	i := 0
	for ; i+8 <= len(src); i += 8 {
		x := binary.LittleEndian.Uint64(src[i:])
		seen |= x
		if m := special(x); m != 0 {
			return i + bits.TrailingZeros64(m)>>3, false
		}
	}
	for ; i < len(src); i++ {
		c := src[i]
		seen |= uint64(c)
		if c < ' ' || c == '"' || c == '\\' {
			return i, false
		}
	}
	return i, seen&high == 0
}

// special has the high bit of each byte of x that must be escaped; above the
// lowest one there may be others.
func special(x uint64) uint64 {
	q := x ^ (ones * '"')
	k := x ^ (ones * '\\')
	return ((q-ones)&^q | (k-ones)&^k | (x-ones*' ')&^x) & high
}

func escape(b []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\b':
		return append(b, '\\', 'b')
	case '\f':
		return append(b, '\\', 'f')
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	default:
		return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
	}
}

// repair replaces each byte of s that is not part of valid UTF-8 by U+FFFD.
func repair(s string) string { return string([]rune(s)) }

// appendText writes what the type's own AppendText or MarshalText gives.
func appendText(b []byte, o op, v reflect.Value, s *state) ([]byte, *fault) {
	if o == opText {
		text, err := address(v).(encoding.TextMarshaler).MarshalText()
		if err != nil {
			return b, failed(err)
		}
		return quote(b, string(text), s), nil
	}
	from := len(b) + 1
	out, err := address(v).(encoding.TextAppender).AppendText(append(b, '"'))
	if err != nil {
		return b, failed(err)
	}
	if len(out) < from {
		return b, &fault{text: "is shortened by its own AppendText"}
	}
	text := string(out[from:])
	if first, ascii := plain(text); ascii && first == len(text) {
		return append(out, '"'), nil
	}
	return quote(b, text, s), nil
}
