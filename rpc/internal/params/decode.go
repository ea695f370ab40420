package params

import (
	"reflect"
	"strconv"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc/scan"
	"github.com/facet-rpc/facet/rpc/schema"
)

// control is the member of params that belongs to the framework.
const control = "$rpc"

// shareLimit is the longest params text, in bytes, whose strings are parts of
// one copy. A method that keeps one string keeps that much alive.
const shareLimit = 2048

type decoder struct {
	s          scan.Scanner
	violations []rpcerrors.Violation
	share      bool
	shared     string // Src as a string, made for the first string
	control    bool   // $rpc is understood and was read before
	values     int    // read under any
}

// Decode reads raw into v, an addressable zero value of the plan's struct.
// It goes on after a mistake, so the violations are all there are. withControl:
// the member $rpc is passed over. err is a *scan.Error: raw is not JSON.
//
// A struct with an optional field before a required one is by name only: that
// field could not be left out by position.
func (p *Plan) Decode(raw []byte, v reflect.Value, withControl bool) ([]rpcerrors.Violation, error) {
	d := decoder{control: withControl}
	d.s.Src = raw
	d.share = p.root.strings > 1 && len(raw) <= shareLimit
	switch d.s.Peek() {
	case '{':
		if err := d.object(p.root, v, 0, true); err != nil {
			return nil, err
		}
	case '[':
		if why := p.root.byName; why != "" {
			d.violations = []rpcerrors.Violation{{Rule: "type", Param: "object", Message: "must be an object: " + why}}
			if err := d.s.Skip(0); err != nil {
				return nil, err
			}
			break
		}
		if err := d.positions(p.root, v); err != nil {
			return nil, err
		}
	case 0:
		if err := d.s.End(); err != nil {
			return nil, err
		}
		d.absent(p.root, v, &[maxFields / 64]uint64{})
		return d.violations, nil
	case 'n':
		if err := d.s.Lit("null"); err != nil {
			return nil, err
		}
		d.absent(p.root, v, &[maxFields / 64]uint64{})
	default:
		d.wrong("type", "object")
		if err := d.s.Skip(0); err != nil {
			return nil, err
		}
	}
	if err := d.s.End(); err != nil {
		return nil, err
	}
	return d.violations, nil
}

// object reads the members of an object into v. top: these are the params.
func (d *decoder) object(n *node, v reflect.Value, depth int, top bool) error {
	if err := d.open(depth); err != nil {
		return err
	}
	var seen [maxFields / 64]uint64
	if d.s.Peek() == '}' {
		d.s.Pos++
		d.absent(n, v, &seen)
		return nil
	}
	for at := 0; ; at++ {
		if d.s.Peek() != '"' {
			return d.syntax("a member name is expected")
		}
		name, escaped, err := d.s.Str()
		if err != nil {
			return err
		}
		if escaped {
			name = scan.Unquote(name)
		}
		if d.s.Peek() != ':' {
			return d.syntax("':' is expected")
		}
		d.s.Pos++
		if err := d.named(n, v, name, at, &seen, depth, top); err != nil {
			return err
		}
		switch d.s.Peek() {
		case ',':
			d.s.Pos++
		case '}':
			d.s.Pos++
			d.absent(n, v, &seen)
			return nil
		default:
			return d.syntax("',' or '}' is expected")
		}
	}
}

// named reads the value of one member.
func (d *decoder) named(n *node, v reflect.Value, name []byte, at int, seen *[maxFields / 64]uint64, depth int, top bool) error {
	i := n.find(name, at)
	if i < 0 {
		if top && d.control && string(name) == control {
			return d.s.Skip(depth + 1)
		}
		d.add(Pointer(string(name)), "unknown", "")
		return d.s.Skip(depth + 1)
	}
	f := &n.fields[i]
	if seen[i/64]&(1<<(i%64)) != 0 {
		d.add(Pointer(f.name), "duplicate", "")
		return d.s.Skip(depth + 1)
	}
	seen[i/64] |= 1 << (i % 64)
	from := len(d.violations)
	err := d.member(f, f.in(v), depth+1)
	if len(d.violations) > from {
		prefix(d.violations[from:], Pointer(f.name))
	}
	return err
}

// member reads the value of a field.
func (d *decoder) member(f *field, v reflect.Value, depth int) error {
	if f.def != nil && f.node.kind == schema.Pointer && d.s.Peek() == 'n' {
		if err := d.s.Lit("null"); err != nil {
			return err
		}
		return f.fill(v)
	}
	if f.quoted {
		return d.quoted(f.node, v, depth)
	}
	return d.value(f.node, v, depth)
}

// absent judges what an object did not have: required members and defaults.
func (d *decoder) absent(n *node, v reflect.Value, seen *[maxFields / 64]uint64) {
	for w := range n.required {
		if n.required[w]&^seen[w] == 0 {
			continue
		}
		for i := w * 64; i < min(len(n.fields), (w+1)*64); i++ {
			if (n.required[w]&^seen[w])&(1<<(i%64)) != 0 {
				d.add(Pointer(n.fields[i].name), "required", "")
			}
		}
	}
	if !n.defaults {
		return
	}
	for i := range n.fields {
		f := &n.fields[i]
		if f.def != nil && seen[i/64]&(1<<(i%64)) == 0 {
			_ = f.fill(f.in(v)) // tried at registration
		}
	}
}

// fill sets the default.
func (f *field) fill(v reflect.Value) error {
	if f.defValue.IsValid() {
		v.Set(f.defValue)
		return nil
	}
	d := decoder{}
	d.s.Src = f.def
	if f.node.kind == schema.Pointer && string(f.def) == "null" {
		return nil
	}
	if f.quoted {
		return d.quoted(f.node, v, 1)
	}
	return d.value(f.node, v, 1)
}

// positions reads params given by position: one value a field, in order.
func (d *decoder) positions(n *node, v reflect.Value) error {
	if err := d.open(0); err != nil {
		return err
	}
	var seen [maxFields / 64]uint64
	count := 0
	if d.s.Peek() == ']' {
		d.s.Pos++
	} else {
		for more := true; more; count++ {
			var err error
			if count < len(n.fields) {
				f := &n.fields[count]
				seen[count/64] |= 1 << (count % 64)
				from := len(d.violations)
				err = d.member(f, f.in(v), 1)
				if len(d.violations) > from {
					prefix(d.violations[from:], Pointer(f.name))
				}
			} else {
				err = d.s.Skip(1)
			}
			if err != nil {
				return err
			}
			switch d.s.Peek() {
			case ',':
				d.s.Pos++
			case ']':
				d.s.Pos++
				more = false
			default:
				return d.syntax("',' or ']' is expected")
			}
		}
	}
	if least := n.least(); count > len(n.fields) || count < least {
		d.count(count, least, len(n.fields))
	}
	d.absent(n, v, &seen)
	return nil
}

// count says that there are too many or too few values by position.
func (d *decoder) count(got, least, most int) {
	want := strconv.Itoa(most)
	if least != most {
		want = strconv.Itoa(least) + " to " + want
	}
	d.violations = append(d.violations, rpcerrors.Violation{Rule: "count", Param: want, Message: message("count", want) + ", not " + strconv.Itoa(got)})
}

// least is how many values by position there must be: up to the last required field.
func (n *node) least() int {
	for i := len(n.fields) - 1; i >= 0; i-- {
		if n.required[i/64]&(1<<(i%64)) != 0 {
			return i + 1
		}
	}
	return 0
}

// open passes the bracket of an object or array, bounded in depth.
func (d *decoder) open(depth int) error {
	if err := d.bound(depth); err != nil {
		return err
	}
	d.s.Pos++
	return nil
}

// bound refuses what lies too deep in others.
func (d *decoder) bound(depth int) error {
	limit := d.s.MaxDepth
	if limit == 0 {
		limit = scan.DefaultDepth
	}
	if depth >= limit {
		return &scan.Error{Offset: d.s.Pos, Reason: "nested deeper than " + strconv.Itoa(limit) + " levels", Depth: true}
	}
	return nil
}

func (d *decoder) syntax(reason string) error {
	return &scan.Error{Offset: d.s.Pos, Reason: reason}
}
