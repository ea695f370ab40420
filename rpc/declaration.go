package rpc

import (
	"fmt"
	"reflect"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc/schema"
)

// declared registers a method of an allow-list.
func (r *registration) declared(s *Service, d *Method) *method {
	m := &method{service: s, label: d.Name, spec: &Spec{Declared: *d, Service: s.Name}}
	fn := reflect.ValueOf(d.Func)
	var f function
	if fn.Kind() == reflect.Func && !fn.IsNil() {
		f = describe(fn)
	}
	m.goName = f.name
	if m.label == "" {
		m.label = f.name
	}
	if m.label == "" {
		m.label = "(unnamed)"
	}
	if fn.Kind() != reflect.Func || fn.IsNil() {
		r.fault(m, "", "Func is no function", "name a method such as c.Search, or a function")
		return nil
	}
	if f.receiver != "" && !f.value {
		r.fault(m, "", "Func is the method expression "+f.receiver+"."+f.name+", which wants the receiver as its first argument", "write the method value: c."+f.name+" for a variable c")
		return m
	}
	if f.name == "" && d.Name == "" {
		r.fault(m, "", "a closure or a generic function has no name of its own", "set Method.Name")
		return m
	}
	m.spec.bound.fn = fn
	name := f.name
	if f.receiver != "" {
		name = f.receiver + "." + name
	}
	m.comment = r.sources.method(f.pkg, name)
	r.method(m, fn.Type(), false, f)
	return m
}

// method checks one method and adds it.
func (r *registration) method(m *method, t reflect.Type, receiver bool, f function) {
	b := &m.spec.bound
	b.file, b.line = f.file, f.line
	if problem := b.sign(t, receiver); problem != "" {
		r.fault(m, "", "the signature "+signature(t, receiver)+" cannot be published: "+problem, signatures)
		return
	}
	r.inherit(m, f)
	r.checkName(m)
	r.checkVersions(m)
	m.spec.ServiceDescription, m.spec.ServiceDocs = m.service.Description, m.service.Docs
	b.generation = generationKey(r.app.Name, m.spec)
	r.types(m)
	if m.spec.Params != nil || b.params == nil {
		r.checkDeclaration(m)
	}
	if (m.spec.Params != nil || b.params == nil) && (b.out != nil || b.result == nil) {
		r.checkExamples(m)
	}
	r.methods = append(r.methods, m)
}

// signature is the type of a function without its receiver.
func signature(t reflect.Type, receiver bool) string {
	s := t.String()
	if receiver {
		_, rest, more := strings.Cut(s, ", ")
		if t.NumIn() == 1 || !more {
			return "func()" + s[strings.Index(s, ")")+1:]
		}
		return "func(" + rest
	}
	return s
}

// inherit fills in what the declaration leaves to the service.
func (r *registration) inherit(m *method, f function) {
	d, s := &m.spec.Declared, m.service
	name := d.Name
	if name == "" {
		name = lowerCamel(f.name)
	}
	if !s.Bare && !r.edge {
		name = s.Name + "." + name
	}
	d.Name = name
	if len(d.Groups) == 0 {
		d.Groups = s.Groups
	}
	if d.Since == 0 {
		d.Since = s.Since
	}
	if d.Until == 0 {
		d.Until = s.Until
	}
	if len(d.Tags) == 0 {
		d.Tags = s.Tags
	}
	text, instead := schema.SplitDeprecated(m.comment)
	if d.Description == "" {
		d.Description = text
	}
	if d.Deprecated == "" {
		d.Deprecated = instead
	}
}

func (r *registration) checkName(m *method) {
	d := &m.spec.Declared
	switch {
	case !methodName.MatchString(d.Name):
		r.fault(m, "", "its name would be "+quoted(d.Name), "a name has 1 to 128 letters, digits, underscores, dots and dashes: set Method.Name or Service.Name")
	case r.edge:
	case strings.HasPrefix(d.Name, "rpc."):
		r.fault(m, "", "its name would be "+quoted(d.Name)+", and names that begin with rpc. belong to JSON-RPC", "choose another name")
	case d.Name == "ping":
		r.fault(m, "", "its name would be ping, which every /rpc endpoint answers itself", "choose another name, or a service with a name")
	}
	for _, g := range d.Groups {
		if !groupName.MatchString(g) {
			r.fault(m, "", "its group is "+quoted(g), "a group has 1 to 64 lower-case letters, digits, dashes and underscores")
		}
	}
}

func (r *registration) checkVersions(m *method) {
	d := &m.spec.Declared
	if d.Since < 1 || d.Until < 0 || d.Until > 0 && d.Until < d.Since {
		r.fault(m, "", fmt.Sprintf("it lives in no version: Since %d, Until %d", d.Since, d.Until), "versions begin at 1, and Until is Since or later, or 0 for ever")
	}
}

// types describes params and result and compiles how they are read and written.
func (r *registration) types(m *method) {
	b := &m.spec.bound
	if b.params != nil {
		t, faults := r.model.OfParams(b.params)
		r.schemaFaults(m, faults)
		if len(faults) == 0 {
			plan, faults := r.params.Plan(t)
			r.schemaFaults(m, faults)
			b.in = plan
			m.spec.Params = t
			if m.spec.Declared.Cache.TTL > 0 || m.spec.Declared.Idempotency.TTL > 0 {
				b.key = r.keys.Plan(t)
			}
			m.spec.ByPosition = byPosition(t)
			r.missedEnums(m, t, map[*schema.Type]bool{})
		}
	}
	if b.result != nil {
		t, faults := r.model.Of(b.result)
		r.schemaFaults(m, faults)
		if len(faults) == 0 {
			b.out = r.results.Plan(t)
			m.spec.Result = t
			r.missedEnums(m, t, map[*schema.Type]bool{})
		}
	}
	for _, e := range m.spec.Declared.Errors {
		if e == nil || e.DataType() == nil {
			continue
		}
		_, faults := r.model.Of(e.DataType())
		r.schemaFaults(m, faults)
	}
}

func (r *registration) schemaFaults(m *method, faults []schema.Fault) {
	for _, f := range faults {
		field := f.Field
		if f.Type != nil && f.Type.Name() != "" {
			field = f.Type.Name()
			if f.Field != "" {
				field += "." + f.Field
			}
		}
		r.fault(m, field, f.Problem, f.Mend)
	}
}

// byPosition reports whether no optional field stands before a required one.
func byPosition(t *schema.Type) bool {
	optional := false
	for i := range t.Fields {
		if t.Fields[i].Required && optional {
			return false
		}
		optional = optional || !t.Fields[i].Required
	}
	return true
}

// checkDeclaration finds contradictions in what a method declares.
func (r *registration) checkDeclaration(m *method) {
	d := &m.spec.Declared
	say := func(problem, mend string) { r.fault(m, "", problem, mend) }
	if d.Hints.ReadOnly == Yes {
		switch {
		case d.Hints.Destructive == Yes:
			say("its hints say ReadOnly and Destructive", "leave one of them out")
		case m.spec.locks():
			say("its hints say ReadOnly, and it has a Lock", "a method that changes nothing needs no lock: leave one of them out")
		case len(d.Invalidates)+len(d.InvalidatesExact) > 0:
			say("its hints say ReadOnly, and it Invalidates results", "a method that changes nothing ends no results: leave one of them out")
		}
	}
	if d.Cache.TTL > 0 && d.Hints.ReadOnly == No {
		say("it has a Cache, and its hints say that it is not ReadOnly", "a hit does not run the method: leave one of them out")
	}
	if d.Cache.TTL < 0 || d.Idempotency.TTL < 0 || d.Cache.StaleFor < 0 || d.Timeout < 0 || d.Lock.Wait < 0 || d.Lock.Hold < 0 {
		say("a duration is negative", "write a duration of 0 or more")
	}
	if d.Cache.TTL > 0 && d.Idempotency.TTL > 0 {
		say("it has a Cache and Idempotency: one says that calls change nothing, the other that they do", "leave one of them out")
	}
	if c := d.Cache; c.TTL == 0 && (c.Shared || c.LanguageFree || c.By != nil || c.Env != nil || c.StaleFor != 0) {
		say("it has a Cache without TTL, so nothing is kept", "set Cache.TTL")
	}
	if l := d.Lock; !m.spec.locks() && (l.Wait > 0 || l.Hold > 0) {
		say("it has a Lock without On and Name, so nothing is locked", "set Lock.On to a parameter, or Lock.Name")
	}
	if d.Lock.On != "" {
		way, problem := lockPath(m.spec.Params, d.Lock.On)
		if problem != "" {
			say("Lock.On is "+quoted(d.Lock.On)+": "+problem, "name a parameter with one value: a text, an integer, a boolean, or one inside an object as /order/id")
		}
		m.spec.bound.lock = way
	}
	if wrong := wrongURL(d.Docs); wrong != "" {
		say("its Docs "+wrong, "write an address such as https://shop.example/docs/search")
	}
	r.checkErrors(m, d.Errors)
}

func (r *registration) checkErrors(m *method, errs []rpcerrors.Declared) {
	codes := map[int]string{}
	for _, e := range errs {
		switch {
		case e == nil:
			r.fault(m, "", "one of its Errors is nil", "list errors made by errors.Define")
		case codes[e.Code()] != "" && codes[e.Code()] != e.Name():
			r.fault(m, "", fmt.Sprintf("its Errors %s and %s have the same code %d", codes[e.Code()], e.Name(), e.Code()), "give each error its own code")
		default:
			codes[e.Code()] = e.Name()
		}
	}
}
