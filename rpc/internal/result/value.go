package result

import (
	"encoding/base64"
	"reflect"
	"strconv"
	"time"
)

// maxDepth bounds the objects and arrays within each other that compiled code
// writes, and maxHops the pointers and interfaces on the way: a value that
// holds itself ends there. Below a type that json/v2 writes, its own bound of
// 10 000 levels holds.
const (
	maxDepth = 1000
	maxHops  = 5000
)

const tooDeep = "is nested more than 1000 levels deep, or holds itself"

// state is one run over a value.
type state struct {
	depth, hops int
	repaired    bool
}

// Append appends v, of the plan's type, as JSON to dst. v may be addressable
// or not; if it is, nothing is copied. repaired tells that a string was not
// valid UTF-8: each invalid byte became U+FFFD. A type that encodes itself is
// asked a second time if such a string came from it.
//
// The error says where in the result it happened, as a JSON pointer: a NaN or
// Inf, a time outside the years 0 to 9999, names that are equal after repair,
// invalid raw JSON, more than 1000 levels, or what the type's own encoder
// returned. It is meant for the log. The length of dst is then unchanged; a
// panic of the type's own encoder passes through.
func (p *Plan) Append(dst []byte, v reflect.Value) (out []byte, repaired bool, err error) {
	var s state
	b, f := p.append(dst, v, &s)
	if f != nil {
		return dst, false, f
	}
	return b, s.repaired, nil
}

func (p *Plan) append(b []byte, v reflect.Value, s *state) ([]byte, *fault) {
	switch p.op {
	case opString:
		return quote(b, v.String(), s), nil
	case opInt:
		return strconv.AppendInt(b, v.Int(), 10), nil
	case opFloat:
		return appendFloat(b, v.Float(), p.bits)
	case opBool:
		return strconv.AppendBool(b, v.Bool()), nil
	case opObject:
		return p.appendObject(b, v, s)
	case opSlice, opArray:
		return p.appendArray(b, v, s)
	case opPointer:
		return p.appendPointer(b, v, s)
	case opMap:
		return p.appendMap(b, v, s)
	case opUint:
		return strconv.AppendUint(b, v.Uint(), 10), nil
	case opTime:
		return appendTime(b, *address(v).(*time.Time))
	case opDuration:
		return append(append(append(b, '"'), time.Duration(v.Int()).String()...), '"'), nil
	case opBytes:
		return p.appendBytes(b, v), nil
	case opQuoted:
		b, err := p.elem.append(append(b, '"'), v, s)
		return append(b, '"'), err
	case opExact:
		if n := v.String(); number(n) {
			return append(b, n...), nil
		}
		return p.foreign(b, v, s)
	case opAppender, opText:
		return appendText(b, p.op, v, s)
	case opAny:
		return p.appendAny(b, v, s)
	case opUnknown:
		if !ends(v, maxHops) {
			return b, &fault{text: tooDeep}
		}
		return p.foreign(b, v, s)
	default:
		return p.foreign(b, v, s)
	}
}

// address is a pointer to v, or to a copy of it.
func address(v reflect.Value) any {
	if v.CanAddr() {
		return v.Addr().Interface()
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Interface()
}

func (p *Plan) appendPointer(b []byte, v reflect.Value, s *state) ([]byte, *fault) {
	if v.IsNil() {
		return append(b, "null"...), nil
	}
	if s.hops++; s.hops > maxHops {
		return b, &fault{text: tooDeep}
	}
	b, err := p.elem.append(b, v.Elem(), s)
	s.hops--
	return b, err
}

// appendAny writes what an interface holds, by the plan of its type.
func (p *Plan) appendAny(b []byte, v reflect.Value, s *state) ([]byte, *fault) {
	if v.IsNil() {
		return append(b, "null"...), nil
	}
	if s.hops++; s.hops > maxHops {
		return b, &fault{text: tooDeep}
	}
	value := v.Elem()
	b, err := p.compiler.of(value.Type()).append(b, value, s)
	s.hops--
	return b, err
}

func (p *Plan) appendBytes(b []byte, v reflect.Value) []byte {
	if p.goType.Kind() == reflect.Array && !v.CanAddr() {
		v = reflect.ValueOf(address(v)).Elem()
	}
	return append(base64.StdEncoding.AppendEncode(append(b, '"'), v.Bytes()), '"')
}

// appendTime writes RFC 3339 with nanoseconds, and refuses what RFC 3339
// cannot say: golang/go#4556, golang/go#54580.
func appendTime(b []byte, t time.Time) ([]byte, *fault) {
	b = append(b, '"')
	from := len(b)
	b = t.AppendFormat(b, time.RFC3339Nano)
	text := b[from:]
	if text[len("9999")] != '-' {
		return b, &fault{text: "is a time outside the years 0 to 9999"}
	}
	if zone := len(text) - len("Z07:00"); text[len(text)-1] != 'Z' {
		if c := text[zone]; '0' <= c && c <= '9' || text[zone+1] > '2' || text[zone+1] == '2' && text[zone+2] > '3' {
			return b, &fault{text: "is a time whose zone is more than 23 hours away"}
		}
	}
	return append(b, '"'), nil
}
