package params

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/facet-rpc/facet/rpc/scan"
	"github.com/facet-rpc/facet/rpc/schema"
)

// slice reads an array into a fresh slice; [] is empty, not nil.
func (d *decoder) slice(n *node, v reflect.Value, depth int) error {
	if err := d.open(depth); err != nil {
		return err
	}
	if d.s.Peek() == ']' {
		d.s.Pos++
		v.Set(reflect.MakeSlice(n.goType, 0, 0))
		return nil
	}
	v.SetZero()
	for i := 0; ; i++ {
		if i == v.Cap() {
			v.Grow(max(4, i))
		}
		v.SetLen(i + 1)
		more, err := d.element(n.elem, v.Index(i), i, depth)
		if err != nil || !more {
			return err
		}
	}
}

// fixed reads an array into a Go array; the length must be the same.
func (d *decoder) fixed(n *node, v reflect.Value, depth int) error {
	if err := d.open(depth); err != nil {
		return err
	}
	count := 0
	if d.s.Peek() == ']' {
		d.s.Pos++
	} else {
		for more := true; more; count++ {
			var err error
			if count < n.typ.Len {
				more, err = d.element(n.elem, v.Index(count), count, depth)
			} else if err = d.s.Skip(depth + 1); err == nil {
				more, err = d.next()
			}
			if err != nil {
				return err
			}
		}
	}
	if count != n.typ.Len {
		d.wrong("len", strconv.Itoa(n.typ.Len))
	}
	return nil
}

// element reads one element and what follows it; more: another one comes.
func (d *decoder) element(n *node, v reflect.Value, i, depth int) (more bool, err error) {
	from := len(d.violations)
	if err := d.value(n, v, depth+1); err != nil {
		return false, err
	}
	if len(d.violations) > from {
		prefix(d.violations[from:], "/"+strconv.Itoa(i))
	}
	return d.next()
}

// next passes what separates the elements of an array.
func (d *decoder) next() (more bool, err error) {
	switch d.s.Peek() {
	case ',':
		d.s.Pos++
		return true, nil
	case ']':
		d.s.Pos++
		return false, nil
	}
	return false, d.syntax("',' or ']' is expected")
}

// mapping reads an object with free names into a fresh map.
func (d *decoder) mapping(n *node, v reflect.Value, depth int) error {
	v.Set(reflect.MakeMap(n.goType))
	key, value := reflect.New(n.key.goType).Elem(), reflect.New(n.elem.goType).Elem()
	return d.members(depth, func(name []byte) error {
		key.SetZero()
		value.SetZero() // the map has copies; what they point at is theirs
		keyed := d.mapKey(n.key, key, name)
		if keyed && v.MapIndex(key).IsValid() {
			d.wrong("duplicate", "")
			keyed = false
		}
		err := d.value(n.elem, value, depth+1)
		if keyed && err == nil {
			v.SetMapIndex(key, value)
		}
		return err
	})
}

// members reads an object with free names: member is called behind each name
// and its colon, and reads the value.
func (d *decoder) members(depth int, member func(name []byte) error) error {
	if err := d.bound(depth); err != nil {
		return err
	}
	return d.s.Object(func(name []byte) error {
		from := len(d.violations)
		if err := member(name); err != nil {
			return err
		}
		if len(d.violations) > from {
			prefix(d.violations[from:], Pointer(string(name)))
		}
		return nil
	})
}

// mapKey reads a member name as the key of a map.
func (d *decoder) mapKey(n *node, v reflect.Value, name []byte) bool {
	from := len(d.violations)
	switch n.kind {
	case schema.String:
		v.SetString(string(name))
	case schema.Int, schema.Uint:
		s := scan.Scanner{Src: name}
		raw, integer, err := s.Num()
		if err != nil || !integer || len(raw) != len(name) {
			d.wrong("format", "an integer as its name")
			return false
		}
		d.number(n, v, raw, true)
	default:
		d.unmarshalText(n, v, name)
	}
	if n.enum != nil && len(d.violations) == from {
		d.oneOf(n, v)
	}
	return len(d.violations) == from
}

// maxAny is how many values there may be under any in one call, those inside
// others counted too. Each costs 16 to 400 bytes, whatever it takes to write.
const maxAny = 100_000

// anyRoot reads a value of type any. When the values of the call are too many
// the rest is only passed over.
func (d *decoder) anyRoot(depth int) (any, error) {
	before := d.values
	x, err := d.any(depth)
	if err == nil && d.values > maxAny {
		if before <= maxAny {
			d.wrong("range", "at most "+strconv.Itoa(maxAny)+" values, with all that is inside")
		}
		x = nil
	}
	return x, err
}

// any reads a value of any type; numbers become schema.Number.
func (d *decoder) any(depth int) (any, error) {
	if d.values++; d.values > maxAny {
		return nil, d.s.Skip(depth)
	}
	switch d.s.Peek() {
	case '{':
		return d.anyObject(depth)
	case '[':
		return d.anyArray(depth)
	case '"':
		return d.str()
	case 't':
		return true, d.s.Lit("true")
	case 'f':
		return false, d.s.Lit("false")
	case 'n':
		return nil, d.s.Lit("null")
	}
	raw, _, err := d.s.Num()
	return schema.Number(raw), err
}

func (d *decoder) anyArray(depth int) (any, error) {
	if err := d.open(depth); err != nil {
		return nil, err
	}
	list := []any{}
	if d.s.Peek() == ']' {
		d.s.Pos++
		return list, nil
	}
	for more := true; more; {
		from := len(d.violations)
		x, err := d.any(depth + 1)
		if err != nil {
			return nil, err
		}
		if len(d.violations) > from {
			prefix(d.violations[from:], "/"+strconv.Itoa(len(list)))
		}
		if len(list) == cap(list) && len(list) >= 256 {
			list = slices.Grow(list, len(list)) // append would copy a long list five times over
		}
		if d.values <= maxAny {
			list = append(list, x)
		}
		if more, err = d.next(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (d *decoder) anyObject(depth int) (any, error) {
	object := map[string]any{}
	err := d.members(depth, func(name []byte) error {
		_, twice := object[string(name)]
		if twice {
			d.wrong("duplicate", "")
		}
		x, err := d.any(depth + 1)
		if !twice && err == nil && d.values <= maxAny {
			object[string(name)] = x
		}
		return err
	})
	return object, err
}
