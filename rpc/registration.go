package rpc

import (
	"reflect"
	"slices"
	"strings"

	"github.com/facet-rpc/facet/rpc/internal/params"
	"github.com/facet-rpc/facet/rpc/internal/result"
	"github.com/facet-rpc/facet/rpc/schema"
)

// registration checks services and collects the faults.
type registration struct {
	app         App
	model       *schema.Model
	params      *params.Compiler
	results     *result.Compiler
	keys        *result.Compiler
	sources     sources
	methods     []*method
	faults      Faults
	unpublished []string
	edge        bool // a method of an edge: its name may be reserved
}

// method is one method on the way into the registry.
type method struct {
	service *Service // with what it left out filled in
	goName  string   // in the source
	label   string   // in faults: the declared name, else the Go name
	comment string
	spec    *Spec
}

func newRegistration(app App) *registration {
	r := &registration{app: app, sources: app.Sources, results: result.NewCompiler(), keys: result.NewWholeCompiler()}
	custom := map[string]bool{}
	var rules []params.Rule
	for _, rule := range app.Rules {
		if rule.Name == "" || rule.Func == nil {
			r.faults = append(r.faults, Fault{Problem: "a Rule has no Name or no Func", Mend: "give it both"})
			continue
		}
		custom[rule.Name] = true
		rules = append(rules, params.Rule{Name: rule.Name, Func: rule.Func, Message: rule.Message})
	}
	var err error
	if r.params, err = params.NewCompiler(rules); err != nil {
		r.faults = append(r.faults, Fault{Problem: "a Rule cannot be registered: " + err.Error(), Mend: "choose another name"})
		r.params, _ = params.NewCompiler(nil)
	}
	r.model = schema.NewModel(schema.Config{Enums: r.enums(), Rules: custom, Comments: r.sources.comments})
	return r
}

func (r *registration) checkApp() {
	if !methodName.MatchString(r.app.Name) {
		r.faults = append(r.faults, Fault{Problem: "App.Name is " + quoted(r.app.Name), Mend: "name the application with letters, digits, dots, dashes and underscores, such as shop"})
	}
	if strings.TrimSpace(r.app.Version) == "" {
		r.faults = append(r.faults, Fault{Problem: "App.Version is empty", Mend: "say which version of the application this is, such as 1.0.0"})
	}
	if wrong := wrongURL(r.app.Website); wrong != "" {
		r.faults = append(r.faults, Fault{Problem: "App.Website " + wrong, Mend: "write an address such as https://shop.example"})
	}
	read := map[string]bool{}
	for _, s := range r.app.Sources {
		switch {
		case s.err != nil:
			r.faults = append(r.faults, Fault{Problem: "the sources of package " + s.pkg + " cannot be read: " + s.err.Error(), Mend: "embed the Go files of that package"})
		case read[s.pkg]:
			r.faults = append(r.faults, Fault{Problem: "App.Sources has package " + s.pkg + " twice, and only the first would be read", Mend: "embed all its files in one embed.FS"})
		}
		read[s.pkg] = s.err == nil
	}
}

func quoted(s string) string {
	if s == "" {
		return "empty"
	}
	return `"` + s + `"`
}

// fault notes what is wrong with a method.
func (r *registration) fault(m *method, field, problem, mend string) {
	f := Fault{Service: m.service.Name, Method: m.label, Field: field, Problem: problem, Mend: mend}
	if !slices.Contains(r.faults, f) { // params and result may share a type
		r.faults = append(r.faults, f)
	}
}

// describer is a value that says how it is published.
type describer interface{ RPC() Service }

// service registers one value.
func (r *registration) service(value any) {
	v := reflect.ValueOf(value)
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		r.faults = append(r.faults, Fault{Problem: "a service is nil", Mend: "register a value"})
		return
	}
	if s, ok := value.(Service); ok {
		r.functions(s)
		return
	}
	t := v.Type()
	name := typeName(t)
	if d, ok := value.(describer); ok {
		if promoted(t, "RPC") {
			r.faults = append(r.faults, Fault{Service: name, Problem: "RPC() comes from an embedded type, so it describes that type and not this one", Mend: "write RPC() for " + name})
			return
		}
		r.described(v, d.RPC(), name)
		return
	}
	if t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(reflect.TypeFor[describer]()) {
		r.faults = append(r.faults, Fault{Service: name, Problem: "RPC() has a pointer receiver and a value was registered, so it would be ignored", Mend: "register &" + name + "{…}"})
		return
	}
	r.bare(v, name)
}

func typeName(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	return name
}

// complete fills in what a service left out and checks it.
func (r *registration) complete(s Service, name string) *Service {
	if s.Name == "" {
		s.Name = name
	}
	if s.Since == 0 {
		s.Since = 1
	}
	if len(s.Groups) == 0 {
		s.Groups = []string{DefaultGroup}
	}
	if len(s.Tags) == 0 && s.Name != "" {
		s.Tags = []string{s.Name}
	}
	say := func(problem, mend string) {
		r.faults = append(r.faults, Fault{Service: s.Name, Problem: problem, Mend: mend})
	}
	if s.Name == "" && !s.Bare {
		say("it has no name", "set Service.Name, or Bare for methods without a first part")
	}
	if s.Since < 1 || s.Until < 0 || s.Until > 0 && s.Until < s.Since {
		say("it lives in no version: Since and Until do not fit", "versions begin at 1, and Until is Since or later, or 0 for ever")
	}
	if wrong := wrongURL(s.Docs); wrong != "" {
		say("its Docs "+wrong, "write an address such as https://shop.example/docs")
	}
	return &s
}

// functions registers a Service of functions.
func (r *registration) functions(s Service) {
	c := r.complete(s, "")
	if len(s.Methods) == 0 {
		r.faults = append(r.faults, Fault{Service: s.Name, Problem: "it has no methods", Mend: "list them in Service.Methods"})
	}
	for i := range s.Methods {
		r.declared(c, &s.Methods[i])
	}
}

// described registers a value that has RPC().
func (r *registration) described(v reflect.Value, s Service, name string) {
	c := r.complete(s, name)
	r.comment(c, v.Type())
	if s.Methods == nil {
		r.all(v, c)
		return
	}
	listed := map[string]bool{"RPC": true}
	for i := range s.Methods {
		if m := r.declared(c, &s.Methods[i]); m != nil {
			listed[m.goName] = true
		}
	}
	for i := range v.Type().NumMethod() {
		if n := v.Type().Method(i).Name; !listed[n] {
			r.unpublished = append(r.unpublished, name+"."+n)
		}
	}
}

// bare registers a value without RPC(): all exported methods.
func (r *registration) bare(v reflect.Value, name string) {
	if name == "" {
		r.faults = append(r.faults, Fault{Problem: "a value of the type " + v.Type().String() + " is no service", Mend: "register a value of a named type with methods, or an rpc.Service"})
		return
	}
	c := r.complete(Service{}, name)
	r.comment(c, v.Type())
	r.all(v, c)
}

// comment describes a service by the doc comment of its type, if it does not
// describe itself.
func (r *registration) comment(s *Service, t reflect.Type) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s.Description == "" {
		s.Description, _ = r.sources.comments(t)
	}
}

// all registers every exported method of v.
func (r *registration) all(v reflect.Value, s *Service) {
	t := v.Type()
	if t.Kind() != reflect.Pointer && reflect.PointerTo(t).NumMethod() > t.NumMethod() {
		r.faults = append(r.faults, Fault{Service: s.Name, Problem: "it has methods with pointer receivers and a value was registered, so they would be ignored", Mend: "register &" + s.Name + "{…}"})
		return
	}
	published := 0
	for i := range t.NumMethod() {
		rm := t.Method(i)
		if rm.Name == "RPC" {
			continue
		}
		m := &method{service: s, goName: rm.Name, label: rm.Name}
		published++
		switch {
		case slices.Contains(standardMethods, rm.Name):
			r.fault(m, "", "the method belongs to an interface of the standard library and would be published", "declare what is published with RPC() rpc.Service")
			continue
		case promoted(t, rm.Name):
			r.fault(m, "", "the method comes from an embedded type and would be published", "declare what is published with RPC() rpc.Service")
			continue
		}
		m.spec = &Spec{Declared: Method{Func: rm.Func.Interface()}, Service: s.Name}
		m.spec.bound.fn, m.spec.bound.receiver = rm.Func, v
		m.comment = r.sources.method(pkgPath(t), typeName(t)+"."+rm.Name)
		r.method(m, rm.Type, true, describe(rm.Func))
	}
	if published == 0 {
		r.faults = append(r.faults, Fault{Service: s.Name, Problem: "it has no exported method", Mend: "export one, or register an rpc.Service"})
	}
}

func pkgPath(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath()
}

// standardMethods are never meant to be called by strangers.
var standardMethods = []string{
	"AppendBinary", "AppendText", "As", "Close", "Error", "Format", "GoString", "GobDecode", "GobEncode", "Is", "Len", "Less",
	"Lock", "MarshalBinary", "MarshalJSON", "MarshalJSONTo", "MarshalText", "MarshalYAML", "Read", "ReadFrom", "RoundTrip", "Scan",
	"Seek", "ServeHTTP", "Shutdown", "String", "Swap", "TryLock", "Unlock", "RLock", "RUnlock", "UnmarshalBinary", "UnmarshalJSON",
	"UnmarshalJSONFrom", "UnmarshalText", "Unwrap", "Value", "Write", "WriteTo",
}

// promoted reports whether the method of t comes from an embedded type: its
// code is then made by the compiler, on the struct and on the pointer to it.
func promoted(t reflect.Type, name string) bool {
	elem := t
	if t.Kind() == reflect.Pointer {
		elem = t.Elem()
	}
	if elem.Kind() != reflect.Struct {
		return false
	}
	embedded := false
	for i := range elem.NumField() {
		f := elem.Field(i)
		if f.Anonymous {
			_, value := f.Type.MethodByName(name)
			_, pointer := reflect.PointerTo(f.Type).MethodByName(name)
			embedded = embedded || value || pointer
		}
	}
	if !embedded {
		return false
	}
	for _, own := range []reflect.Type{elem, reflect.PointerTo(elem)} {
		if m, ok := own.MethodByName(name); ok && describe(m.Func).file != "<autogenerated>" {
			return false
		}
	}
	return true
}
