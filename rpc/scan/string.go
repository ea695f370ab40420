package scan

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

const (
	everyByte = 0x0101010101010101
	highBits  = 0x8080808080808080
)

// special marks, by the high bit of each byte, what ends a run of plain string bytes in eight
// bytes of text: quote, backslash, control characters and everything outside ASCII. A borrow can
// set wrong marks, but only above a right one: the lowest mark is always right.
func special(x uint64) uint64 {
	quote := x ^ everyByte*'"'
	slash := x ^ everyByte*'\\'
	return ((quote-everyByte)&^quote | (slash-everyByte)&^slash | (x-everyByte*0x20)&^x | x) & highBits
}

// Str reads a string and returns what lies between its quotes, as written; escaped says that
// this holds escapes, which Unquote resolves. Whitespace before the string must have been passed
// (Peek). Control characters, unknown escapes, invalid UTF-8 and lone surrogates are errors.
func (s *Scanner) Str() (raw []byte, escaped bool, err error) {
	b := s.Src
	if s.Pos >= len(b) || b[s.Pos] != '"' {
		return nil, false, s.fail("string expected")
	}
	start := s.Pos + 1
	i := start
	for {
		i = plain(b, i)
		if i >= len(b) {
			return nil, false, s.failAt(len(b), "unterminated string")
		}
		switch c := b[i]; {
		case c == '"':
			s.Pos = i + 1
			return b[start:i:i], escaped, nil
		case c == '\\':
			escaped = true
			n, reason := escape(b[i:])
			if n == 0 {
				return nil, false, s.failAt(i, reason)
			}
			i += n
		case c < 0x20:
			return nil, false, s.failAt(i, "control character in string")
		default:
			n := wide(b[i:])
			if n == 0 {
				return nil, false, s.failAt(i, "invalid UTF-8")
			}
			i += n
		}
	}
}

// plain returns the offset of the first special byte at or after i, len(b) when there is none.
func plain(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		if m := special(binary.LittleEndian.Uint64(b[i:])); m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for ; i < len(b); i++ {
		if c := b[i]; c == '"' || c == '\\' || c < 0x20 || c >= utf8.RuneSelf {
			break
		}
	}
	return i
}

// wide returns the length of the run of characters outside ASCII at the start of b, 0 when it
// begins with invalid UTF-8. A run that is broken later is returned up to there.
func wide(b []byte) int {
	i := 0
	for i < len(b) && b[i] >= utf8.RuneSelf {
		if i+1 < len(b) && b[i] >= 0xc2 && b[i] < 0xe0 && b[i+1]&0xc0 == 0x80 {
			i += 2
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 {
			break
		}
		i += n
	}
	return i
}

// escape checks the escape at the start of b, which is a backslash, and returns its length: 2, 6
// or, for a surrogate pair, 12. It returns 0 and the reason when it is invalid.
func escape(b []byte) (n int, reason string) {
	if len(b) < 2 {
		return 0, "unterminated string"
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, ""
	case 'u':
	default:
		return 0, "unknown escape in string"
	}
	r, ok := hex4(b[2:])
	switch {
	case !ok:
		return 0, "\\u must be followed by four hexadecimal digits"
	case r < 0xd800 || r > 0xdfff:
		return 6, ""
	case r > 0xdbff || len(b) < 12 || b[6] != '\\' || b[7] != 'u':
		return 0, "lone surrogate in string"
	}
	if low, ok := hex4(b[8:]); !ok || low < 0xdc00 || low > 0xdfff {
		return 0, "lone surrogate in string"
	}
	return 12, ""
}

// hex4 reads four hexadecimal digits of either case.
func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
