package rpc

import (
	"reflect"
	"sync"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc/internal/params"
	"github.com/facet-rpc/facet/rpc/internal/result"
	"github.com/facet-rpc/facet/rpc/schema"
)

// Spec is a published method as the registry checked it. It never changes.
type Spec struct {
	// Declared is the declaration, with what it left out filled in: Name is
	// the full name (Catalog.search), Groups, Since, Tags, Title, Description.
	Declared Method
	// Service is the name of the service.
	Service string
	// ServiceDescription says what the service is for, ServiceDocs where people
	// read more about it; both may be empty.
	ServiceDescription, ServiceDocs string
	// Params is the type of the parameters, nil without.
	Params *schema.Type
	// Result is the type of the result, nil without.
	Result *schema.Type
	// ByPosition: params may also be an array. Not so when an optional field
	// stands before a required one.
	ByPosition bool
	// Examples are those of Declared, as they go over the wire.
	Examples []Exchange

	bound bound
	index int // in the executor's chains
}

// Name is the full name, such as Catalog.search.
func (s *Spec) Name() string { return s.Declared.Name }

// Endpoint is a group at a version: the set of methods published there.
type Endpoint struct {
	Group   string
	Version int

	registry *Registry
	specs    []*Spec
	byName   map[string]*Spec
}

// Specs lists the methods: those that begin in this version first, then the
// inherited ones, each in the order of registration. Do not change it.
func (e *Endpoint) Specs() []*Spec { return e.specs }

// Lookup finds a method by its name, nil without one. It does not ask who
// may see it; see [Executor.Visible].
func (e *Endpoint) Lookup(name string) *Spec { return e.byName[name] }

// Intern is name as a string, without an allocation if a method is called so.
func (e *Endpoint) Intern(name []byte) string {
	if s := e.byName[string(name)]; s != nil {
		return s.Declared.Name
	}
	return string(name)
}

// Title is the method's title in a language: a translation, the declaration,
// or the name.
func (e *Endpoint) Title(s *Spec, lang string) string {
	if t, ok := e.text(lang, s.Declared.Name+".title"); ok {
		return t
	}
	if s.Declared.Title != "" {
		return s.Declared.Title
	}
	return s.Declared.Name
}

// Description says what the method does, in a language: a translation, the
// declaration, or the doc comment. It may be empty.
func (e *Endpoint) Description(s *Spec, lang string) string {
	if t, ok := e.text(lang, s.Declared.Name+".description"); ok {
		return t
	}
	return s.Declared.Description
}

// ParamText describes the parameter f of the method in a language; it may be
// empty.
func (e *Endpoint) ParamText(s *Spec, f *schema.Field, lang string) string {
	if t, ok := e.text(lang, s.Declared.Name+".params."+f.Name); ok {
		return t
	}
	return f.Description
}

// ErrorText is the text of a declared error in a language: a template over its
// data, such as "Only {{.Left}} left."
func (e *Endpoint) ErrorText(d rpcerrors.Declared, lang string) string {
	if t, ok := e.text(lang, "errors."+d.Name()); ok {
		return t
	}
	return d.Text()
}

func (e *Endpoint) text(lang, key string) (string, bool) {
	texts := e.registry.app.Texts
	if texts == nil {
		return "", false
	}
	return texts.Text(lang, e.Group, key)
}

// bound is how a method is called: the reflected function, hoisted.
type bound struct {
	fn            reflect.Value
	receiver      reflect.Value // the first argument of fn, for methods of a type
	takesContext  bool
	params        reflect.Type // the struct, nil without
	paramsPointer bool
	result        reflect.Type // nil without
	returnsError  bool
	in            *params.Plan
	out           *result.Plan
	key           *result.Plan // writes params, all fields, into keys
	spellings     spellings
	generation    string  // the key of the record that ends results
	ends          []ended // what a success ends
	lock          *lockWay
	file          string
	line          int
	args          sync.Pool // of *[3]reflect.Value
	values        sync.Pool // of *reflect.Value, params
}
