package schema

import (
	"reflect"
	"slices"
	"sync"
)

// Config is what an application tells a [Model] about its types.
type Config struct {
	// Enums lists the types that have a closed set of values.
	Enums []Enum
	// Rules names the validate rules that the application registers itself;
	// a rule that is neither here nor validator's own is a fault.
	Rules map[string]bool
	// Comments gives the doc comment of a type and those of its fields by Go
	// name, as written; nil: no comments.
	Comments func(t reflect.Type) (doc string, fields map[string]string)
}

// Model holds the description of every type it was asked for. It is safe for
// concurrent use.
type Model struct {
	cfg    Config
	enums  map[reflect.Type]Enum
	module string // the program's own; empty: not known

	mu      sync.Mutex
	types   map[reflect.Type]*Type
	all     []*Type // in the order they were met
	found   map[*Type][]finding
	taken   map[string]*Type // the names given
	settled bool             // a schema was rendered: names no longer change
}

// NewModel returns an empty model. Faults in cfg are reported for the types
// they concern.
func NewModel(cfg Config) *Model {
	m := &Model{
		cfg: cfg, enums: map[reflect.Type]Enum{}, module: mainModule(), types: map[reflect.Type]*Type{},
		found: map[*Type][]finding{}, taken: map[string]*Type{},
	}
	for _, e := range cfg.Enums {
		if e.Type != nil {
			m.enums[e.Type] = e
		}
	}
	return m
}

// Of describes t as the result of a method, or wherever a value only leaves
// the program. A nil slice of faults means that t can be published; the Type
// is complete only then. The same t always gives the same Type.
func (m *Model) Of(t reflect.Type) (*Type, []Fault) { return m.of(t, false) }

// OfParams describes t as the params of a method: as [Model.Of], and every
// field at every depth must carry a json tag, and no interface but any may
// stand in it, because the decoder could not choose a type.
func (m *Model) OfParams(t reflect.Type) (*Type, []Fault) { return m.of(t, true) }

func (m *Model) of(rt reflect.Type, params bool) (*Type, []Fault) {
	m.mu.Lock()
	defer m.mu.Unlock()
	first := len(m.all)
	t := m.build(rt)
	fresh := m.all[first:]
	for _, u := range fresh {
		u.Ruled = ruled(u)
	}
	for _, u := range fresh {
		m.check(u)
	}
	for _, u := range reach(t) {
		if !params && (!m.settled || slices.Contains(fresh, u)) {
			u.result = true
		}
	}
	m.name(fresh)
	return t, m.faults(t, params)
}

// build returns the Type of rt, made now or before. A new Type is in m.types
// before its parts are built: a recursive type finds itself there.
func (m *Model) build(rt reflect.Type) *Type {
	if t := m.types[rt]; t != nil {
		return t
	}
	t := &Type{Go: rt, Len: -1}
	m.types[rt] = t
	m.all = append(m.all, t)
	if rt.Name() != "" && m.cfg.Comments != nil {
		t.Doc, _ = m.cfg.Comments(rt)
	}
	m.classify(t)
	switch t.Kind {
	case Object:
		m.fields(t)
	case Array, Pointer:
		t.Elem = m.build(rt.Elem())
	case Map:
		t.Key, t.Elem = m.build(rt.Key()), m.build(rt.Elem())
		m.checkKey(t)
	}
	if e, ok := m.enums[rt]; ok {
		m.enum(t, e)
	}
	return t
}

// check looks at what needs the whole graph: rules against the type they
// stand on, defaults and examples against theirs.
func (m *Model) check(t *Type) {
	for i := range t.Fields {
		f := &t.Fields[i]
		m.checkRules(t, f)
		m.defaults(t, f)
	}
}

// ruled: a validate tag stands on a field of t or below it.
func ruled(t *Type) bool {
	for _, u := range reach(t) {
		for i := range u.Fields {
			if u.Fields[i].Rules != nil {
				return true
			}
		}
		if (u.Kind == Custom || u.Kind == Text) && hasValidateTag(u.Go, map[reflect.Type]bool{}) {
			return true
		}
	}
	return false
}

// hasValidateTag looks into a struct that decodes itself: validator walks
// through its fields all the same.
func hasValidateTag(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return hasValidateTag(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			sf := t.Field(i)
			if !sf.IsExported() && !sf.Anonymous {
				continue
			}
			if sf.Tag.Get("validate") != "" || hasValidateTag(sf.Type, seen) {
				return true
			}
		}
	}
	return false
}
