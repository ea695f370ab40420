package reader

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

func (r *reading) methods() error {
	methods := r.root.get("methods")
	if methods == nil || methods.kind != '[' {
		return r.root.fault("has no array of methods")
	}
	names := map[string]bool{}
	for _, n := range methods.items {
		n, err := r.follow(n)
		if err != nil {
			return err
		}
		m, err := r.method(n)
		if err != nil {
			return err
		}
		if names[m.Name] {
			return n.fault("is a second method with the name %.80q", m.Name)
		}
		names[m.Name] = true
		r.doc.Methods = append(r.doc.Methods, m)
	}
	return nil
}

// follow is n, or what it refers to if it is a Reference Object.
func (r *reading) follow(n *node) (*node, error) {
	for range 20 {
		if n.kind != '{' {
			return nil, n.fault("is not an object")
		}
		ref, err := n.text("$ref")
		if err != nil || ref == "" {
			return n, err
		}
		pointer, local := strings.CutPrefix(ref, "#")
		if !local {
			return nil, n.fault("refers to %.80q, which is another document; put what it means into this one", ref)
		}
		target := r.root.find(unescape(pointer))
		if target == nil {
			return nil, n.fault("refers to %.80q, and there is no such place in the document", ref)
		}
		n = target
	}
	return nil, n.fault("is a reference to a reference, without an end")
}

// unescape undoes the escapes of a URL fragment.
func unescape(pointer string) string {
	if plain, err := url.PathUnescape(pointer); err == nil {
		return plain
	}
	return pointer
}

func (r *reading) method(n *node) (*Method, error) {
	m := &Method{Deprecated: n.is("deprecated")}
	var err error
	if m.Name, err = n.text("name"); err != nil {
		return nil, err
	}
	if m.Name == "" {
		return nil, n.fault("is a method without a name")
	}
	if m.Text, err = r.words(n); err != nil {
		return nil, err
	}
	structure, err := n.text("paramStructure")
	if err != nil {
		return nil, err
	}
	m.ByPosition = structure == "by-position"
	params, err := n.array("params")
	if err != nil {
		return nil, err
	}
	for _, p := range params {
		d, err := r.descriptor(p)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(m.Params, func(x *Property) bool { return x.Name == d.Name }) {
			return nil, p.fault("is a second parameter with the name %.80q", d.Name)
		}
		m.Params = append(m.Params, d)
	}
	if result := n.get("result"); result != nil && result.kind != 'n' {
		d, err := r.descriptor(result)
		if err != nil {
			return nil, err
		}
		m.Result, m.ResultText = d.Type, d.Text
	}
	return m, r.errorsOf(m, n)
}

// words are the description, else the summary.
func (r *reading) words(n *node) (string, error) {
	text, err := n.text("description")
	if err != nil || text != "" {
		return text, err
	}
	return n.text("summary")
}

// descriptor reads a Content Descriptor Object.
func (r *reading) descriptor(n *node) (*Property, error) {
	n, err := r.follow(n)
	if err != nil {
		return nil, err
	}
	p := &Property{Required: n.is("required"), Deprecated: n.is("deprecated")}
	if p.Name, err = n.text("name"); err != nil {
		return nil, err
	}
	if p.Name == "" {
		return nil, n.fault("has no name")
	}
	schema := n.get("schema")
	if schema == nil {
		return nil, n.fault("has no schema")
	}
	r.base = schema
	if p.Type, err = r.schema(schema); err != nil {
		return nil, err
	}
	p.Type = r.settle(p.Type)
	if p.Text, err = r.words(n); err == nil && p.Text == "" {
		p.Text = p.Type.Text
	}
	return p, err
}

func (r *reading) errorsOf(m *Method, n *node) error {
	list, err := n.array("errors")
	if err != nil {
		return err
	}
	for _, item := range list {
		e, err := r.error(item)
		if err != nil {
			return err
		}
		if !slices.Contains(m.Errors, e) {
			m.Errors = append(m.Errors, e)
		}
	}
	return nil
}

// error reads an Error Object. Two that say the same are one.
func (r *reading) error(n *node) (*Error, error) {
	n, err := r.follow(n)
	if err != nil {
		return nil, err
	}
	if e := r.errors[n]; e != nil {
		return e, nil
	}
	e := &Error{at: string(n.value())}
	code, ok := n.whole("code")
	if !ok || code != int(int32(code)) {
		return nil, n.fault("is an error without a code that is a whole number of 32 bits")
	}
	e.Code = code
	if e.Message, err = n.text("message"); err != nil {
		return nil, err
	}
	if data := n.get("data"); data != nil && (data.kind == '{' || data.kind == 't') {
		r.base = data
		if e.Data, err = r.schema(data); err != nil {
			return nil, err
		}
		e.Data = r.settle(e.Data)
		e.Kind, e.Details = kindOf(e.Data)
	}
	switch {
	case e.Kind != "":
		e.Name = e.Kind
	case n.at.Parent() == "/components/errors":
		e.Name = n.at.LastToken()
	default:
		e.Name = "Code" + strings.Replace(strconv.Itoa(code), "-", "Minus", 1)
	}
	for _, other := range r.doc.Errors {
		if other.at == e.at {
			r.errors[n] = other
			return other, nil
		}
	}
	r.errors[n] = e
	r.doc.Errors = append(r.doc.Errors, e)
	return e, nil
}

// kindOf is the constant exception of error.data, and what details are.
func kindOf(data *Type) (kind string, details *Type) {
	if data.Kind != Object {
		return "", nil
	}
	for _, p := range data.Properties {
		switch {
		case p.Name == "exception" && p.Type.Kind == Literal && len(p.Type.Values) == 1:
			kind, _ = text(p.Type.Values[0])
		case p.Name == "details":
			details = p.Type
		}
	}
	if kind == "" {
		details = nil
	}
	return kind, details
}
