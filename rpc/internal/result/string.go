package result

import (
	"encoding"
	"encoding/binary"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	ones = 0x0101010101010101
	high = 0x8080808080808080
)

// quote writes s as a JSON string in the shortest form (RFC 8785, 3.2.2.2), as
// [jsontext.AppendQuote] does, but looks at many bytes at a time.
func quote(b []byte, s string, st *state) []byte {
	first, ascii := plain(s)
	if !ascii && !utf8.ValidString(s) {
		st.repaired = true
		s = repair(s)
		first, _ = plain(s)
	}
	if first < len(s) {
		return escaped(b, s, first)
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// escaped writes s, whose first byte to be escaped is at i. It looks at each
// byte once, however many there are to escape.
func escaped(b []byte, s string, i int) []byte {
	src := []byte(s) // not a copy: it is only read
	b = append(slices.Grow(b, len(src)+len(src)/16+8), '"')
	from := 0
	for i < len(src) {
		if c := src[i]; c >= ' ' && c != '"' && c != '\\' {
			i = next(src, i+1)
			continue
		}
		b = append(b, src[from:i]...)
		for i < len(src) && (src[i] < ' ' || src[i] == '"' || src[i] == '\\') {
			b = escape(b, src[i])
			i++
		}
		from = i
	}
	b = append(b, src[from:]...)
	return append(b, '"')
}

// next is the index of a byte of src at i or behind it with no byte to be
// escaped before it: that of the first one, or one among the last seven.
func next(src []byte, i int) int {
	for ; i+32 <= len(src); i += 32 {
		c := (*[32]byte)(src[i:])
		x, y := binary.LittleEndian.Uint64(c[:8]), binary.LittleEndian.Uint64(c[8:16])
		z, w := binary.LittleEndian.Uint64(c[16:24]), binary.LittleEndian.Uint64(c[24:])
		if (special(x)|special(y)|special(z)|special(w))&high != 0 {
			break
		}
	}
	for ; i+8 <= len(src); i += 8 {
		if m := special(binary.LittleEndian.Uint64(src[i:])) & high; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	return i
}

// plain is the index of the first byte of s that must be escaped, len(s)
// without one. ascii is false when a byte up to there, or of the word it is
// in, is 0x80 or above, or when something must be escaped.
func plain(s string) (first int, ascii bool) {
	src := []byte(s) // not a copy: it is only read
	if len(src) < 8 {
		return short(src)
	}
	var seen uint64
	i := 0
	if len(s) >= chunk {
		seen, i = clean(s)
	}
	for ; i+32 <= len(src); i += 32 {
		c := (*[32]byte)(src[i:])
		x, y := binary.LittleEndian.Uint64(c[:8]), binary.LittleEndian.Uint64(c[8:16])
		z, w := binary.LittleEndian.Uint64(c[16:24]), binary.LittleEndian.Uint64(c[24:])
		if (special(x)|special(y)|special(z)|special(w))&high != 0 {
			break
		}
		seen |= x | y | z | w
	}
	for ; i < len(src); i += 8 {
		i = min(i, len(src)-8) // the last word may look at bytes twice
		x := binary.LittleEndian.Uint64(src[i:])
		if m := special(x) & high; m != 0 {
			return i + bits.TrailingZeros64(m)>>3, false
		}
		seen |= x
	}
	return len(src), seen&high == 0
}

// chunk is so long that looking for one byte pays, with the instructions that
// the standard library has for it, and so short that it stays in the cache.
const chunk = 4 << 10

// clean goes over whole chunks as long as nothing must be escaped. It returns
// all their bytes, one upon the other, and where it stopped.
func clean(s string) (seen uint64, end int) {
	for ; end+chunk <= len(s); end += chunk {
		part := s[end : end+chunk]
		if strings.IndexByte(part, '"') >= 0 || strings.IndexByte(part, '\\') >= 0 {
			break
		}
		c := []byte(part)
		var control uint64
		for ; len(c) >= 32; c = c[32:] {
			w := (*[32]byte)(c)
			x, y := binary.LittleEndian.Uint64(w[:8]), binary.LittleEndian.Uint64(w[8:16])
			z, u := binary.LittleEndian.Uint64(w[16:24]), binary.LittleEndian.Uint64(w[24:])
			control |= (x-ones*' ')&^x | (y-ones*' ')&^y | (z-ones*' ')&^z | (u-ones*' ')&^u
			seen |= x | y | z | u
		}
		if control&high != 0 {
			break
		}
	}
	return seen, end
}

// short is plain for less than a word.
func short(src []byte) (first int, ascii bool) {
	var seen byte
	for i, c := range src {
		if c < ' ' || c == '"' || c == '\\' {
			return i, false
		}
		seen |= c
	}
	return len(src), seen < utf8.RuneSelf
}

// special has the high bit of each byte of x that must be escaped; above the
// lowest one there may be others, and the other bits mean nothing. Flipping
// bit 1 puts the quote (0x22) right behind the control characters.
func special(x uint64) uint64 {
	q := x ^ ones*2
	k := x ^ ones*'\\'
	return (q-ones*0x21)&^q | (k-ones)&^k
}

// shorts are the letters of the escapes of two characters, by their byte.
const shorts = "\x00\x00\x00\x00\x00\x00\x00\x00btn\x00fr\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

func escape(b []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	if c >= ' ' {
		return append(b, '\\', c)
	}
	if letter := shorts[c]; letter != 0 {
		return append(b, '\\', letter)
	}
	return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
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
	b = append(b, '"')
	out, err := address(v).(encoding.TextAppender).AppendText(b[len(b):]) // it never sees what is before
	if err != nil {
		return b, failed(err)
	}
	text := string(out)
	if first, ascii := plain(text); ascii && first == len(text) {
		return append(append(b, out...), '"'), nil // out mostly lies there already
	}
	return quote(b[:len(b)-1], text, s), nil
}
