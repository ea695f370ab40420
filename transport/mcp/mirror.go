package mcp

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/scan"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json"
)

// A field of params with the tag mcp:"header=Region" is repeated by clients
// in the header Mcp-Param-Region, so that what stands between can route by it
// without reading the body (2026-07-28, server, tools, "x-mcp-header"). Do
// not mark secrets: everything on the way reads headers.

// keyMirror is the keyword that tells clients.
const keyMirror = "x-mcp-header"

// mirror is an argument that a header repeats.
type mirror struct {
	header string   // as net/http spells it
	shown  string   // as the schema does
	path   []string // of the argument
}

// mirrored are the arguments of one method that headers repeat.
type mirrored struct {
	spec *rpc.Spec
	all  []mirror
}

// mirrorTag is the header that a field's tag names, "" for none.
func mirrorTag(f *schema.Field) (name string, err error) {
	tag, ok := f.Tag("mcp")
	if !ok {
		return "", nil
	}
	name, ok = strings.CutPrefix(tag, "header=")
	switch {
	case !ok:
		return "", fmt.Errorf(`the field %s has the tag mcp:%q; write mcp:"header=Name" or drop it`, f.GoName, tag)
	case name == "" || strings.ContainsFunc(name, func(r rune) bool { return !tokenRune(r) }):
		return "", fmt.Errorf("the field %s asks for the header %q, which is no name of one; use letters, digits and dashes", f.GoName, name)
	}
	return name, nil
}

// tokenRune is the grammar of header names (RFC 9110 section 5.6.2).
func tokenRune(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' ||
		r != 0 && strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

// mirrorKeyword is the keyword of a field in schemas.
func mirrorKeyword(f *schema.Field) map[string]any {
	if name, err := mirrorTag(f); err == nil && name != "" {
		return map[string]any{keyMirror: name}
	}
	return nil
}

// property is what counts of a schema here.
type property struct {
	Type       any                 `json:"type"`
	Header     string              `json:"x-mcp-header"`
	Properties map[string]property `json:"properties"`
}

// mirrorsOf finds the arguments of a method that headers repeat. It is an
// error if clients would drop the tool because of one.
func mirrorsOf(model *schema.Model, s *rpc.Spec) ([]mirror, error) {
	var fault error
	asked := map[string]string{} // fields by header
	style := schema.Style{Extra: func(f *schema.Field) map[string]any {
		name, err := mirrorTag(f)
		switch {
		case err != nil:
			fault = err
		case name != "":
			asked[name] = f.GoName
		}
		return mirrorKeyword(f)
	}}
	text, err := schema.Encode(model.InputObject(s.Params, style))
	if err != nil || fault != nil || len(asked) == 0 {
		return nil, cmp.Or(fault, err)
	}
	var root property
	if err := json.Unmarshal(text, &root); err != nil {
		return nil, err
	}
	all, err := root.collect(nil, nil)
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		delete(asked, m.shown)
	}
	for name, field := range asked {
		return nil, fmt.Errorf("the field %s asks for the header %s, but clients find none below a list, a map or a named type; "+
			"move it to the params themselves, or into a struct type without a name", field, name)
	}
	return all, nil
}

// collect appends the mirrors below a schema that are reached through
// properties alone, in a fixed order.
func (p property) collect(path []string, found []mirror) (_ []mirror, err error) {
	var names []string
	for name := range p.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		one, at := p.Properties[name], append(slices.Clone(path), name)
		if one.Header != "" {
			m := mirror{http.CanonicalHeaderKey("Mcp-Param-" + one.Header), one.Header, at}
			switch {
			case one.Type != "string" && one.Type != "integer" && one.Type != "boolean":
				return nil, fmt.Errorf("the argument %s asks for the header %s, but only plain strings, integers and booleans have one: "+
					"no floats, pointers, named enums or structs", strings.Join(at, "."), one.Header)
			case slices.ContainsFunc(found, func(o mirror) bool { return o.header == m.header }):
				return nil, fmt.Errorf("the argument %s asks for the header %s, which another one has; give each its own",
					strings.Join(at, "."), one.Header)
			}
			found = append(found, m)
		}
		if found, err = one.collect(at, found); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// mirrors are those of the methods of an endpoint, by name.
func (e Edge) mirrors(r *rpc.Registry, specs []*rpc.Spec) (map[string]mirrored, error) {
	var all map[string]mirrored
	for _, s := range specs {
		found, err := mirrorsOf(r.Model(), s)
		if err != nil {
			return nil, fmt.Errorf("mcp: %s of group %s: %w", s.Name(), e.Group, err)
		}
		if len(found) > 0 {
			if all == nil {
				all = map[string]mirrored{}
			}
			all[s.Name()] = mirrored{s, found}
		}
	}
	return all, nil
}

// checkMirrors holds the headers Mcp-Param-* of tools/call against its
// arguments (Streamable HTTP, "Server Behavior for Custom Headers"). A tool
// that the caller may not see has none.
func (t *turn) checkMirrors(h http.Header) *rpcerrors.Error {
	if len(t.mirrors) == 0 || t.params.name.state != given {
		return nil
	}
	of, ok := t.mirrors[t.tool(t.params.name.value)]
	if !ok || !t.door.Visible(t.visit.Caller, of.spec) {
		return nil
	}
	for i := range of.all {
		if e := of.all[i].check(h, t.params.arguments); e != nil {
			return e
		}
	}
	return nil
}

// check compares one header. A value that is no string, number or boolean is
// wrong in itself, and told as such by the call.
func (m *mirror) check(h http.Header, arguments []byte) *rpcerrors.Error {
	sent, n := field(h, m.header)
	name := "Mcp-Param-" + m.shown
	value := m.value(arguments)
	plain := value != nil && value[0] != '{' && value[0] != '[' && value[0] != 'n'
	switch {
	case n > 1:
		return headerMismatch.New("The header " + name + " is given more than once.")
	case n == 0 && plain:
		return headerMismatch.New("The header " + name + " is missing.")
	case n == 0:
		return nil
	case !plain:
		return headerMismatch.New("The header " + name + " repeats an argument that is not there.")
	case strings.ContainsFunc(sent, func(r rune) bool { return r != '\t' && (r < ' ' || r > '~') }):
		return headerMismatch.New("The header " + name + " has characters that need base64.")
	}
	text, ok := decodeValue(sent)
	switch {
	case !ok:
		return headerMismatch.New("The header " + name + " is not valid base64.")
	case !repeats(text, value):
		return headerMismatch.New("The header " + name + " is not what the body says.")
	}
	return nil
}

// value is the argument at the mirror's path, nil if there is none.
func (m *mirror) value(arguments []byte) []byte {
	if len(arguments) == 0 {
		return nil
	}
	r := reader{scan.Scanner{Src: arguments}}
	for _, step := range m.path {
		if r.Peek() != '{' || !r.enter(step) {
			return nil
		}
	}
	return r.value()
}

// repeats reports whether the text of a header says what a plain JSON value
// does. Integers compare as numbers.
func repeats(text string, value []byte) bool {
	switch value[0] {
	case '"':
		r := reader{scan.Scanner{Src: value}}
		s, err := r.str()
		return err == nil && string(s) == text
	case 't', 'f':
		return string(value) == text
	}
	a, ok := safeInteger(text)
	b, also := safeInteger(string(value))
	return ok && also && a == b
}

// safeInteger reads an integer that a float64 holds exactly: intermediaries
// compare such.
func safeInteger(s string) (float64, bool) {
	if strings.Trim(s, "0123456789+-.eE") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil && f == math.Trunc(f) && math.Abs(f) <= 1<<53-1
}
