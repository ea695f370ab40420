package params

import (
	"reflect"
	"strconv"

	"github.com/facet-rpc/facet/rpc/schema"
)

// value reads one value of type n into v.
func (d *decoder) value(n *node, v reflect.Value, depth int) error {
	c := d.s.Peek()
	if c == 'n' {
		switch n.kind {
		case schema.Pointer, schema.Any, schema.Raw, schema.Custom:
		default:
			d.wrong("null", "")
			return d.s.Lit("null")
		}
	}
	from := len(d.violations)
	err := d.read(n, v, c, depth)
	if n.enum != nil && err == nil && len(d.violations) == from {
		d.oneOf(n, v)
	}
	return err
}

// read is value without null and enums; c is the first byte.
func (d *decoder) read(n *node, v reflect.Value, c byte, depth int) error {
	switch n.kind {
	case schema.Object:
		if c != '{' {
			return d.mismatch("object", depth)
		}
		return d.object(n, v, depth, false)
	case schema.String:
		return d.text(v, c, depth)
	case schema.Bool:
		return d.bool(v, c, depth)
	case schema.Int, schema.Uint, schema.Float, schema.Exact:
		if c != '-' && (c < '0' || c > '9') {
			return d.mismatch(numberNoun(n.kind), depth)
		}
		raw, integer, err := d.s.Num()
		if err == nil {
			d.number(n, v, raw, integer)
		}
		return err
	case schema.Array:
		if c != '[' {
			return d.mismatch("array", depth)
		}
		if n.typ.Len >= 0 {
			return d.fixed(n, v, depth)
		}
		return d.slice(n, v, depth)
	case schema.Map:
		if c != '{' {
			return d.mismatch("object", depth)
		}
		return d.mapping(n, v, depth)
	case schema.Pointer:
		if c == 'n' {
			v.SetZero()
			return d.s.Lit("null")
		}
		if v.IsNil() {
			v.Set(reflect.New(n.elem.goType))
		}
		return d.value(n.elem, v.Elem(), depth)
	case schema.Any:
		x, err := d.anyRoot(depth)
		if x != nil && err == nil {
			v.Set(reflect.ValueOf(x))
		}
		return err
	default:
		return d.leaf(n, v, c, depth)
	}
}

// mismatch notes a value of the wrong JSON type and passes it.
func (d *decoder) mismatch(noun string, depth int) error {
	d.wrong("type", noun)
	return d.s.Skip(depth)
}

func numberNoun(k schema.Kind) string {
	if k == schema.Int || k == schema.Uint {
		return "integer"
	}
	return "number"
}

func (d *decoder) text(v reflect.Value, c byte, depth int) error {
	if c != '"' {
		return d.mismatch("string", depth)
	}
	s, err := d.str()
	if err == nil {
		v.SetString(s)
	}
	return err
}

// str reads a string; c was '"'.
func (d *decoder) str() (string, error) {
	raw, escaped, err := d.s.Str()
	switch {
	case err != nil:
		return "", err
	case escaped:
		return unquote(raw), nil
	case !d.share:
		return string(raw), nil
	}
	if d.shared == "" {
		d.shared = string(d.s.Src)
	}
	end := d.s.Pos - 1
	return d.shared[end-len(raw) : end], nil
}

func (d *decoder) bool(v reflect.Value, c byte, depth int) error {
	switch c {
	case 't':
		v.SetBool(true)
		return d.s.Lit("true")
	case 'f':
		v.SetBool(false)
		return d.s.Lit("false")
	}
	return d.mismatch("boolean", depth)
}

// oneOf checks a value that was just read against its enum.
func (d *decoder) oneOf(n *node, v reflect.Value) {
	var text []byte
	switch n.kind {
	case schema.String:
		text = appendQuoted(nil, v.String())
	case schema.Int:
		text = strconv.AppendInt(nil, v.Int(), 10)
	case schema.Uint:
		text = strconv.AppendUint(nil, v.Uint(), 10)
	default:
		return
	}
	if !n.enum[string(text)] {
		d.wrong("enum", enumList(n.typ.Enum))
	}
}
