// Package params turns the raw JSON parameters of a call into the Go struct of
// its method, and lists everything that is wrong with them at once.
//
// One object loop over the field table that rpc/schema made at registration
// does names, presence, null, types, unknown members, duplicates and
// defaults; the validate tags are checked on what it decoded.
//
// What hostile input can cost is bounded: in depth, in violations, and in the
// number of values under any, of which one call may hold 100 000.
package params

import (
	"errors"
	"reflect"
	"strconv"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-playground/validator/v10"
)

// maxFields bounds the members of one object: presence is kept in bits.
const maxFields = 256

// Compiler makes plans. Types are compiled once and shared by all plans.
type Compiler struct {
	nodes    map[*schema.Type]*node
	validate *validator.Validate
	messages map[string]string // of the application's rules, by name
	faults   []schema.Fault
}

// Rule is a validate rule of the application.
type Rule struct {
	Name    string
	Func    validator.Func
	Message string
}

// NewCompiler makes a Compiler that knows the application's rules.
func NewCompiler(rules []Rule) (*Compiler, error) {
	v := validator.New(validator.WithRequiredStructEnabled())
	c := &Compiler{nodes: map[*schema.Type]*node{}, validate: v, messages: map[string]string{}}
	for _, r := range rules {
		if r.Func == nil {
			return nil, errors.New("the rule " + r.Name + " has no function")
		}
		if err := v.RegisterValidationCtx(r.Name, custom(r.Func), true); err != nil {
			return nil, err
		}
		c.messages[r.Name] = r.Message
	}
	return c, nil
}

// Plan decodes and checks the parameters of one method.
type Plan struct {
	root     *node
	compiler *Compiler
}

// node is a type, ready for decoding.
type node struct {
	typ      *schema.Type
	kind     schema.Kind
	goType   reflect.Type
	bits     int // of Int, Uint and Float
	elem     *node
	key      *node
	fields   []field
	required [maxFields / 64]uint64
	byName   string // why values by position cannot be taken; empty: they can
	form     string // what the text of a Text is: a UUID
	defaults bool   // a field has a default
	ruled    bool   // checks stand on a field of it or below
	strings  int    // how many strings a value holds at least; 2 means several
	enum     map[string]bool
}

// field is one member, ready for decoding.
type field struct {
	name     string
	goName   string
	index    int   // in the struct
	path     []int // through embedded structs; nil when index says it
	node     *node
	quoted   bool
	def      []byte        // default, JSON
	defValue reflect.Value // of a default that can be shared
	checks   *checks
}

// Plan compiles the parameters of a method, an Object. The faults are those
// that only a trial finds: rules that panic, defaults that break their rules.
func (c *Compiler) Plan(t *schema.Type) (*Plan, []schema.Fault) {
	c.faults = nil
	p := &Plan{root: c.node(t), compiler: c}
	if len(c.faults) == 0 {
		c.try(p)
	}
	return p, c.faults
}

// New is an addressable zero value of the parameters.
func (p *Plan) New() reflect.Value { return reflect.New(p.root.goType).Elem() }

func (c *Compiler) node(t *schema.Type) *node {
	if n := c.nodes[t]; n != nil {
		return n
	}
	n := &node{typ: t, kind: t.Kind, goType: t.Go, ruled: t.Ruled}
	c.nodes[t] = n
	switch t.Kind {
	case schema.Int, schema.Uint, schema.Float:
		n.bits = t.Go.Bits()
	case schema.String:
		n.strings = 1
	case schema.Any:
		n.strings = 2
	case schema.Array, schema.Pointer:
		n.elem = c.node(t.Elem)
		n.strings = min(2, 2*n.elem.strings)
	case schema.Map:
		n.key, n.elem = c.node(t.Key), c.node(t.Elem)
		n.strings = 2
	case schema.Object:
		c.compileFields(n, t)
	case schema.Text, schema.Custom:
		n.form = form(t)
	}
	if t.Enum != nil {
		n.enum = map[string]bool{}
		for _, v := range t.Enum {
			n.enum[string(v.JSON)] = true
		}
	}
	return n
}

func (c *Compiler) compileFields(n *node, t *schema.Type) {
	if len(t.Fields) > maxFields {
		c.fault(t, "", "it has more than 256 fields", "split it into nested structs")
		return
	}
	n.fields = make([]field, len(t.Fields))
	for i := range t.Fields {
		f := &t.Fields[i]
		out := &n.fields[i]
		*out = field{name: f.Name, goName: f.GoName, index: f.Index[0], node: c.node(f.Type), quoted: f.Quoted, def: f.Default}
		if len(f.Index) > 1 {
			out.path = f.Index
		}
		if f.Required {
			n.required[i/64] |= 1 << (i % 64)
			if n.byName == "" && i > 0 && !t.Fields[i-1].Required {
				n.byName = strconv.Quote(t.Fields[i-1].Name) + " is optional and stands before " + strconv.Quote(f.Name) + ": call by name"
			}
		}
		n.strings = min(2, n.strings+out.node.strings)
		if f.Rules != nil {
			out.checks = c.checks(f.Rules, out.node)
		}
		if f.Default != nil {
			n.defaults = true
			c.setDefault(t, f, out)
		}
	}
}

// setDefault decodes a default once, where sharing the value is safe.
func (c *Compiler) setDefault(t *schema.Type, f *schema.Field, out *field) {
	v := reflect.New(f.Type.Go).Elem()
	d := decoder{}
	d.s.Src = f.Default
	if err := d.member(out, v, 1); err != nil || len(d.violations) > 0 {
		c.fault(t, f.GoName, "its default "+string(f.Default)+" does not fit the field", "write a value of the field's type in the default tag")
		return
	}
	switch f.Type.Kind {
	case schema.Bool, schema.Int, schema.Uint, schema.Float, schema.String, schema.Time, schema.Duration:
		out.defValue = v
	}
}

func (c *Compiler) fault(t *schema.Type, fieldName, problem, mend string) {
	c.faults = append(c.faults, schema.Fault{Type: t.Go, Field: fieldName, Problem: problem, Mend: mend})
}

// find is the index of the field called name, -1 without one. hint is where
// it stands if members come in the order of the struct.
func (n *node) find(name []byte, hint int) int {
	if hint < len(n.fields) && n.fields[hint].name == string(name) {
		return hint
	}
	return n.typ.Lookup(name)
}

// in is the field's value in v, with embedded pointers made on the way.
func (f *field) in(v reflect.Value) reflect.Value {
	if f.path == nil {
		return v.Field(f.index)
	}
	for i, x := range f.path {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v
}

// peek is in without making anything; false where an embedded pointer is nil.
func (f *field) peek(v reflect.Value) (reflect.Value, bool) {
	if f.path == nil {
		return v.Field(f.index), true
	}
	for i, x := range f.path {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v, true
}

// None is the plan of a method without parameters: it takes none, null, {} or [].
func (c *Compiler) None() *Plan {
	t := reflect.TypeFor[struct{}]()
	return &Plan{root: &node{typ: &schema.Type{Go: t, Kind: schema.Object}, kind: schema.Object, goType: t}, compiler: c}
}
