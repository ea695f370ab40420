package mcp

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

const (
	everyByte = 0x0101010101010101
	highBits  = 0x8080808080808080
)

// appendEscaped appends valid JSON as the content of a JSON string: quotes,
// backslashes and the control characters between tokens get an escape, all
// else is copied, eight bytes at a look.
func appendEscaped(dst, src []byte) []byte {
	dst = slices.Grow(dst, len(src)+len(src)/4)
	from, i := 0, 0
	for i < len(src) {
		if i+8 <= len(src) {
			m := marks(binary.LittleEndian.Uint64(src[i:]))
			if m == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(m) >> 3
		}
		if c := src[i]; c == '"' || c == '\\' || c < 0x20 {
			dst = append(dst, src[from:i]...)
			dst = appendEscape(dst, c)
			from = i + 1
		}
		i++
	}
	return append(dst, src[from:]...)
}

// marks sets the high bit of each byte that needs an escape. A borrow can set
// wrong ones, but only above a right one: the lowest is always right.
func marks(x uint64) uint64 {
	quote := x ^ everyByte*'"'
	slash := x ^ everyByte*'\\'
	return ((quote-everyByte)&^quote | (slash-everyByte)&^slash | (x-everyByte*0x20)&^x) & highBits
}

func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	if c == '"' || c == '\\' {
		return append(dst, '\\', c)
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
