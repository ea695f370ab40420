package params

import (
	"reflect"
	"strconv"

	"github.com/facet-rpc/facet/rpc/schema"
)

// number sets v to the number raw, which is valid JSON. A number with an
// integral value is an integer, however it is written (JSON Schema
// validation, section 6.1.1).
func (d *decoder) number(n *node, v reflect.Value, raw []byte, integer bool) {
	switch n.kind {
	case schema.Float:
		f, err := strconv.ParseFloat(string(raw), n.bits)
		if err != nil {
			d.wrong("range", "a number that fits "+strconv.Itoa(n.bits)+" bits")
			return
		}
		v.SetFloat(f)
		return
	case schema.Exact:
		v.SetString(string(raw))
		return
	}
	if !integer {
		digits, whole := integral(raw)
		if !whole {
			d.wrong("type", "integer")
			return
		}
		raw = digits
	}
	if n.kind == schema.Int {
		i, ok := parseInt(raw, n.bits)
		if !ok {
			d.wrong("range", intRange(n))
			return
		}
		v.SetInt(i)
		return
	}
	if raw[0] == '-' && (len(raw) != 2 || raw[1] != '0') {
		d.wrong("range", intRange(n))
		return
	}
	if raw[0] == '-' {
		raw = raw[1:]
	}
	u, err := strconv.ParseUint(string(raw), 10, n.bits)
	if err != nil {
		d.wrong("range", intRange(n))
		return
	}
	v.SetUint(u)
}

// parseInt reads decimal digits; ok is false beyond bits.
func parseInt(raw []byte, bits int) (int64, bool) {
	if len(raw) > 18 {
		i, err := strconv.ParseInt(string(raw), 10, bits)
		return i, err == nil
	}
	digits := raw
	negative := raw[0] == '-'
	if negative {
		digits = raw[1:]
	}
	var i int64
	for _, c := range digits {
		i = i*10 + int64(c-'0')
	}
	if negative {
		i = -i
	}
	return i, bits == 64 || i == i<<(64-bits)>>(64-bits)
}

// integral rewrites a number with a fraction or an exponent as plain digits.
// whole is false if its value is no integer; digits beyond what 64 bits hold
// are not written out, the result is then too long to parse.
func integral(raw []byte) (digits []byte, whole bool) {
	i := 0
	if raw[0] == '-' {
		digits = append(digits, '-')
		i = 1
	}
	sign := len(digits)
	point := -1 // digits before the point
	for ; i < len(raw) && raw[i] != 'e' && raw[i] != 'E'; i++ {
		if raw[i] == '.' {
			point = len(digits) - sign
			continue
		}
		digits = append(digits, raw[i])
	}
	if point < 0 {
		point = len(digits) - sign
	}
	mantissa := digits[sign:]
	zero := true
	for _, c := range mantissa {
		zero = zero && c == '0'
	}
	if zero {
		return append(digits[:sign], '0'), true
	}
	exponent := 0
	if i < len(raw) {
		e, err := strconv.Atoi(string(raw[i+1:]))
		if err != nil || e > 1<<20 || e < -1<<20 {
			// Beyond any integer of 64 bits, or smaller than one.
			if raw[i+1] == '-' {
				return nil, false
			}
			e = 1 << 20
		}
		exponent = e
	}
	end := point + exponent // where the point is now
	for k := max(end, 0); k < len(mantissa); k++ {
		if mantissa[k] != '0' {
			return nil, false
		}
	}
	if end < 0 {
		return nil, false
	}
	if end <= len(mantissa) {
		digits = digits[:sign+end]
	}
	for len(digits)-sign < min(end, 64) {
		digits = append(digits, '0')
	}
	for len(digits)-sign > 1 && digits[sign] == '0' {
		digits = append(digits[:sign], digits[sign+1:]...)
	}
	return digits, true
}

// intRange says which integers fit.
func intRange(n *node) string {
	if n.kind == schema.Int {
		limit := int64(1)<<(n.bits-1) - 1
		return "an integer from " + strconv.FormatInt(-limit-1, 10) + " to " + strconv.FormatInt(limit, 10)
	}
	limit := ^uint64(0) >> (64 - n.bits)
	return "an integer from 0 to " + strconv.FormatUint(limit, 10)
}

// quoted reads a number written as a string (json option string).
func (d *decoder) quoted(n *node, v reflect.Value, depth int) error {
	c := d.s.Peek()
	if n.kind == schema.Pointer {
		if c == 'n' {
			v.SetZero()
			return d.s.Lit("null")
		}
		if v.IsNil() {
			v.Set(reflect.New(n.elem.goType))
		}
		return d.quoted(n.elem, v.Elem(), depth)
	}
	if c == 'n' {
		d.wrong("null", "")
		return d.s.Lit("null")
	}
	if c != '"' {
		d.wrong("type", "string")
		return d.s.Skip(depth)
	}
	raw, escaped, err := d.s.Str()
	if err != nil {
		return err
	}
	inner := decoder{}
	inner.s.Src = raw
	if first := inner.s.Peek(); escaped || len(raw) == 0 || raw[0] != first || first != '-' && (first < '0' || first > '9') {
		d.wrong("format", "a number in quotes")
		return nil
	}
	text, integer, err := inner.s.Num()
	if err != nil || len(text) != len(raw) {
		d.wrong("format", "a number in quotes")
		return nil
	}
	d.number(n, v, text, integer)
	return nil
}
