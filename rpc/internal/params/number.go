package params

import (
	"bytes"
	"reflect"
	"slices"
	"strconv"
	"strings"

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
// whole is false if its value is no integer. A value beyond 64 bits gives some
// digits that are too many to parse. The time is linear in raw, whatever the
// exponent says.
func integral(raw []byte) (digits []byte, whole bool) {
	text, exponent := raw, int64(0)
	if i := bytes.IndexAny(raw, "eE"); i >= 0 {
		text, exponent = raw[:i], clamp(raw[i+1:])
	}
	negative := text[0] == '-'
	text = bytes.TrimPrefix(text, []byte{'-'})
	before, after, _ := bytes.Cut(text, []byte{'.'})
	exponent -= int64(len(after))
	digits = bytes.TrimLeft(slices.Concat(before, after), "0")
	kept := bytes.TrimRight(digits, "0")
	exponent += int64(len(digits) - len(kept)) // the value is kept × 10^exponent
	switch {
	case len(kept) == 0:
		return []byte{'0'}, true
	case exponent < 0:
		return nil, false
	}
	const tooMany = 24 // digits; 20 are enough for 64 bits
	out := make([]byte, 0, tooMany+1)
	if negative {
		out = append(out, '-')
	}
	out = append(out, kept[:min(len(kept), tooMany)]...)
	return append(out, strings.Repeat("0", int(min(exponent, tooMany)))...), true
}

// clamp reads an exponent, kept where sums of it do not overflow and far from
// what the length of a text can outweigh.
func clamp(text []byte) int64 {
	const far = 1 << 60
	e, _ := strconv.ParseInt(string(text), 10, 64) // beyond 64 bits: the nearest
	return max(-far, min(far, e))
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
	// In quotes an integer is digits only: so the pattern of the schema says.
	plain := n.kind == schema.Float || integer && (n.kind == schema.Int || string(text) != "-0")
	if err != nil || len(text) != len(raw) || !plain {
		d.wrong("format", "a number in quotes")
		return nil
	}
	d.number(n, v, text, integer)
	return nil
}
