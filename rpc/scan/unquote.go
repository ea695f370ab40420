package scan

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Unquote returns what raw, the content of a string as Str returned it, spells, in a new slice.
// Text that Str has not accepted gives nonsense or a panic.
func Unquote(raw []byte) []byte {
	return AppendUnquote(make([]byte, 0, len(raw)), raw)
}

// AppendUnquote is Unquote into dst. The result is never longer than raw.
func AppendUnquote(dst, raw []byte) []byte {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:i]...)
		raw = raw[i:]
		n := 2
		switch c := raw[1]; c {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r, _ := hex4(raw[2:])
			if n = 6; utf16.IsSurrogate(r) {
				low, _ := hex4(raw[8:])
				r, n = utf16.DecodeRune(r, low), 12
			}
			dst = utf8.AppendRune(dst, r)
		default: // '"', '\\' and '/' stand for themselves
			dst = append(dst, c)
		}
		raw = raw[n:]
	}
}
