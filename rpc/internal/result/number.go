package result

import (
	"math"
	"strconv"
)

// number reports that n is a JSON number, to be written as it stands.
func number(n string) bool {
	i := 0
	digits := func() bool {
		from := i
		for i < len(n) && '0' <= n[i] && n[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(n) && n[i] == '-' {
		i++
	}
	if i < len(n) && n[i] == '0' {
		i++
	} else if !digits() {
		return false
	}
	if i < len(n) && n[i] == '.' {
		if i++; !digits() {
			return false
		}
	}
	if i < len(n) && (n[i] == 'e' || n[i] == 'E') {
		if i++; i < len(n) && (n[i] == '+' || n[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(n)
}

// appendFloat writes f with the fewest digits that read back as it, as
// ECMAScript does (RFC 8785, 3.2.2.3), but -0 keeps its sign.
func appendFloat(b []byte, f float64, bits int) ([]byte, *fault) {
	if bits == 64 {
		if out, ok := appendCents(b, f); ok {
			return out, nil
		}
	}
	switch {
	case math.IsNaN(f):
		return b, &fault{text: "is NaN"}
	case math.IsInf(f, 0):
		return b, &fault{text: "is " + strconv.FormatFloat(f, 'g', -1, 64)}
	case exponent(math.Abs(f), bits):
		b = strconv.AppendFloat(b, f, 'e', -1, bits)
		if n := len(b); b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0' { // 1e-07
			b = append(b[:n-2], b[n-1])
		}
		return b, nil
	default:
		return strconv.AppendFloat(b, f, 'f', -1, bits), nil
	}
}

// exponent: a number this large or small is written with one. A float32 is
// held against the bounds as a float32.
func exponent(positive float64, bits int) bool {
	if bits == 32 {
		return positive != 0 && (float32(positive) < 1e-6 || float32(positive) >= 1e21)
	}
	return positive != 0 && (positive < 1e-6 || positive >= 1e21)
}

// appendCents writes f if it is the float nearest to a number with at most two
// decimals and 15 digits, as prices and counts are. Decimals of 15 digits have
// floats of their own, so this one is also the shortest that reads back as f,
// and finding it needs no search.
func appendCents(b []byte, f float64) ([]byte, bool) {
	positive := math.Abs(f)
	if !(positive < 1e13) {
		return b, false
	}
	cents := int64(positive*100 + 0.5)
	if float64(cents)/100 != positive || cents == 0 {
		return b, false // 0 has a sign
	}
	if f < 0 {
		b = append(b, '-')
	}
	b = strconv.AppendInt(b, cents/100, 10)
	switch rest := byte(cents % 100); {
	case rest == 0:
		return b, true
	case rest%10 == 0:
		return append(b, '.', '0'+rest/10), true
	default:
		return append(b, '.', '0'+rest/10, '0'+rest%10), true
	}
}
