package result

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json/jsontext"
)

// field is one member of an object.
type field struct {
	name      string
	head      string // `,"name":`
	index     int    // in the struct
	path      []int  // the rest of the way, through embedded structs
	plan      *Plan
	omits     bool // one of the next two
	omitEmpty bool
	omitZero  bool
	zero      zero
}

func (p *Plan) object(t *schema.Type) {
	fields := make([]field, len(t.Fields))
	for i := range t.Fields {
		f := &t.Fields[i]
		plan := p.compiler.compile(f.Type)
		if f.Quoted {
			if plan = p.compiler.quoted(f.Type); plan == nil {
				return
			}
		}
		name, err := jsontext.AppendQuote(nil, f.Name)
		if err != nil {
			return
		}
		fields[i] = field{
			name: f.Name, head: "," + string(name) + ":", index: f.Index[0], path: slices.Clone(f.Index[1:]), plan: plan,
			omits: f.OmitEmpty || f.OmitZero, omitEmpty: f.OmitEmpty, omitZero: f.OmitZero, zero: zeroOf(f.Type.Go),
		}
		if p.compiler.whole {
			k := f.Type.Go.Kind() // nil is not the same as null, [], {} or ""
			none := k == reflect.Slice || k == reflect.Map || f.Type.Kind == schema.Raw
			fields[i].omits, fields[i].omitEmpty, fields[i].omitZero, fields[i].zero = none, false, none, zeroValue
		}
	}
	p.op, p.fields = opObject, fields
}

// quoted is the plan of a number, or of a pointer to one, written as a string;
// nil if t is neither.
func (c *Compiler) quoted(t *schema.Type) *Plan {
	p := &Plan{goType: t.Go, compiler: c}
	switch t.Kind {
	case schema.Int, schema.Uint, schema.Float:
		p.op, p.elem = opQuoted, c.compile(t)
	case schema.Pointer:
		if t.Elem == t {
			return nil
		}
		p.op, p.elem = opPointer, c.quoted(t.Elem)
		if p.elem == nil {
			return nil
		}
	default:
		return nil
	}
	return p
}

// appendObject writes a struct. Every member is written with a comma before
// it; the first comma becomes the brace.
func (p *Plan) appendObject(b []byte, v reflect.Value, s *state) ([]byte, *fault) {
	if s.depth++; s.depth > maxDepth {
		return b, &fault{text: tooDeep}
	}
	start := len(b)
	for i := range p.fields {
		f := &p.fields[i]
		value := v.Field(f.index)
		if f.path != nil {
			if value = follow(value, f.path); !value.IsValid() {
				continue
			}
		}
		if f.omits && (f.omitZero && f.zero.is(value) || f.omitEmpty && f.plan.hollow(value)) {
			continue
		}
		member := len(b)
		b = append(b, f.head...)
		switch f.plan.op { // the most frequent ones without a call
		case opString:
			b = quote(b, value.String(), s)
			continue
		case opInt:
			b = strconv.AppendInt(b, value.Int(), 10)
			continue
		}
		from := len(b)
		var err *fault
		if b, err = f.plan.append(b, value, s); err != nil {
			return b, err.in(f.name)
		}
		if f.omitEmpty && empty(b[from:]) {
			b = b[:member]
		}
	}
	s.depth--
	if len(b) == start {
		return append(b, "{}"...), nil
	}
	b[start] = '{'
	return append(b, '}'), nil
}

// follow goes from an embedded struct to one of its fields. It returns the
// zero Value behind a nil pointer.
func follow(v reflect.Value, path []int) reflect.Value {
	for _, i := range path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v
}

// hollow reports, without writing it, that v is written as null, "", {} or [].
func (p *Plan) hollow(v reflect.Value) bool {
	switch p.op {
	case opString, opSlice, opMap:
		return v.Len() == 0
	case opPointer, opAny:
		return v.IsNil()
	default:
		return false
	}
}

// empty: what omitempty leaves out.
func empty(b []byte) bool {
	switch string(b) {
	case "null", `""`, "{}", "[]":
		return true
	default:
		return false
	}
}

// zero is how omitzero finds out that a value is zero.
type zero uint8

const (
	zeroValue     zero = iota // by the memory
	zeroMethod                // IsZero of the type or of a pointer to it
	zeroPointer               // IsZero of a pointer type, which may be nil
	zeroInterface             // IsZero of an interface, which may hold a nil pointer
)

type isZeroer interface{ IsZero() bool }

func zeroOf(t reflect.Type) zero {
	method := reflect.TypeFor[isZeroer]()
	switch {
	case t.Kind() == reflect.Interface && t.Implements(method):
		return zeroInterface
	case t.Kind() == reflect.Pointer && t.Implements(method):
		return zeroPointer
	case reflect.PointerTo(t).Implements(method):
		return zeroMethod
	default:
		return zeroValue
	}
}

func (z zero) is(v reflect.Value) bool {
	switch z {
	case zeroMethod:
		return address(v).(isZeroer).IsZero()
	case zeroPointer:
		return v.IsNil() || v.Interface().(isZeroer).IsZero()
	case zeroInterface:
		return v.IsNil() || v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() || v.Interface().(isZeroer).IsZero()
	default:
		return v.IsZero()
	}
}
