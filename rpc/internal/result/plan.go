// Package result encodes what methods return: a Go value in, JSON out, once
// per call.
//
// The output is that of json/v2 with [json.Deterministic],
// [jsontext.PreserveRawStrings] and durations as "1m30s", byte for byte; plain
// types are written by code compiled from their schema, which takes a third of
// the time, and types that encode themselves by json/v2.
package result

import (
	"encoding"
	"reflect"
	"sync"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json"
)

// Compiler makes plans. Types are compiled once and shared by all plans. It is
// safe for concurrent use.
type Compiler struct {
	mu    sync.Mutex
	plans map[*schema.Type]*Plan

	model   *schema.Model // of the types that values under any turn out to have
	dynamic sync.Map      // reflect.Type → *Plan, of the same
	writers sync.Pool     // *writer
	whole   bool          // every field is written
	plain   json.Options  // for types in whose tree no Duration can stand
	all     json.Options  // for the others
}

// NewCompiler makes a Compiler; a registry needs one.
func NewCompiler() *Compiler {
	plain, all := options()
	return &Compiler{
		plans: map[*schema.Type]*Plan{}, model: schema.NewModel(schema.Config{}),
		plain: plain, all: all,
	}
}

// NewWholeCompiler makes a Compiler whose plans leave no field out, whatever
// its tag says, but for slices, maps and raw JSON that are nil: values that Go
// can tell apart are written differently, and as a caller would send them. For
// keys.
func NewWholeCompiler() *Compiler {
	c := NewCompiler()
	c.whole = true
	return c
}

// Plan encodes values of one type. It never changes and is safe for concurrent
// use.
type Plan struct {
	op       op
	goType   reflect.Type
	bits     int // of a float
	elem     *Plan
	key      op // of a map: opString, opInt, opUint or opText
	fields   []field
	options  json.Options // of opForeign
	compiler *Compiler
}

// op is how a value is written.
type op uint8

const (
	opForeign op = iota // by json/v2
	opBool
	opInt
	opUint
	opFloat
	opString
	opBytes
	opTime
	opDuration
	opExact
	opQuoted   // a number within quotes: elem
	opAppender // encoding.TextAppender
	opText     // encoding.TextMarshaler
	opObject
	opSlice
	opArray
	opMap
	opPointer
	opAny
	opUnknown // by json/v2, a type that the schema refuses
)

// Plan compiles t, a type without faults from [schema.Model.Of].
func (c *Compiler) Plan(t *schema.Type) *Plan {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.compile(t)
}

// compile returns the plan of t, made now or before. A new plan is in c.plans
// before its parts are made: a recursive type finds itself there.
func (c *Compiler) compile(t *schema.Type) *Plan {
	if p := c.plans[t]; p != nil {
		return p
	}
	p := &Plan{goType: t.Go, options: c.all, compiler: c}
	c.plans[t] = p
	switch t.Kind {
	case schema.Bool:
		p.op = opBool
	case schema.Int:
		p.op = opInt
	case schema.Uint:
		p.op = opUint
	case schema.Float:
		p.op, p.bits = opFloat, t.Go.Bits()
	case schema.String:
		p.op = opString
	case schema.Bytes:
		p.op = opBytes
	case schema.Time:
		p.op = opTime
	case schema.Duration:
		p.op = opDuration
	case schema.Exact:
		p.op, p.options = exactOp(t.Go), c.plain
	case schema.Text:
		p.op, p.options = textOp(t.Go), c.plain
	case schema.Raw:
		p.options = c.plain
	case schema.Any:
		p.op = opAny
	case schema.Object:
		p.object(t)
	case schema.Array:
		p.op, p.elem = opSlice, c.compile(t.Elem)
		if t.Len >= 0 {
			p.op = opArray
		}
	case schema.Map:
		p.mapping(t)
	case schema.Pointer:
		p.op, p.elem = opPointer, c.compile(t.Elem)
	}
	return p
}

func exactOp(t reflect.Type) op {
	if t == reflect.TypeFor[schema.Number]() {
		return opExact
	}
	return opForeign
}

// textOp prefers AppendText to MarshalText, as json/v2 does.
func textOp(t reflect.Type) op {
	pointer := reflect.PointerTo(t)
	switch {
	case t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface:
		return opForeign
	case pointer.Implements(reflect.TypeFor[encoding.TextAppender]()):
		return opAppender
	case pointer.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return opText
	default:
		return opForeign
	}
}

func (p *Plan) mapping(t *schema.Type) {
	switch t.Key.Kind {
	case schema.String:
		p.key = opString
	case schema.Int:
		p.key = opInt
	case schema.Uint:
		p.key = opUint
	case schema.Text:
		p.key = textOp(t.Key.Go)
	}
	if p.key != opForeign {
		p.op, p.elem = opMap, p.compiler.compile(t.Elem)
	}
}

// of is the plan of a type met under any or another interface. Nobody checked
// it at registration; json/v2 writes or refuses what the schema refuses.
func (c *Compiler) of(t reflect.Type) *Plan {
	if p, ok := c.dynamic.Load(t); ok {
		return p.(*Plan)
	}
	made := &Plan{op: opUnknown, goType: t, options: c.all, compiler: c}
	if typ, faults := c.model.Of(t); len(faults) == 0 {
		made = c.Plan(typ)
	}
	p, _ := c.dynamic.LoadOrStore(t, made)
	return p.(*Plan)
}
