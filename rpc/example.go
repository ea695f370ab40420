package rpc

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/go-json-experiment/json/jsontext"
)

// Example is a whole call of a method that succeeds: what is sent, and what
// comes back. Documents show it. Registration refuses one whose parameters the
// method would refuse; rpctest.Examples makes the calls in a test and compares
// the results.
type Example struct {
	// Name tells the examples of a method apart. Required.
	Name string
	// Summary says in a few words what the example shows, Description in more.
	Summary, Description string
	// Params is what is sent: a value of the method's params type, or a
	// map[string]any of its parameters by name; nil: none. What a value of the
	// params type leaves out by omitempty or omitzero is not sent.
	Params any
	// Result is what comes back, a value of the method's result type; nil: it
	// is different each time, as a new key or the time of day, and not shown.
	Result any
}

// Exchange is an [Example] as it goes over the wire.
type Exchange struct {
	Name, Summary, Description string
	// Params is the object that is sent, its members in the order of the
	// parameters; {} for none.
	Params []byte
	// Result is what comes back, null from a method without a result; nil: it
	// was not declared.
	Result []byte
}

// checkExamples makes the exchanges of a method of what it declares, and finds
// those that would not come out so.
func (r *registration) checkExamples(m *method) {
	names := map[string]bool{}
	for i := range m.spec.Declared.Examples {
		e := &m.spec.Declared.Examples[i]
		say := func(problem, mend string) {
			r.fault(m, "", "its example "+exampleName(e, i)+" "+problem, mend)
		}
		switch {
		case strings.TrimSpace(e.Name) == "":
			say("has no Name", "name it for what it shows")
		case names[e.Name]:
			say("has the Name of another one", "give each example of a method its own")
		}
		names[e.Name] = true
		x := Exchange{Name: e.Name, Summary: e.Summary, Description: e.Description}
		var ok bool
		if x.Params, ok = r.exampleParams(m, e, say); !ok {
			continue
		}
		if x.Result, ok = r.exampleResult(m, e, say); ok {
			m.spec.Examples = append(m.spec.Examples, x)
		}
	}
}

// exampleName is how a fault calls an example.
func exampleName(e *Example, i int) string {
	if strings.TrimSpace(e.Name) == "" {
		return fmt.Sprintf("number %d", i+1)
	}
	return quoted(e.Name)
}

// exampleParams encodes the params of an example, decodes them as a caller's
// and checks the rules on them.
func (r *registration) exampleParams(m *method, e *Example, say func(problem, mend string)) ([]byte, bool) {
	raw, err := r.encodeParams(m, e.Params)
	if err != nil {
		say("has Params that cannot be sent: "+err.Error(), "write a value of the method's params type, or a map[string]any")
		return nil, false
	}
	plan := m.spec.bound.in
	if plan == nil {
		plan = r.params.None()
	}
	v := plan.New()
	violations, err := plan.Decode(raw, v, false)
	if err == nil && raw[0] != '{' {
		err = fmt.Errorf("they are %s and no object", raw)
	}
	if err != nil {
		say("has Params that cannot be sent: "+err.Error(), "write a value of the method's params type, or a map[string]any")
		return nil, false
	}
	for _, x := range plan.Check(v, violations) {
		say("would be refused: "+where(x)+" "+x.Message, "write parameters that the method takes")
	}
	return m.inOrder(raw), len(violations) == 0
}

func where(v rpcerrors.Violation) string {
	if v.Pointer == "" {
		return "params"
	}
	return v.Pointer
}

// encodeParams writes the params of an example as an object.
func (r *registration) encodeParams(m *method, params any) ([]byte, error) {
	v := reflect.ValueOf(params)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	switch {
	case params == nil || v.Kind() == reflect.Pointer:
		return []byte("{}"), nil
	case v.Type() == m.spec.bound.params:
		raw, _, err := r.results.Plan(m.spec.Params).Append(nil, v)
		return raw, err
	}
	t, _ := r.model.Of(reflect.TypeFor[any]())
	raw, _, err := r.results.Plan(t).Append(nil, reflect.ValueOf(&params).Elem())
	return raw, err
}

// inOrder writes the members of params in the order of the parameters.
func (m *method) inOrder(raw []byte) []byte {
	if m.spec.Params == nil {
		return raw
	}
	members := map[string]jsontext.Value{}
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	_, _ = d.ReadToken() // raw was decoded before: it is a right object
	for d.PeekKind() == '"' {
		name, _ := d.ReadToken()
		key := name.String()
		value, _ := d.ReadValue()
		members[key] = value.Clone()
	}
	out := []byte{'{'}
	for i := range m.spec.Params.Fields {
		name := m.spec.Params.Fields[i].Name
		if value, ok := members[name]; ok {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out, _ = jsontext.AppendQuote(out, name)
			out = append(append(out, ':'), value...)
		}
	}
	return append(out, '}')
}

// exampleResult encodes the result of an example as that of a call.
func (r *registration) exampleResult(m *method, e *Example, say func(problem, mend string)) ([]byte, bool) {
	b := &m.spec.bound
	switch {
	case b.result == nil && e.Result != nil:
		say("has a Result, and the method returns none", "leave it out")
		return nil, false
	case b.result == nil:
		return null, true
	case e.Result == nil:
		return nil, true
	}
	v := reflect.New(b.result).Elem()
	got := reflect.ValueOf(e.Result)
	if !got.Type().AssignableTo(b.result) {
		say("has a Result of the type "+got.Type().String()+", and the method returns "+b.result.String(), "write a value of that type")
		return nil, false
	}
	v.Set(got)
	raw, _, err := b.out.Append(nil, v)
	if err != nil {
		say("has a Result that cannot be sent: "+err.Error(), "write one that JSON can carry")
		return nil, false
	}
	return raw, true
}
