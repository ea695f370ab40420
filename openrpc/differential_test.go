package openrpc_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/rpc"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// documented is a document read back, with its schemas compiled as draft 7.
type documented struct {
	Methods []struct {
		Name           string       `json:"name"`
		ParamStructure string       `json:"paramStructure"`
		Params         []paramOfDoc `json:"params"`
		Errors         []struct {
			Ref string `json:"$ref"`
		} `json:"errors"`
	} `json:"methods"`
	Components struct {
		Errors map[string]struct {
			Code int `json:"code"`
		} `json:"errors"`
	} `json:"components"`
	compiler *jsonschema.Compiler
}

func read(t *testing.T, doc []byte) *documented {
	t.Helper()
	d := &documented{compiler: jsonschema.NewCompiler()}
	if err := json.Unmarshal(doc, d); err != nil {
		t.Fatal(err)
	}
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	d.compiler.DefaultDraft(jsonschema.Draft7)
	d.compiler.AssertFormat()
	if err := d.compiler.AddResource("doc.json", root); err != nil {
		t.Fatal(err)
	}
	return d
}

// allows says whether value is right by the schema at the pointer.
func (d *documented) allows(t *testing.T, pointer, value string) error {
	t.Helper()
	s, err := d.compiler.Compile("doc.json#" + pointer)
	if err != nil {
		t.Fatalf("%s is no schema: %v", pointer, err)
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(value))
	if err != nil {
		t.Fatalf("%s: %v", value, err)
	}
	return s.Validate(v)
}

// documents checks that an error a method ended with is one of those the
// document lists for it: the code, and data as its schema says.
func (d *documented) documents(t *testing.T, method string, err *rpcerrors.Error) {
	t.Helper()
	if err.Is(rpcerrors.MethodNotFound) {
		return
	}
	var wire struct {
		Data jsontext.Value `json:"data"`
	}
	if err := json.Unmarshal(err.AppendJSON(nil), &wire); err != nil {
		t.Fatal(err)
	}
	for _, m := range d.Methods {
		for _, ref := range m.Errors {
			key := strings.TrimPrefix(ref.Ref, "#/components/errors/")
			if m.Name == method && d.Components.Errors[key].Code == err.Code() &&
				d.allows(t, "/components/errors/"+key+"/data", string(wire.Data)) == nil {
				return
			}
		}
	}
	t.Errorf("%s ends with %d %s, which is not among its errors", method, err.Code(), wire.Data)
}

// candidates are tried for every parameter: each is allowed by the schema and
// by the executor, or by neither.
var candidates = []string{
	`null`, `true`, `0`, `1`, `-1`, `1.0`, `1e2`, `0.5`, `101`, `9007199254740993`, `""`, `"x"`, `"fresh"`, `"Fresh"`,
	`"1m30s"`, `"90"`, `"` + strings.Repeat("ж", 200) + `"`, `"` + strings.Repeat("ж", 201) + `"`, `[]`, `[null]`, `{}`,
	`{"name":"a","kids":[]}`, `{"name":"","kids":[]}`, `{"name":"a","kids":null}`, `{"name":"a"}`,
	`{"name":"a","kids":[{"name":"b","kids":[]},null]}`, `{"name":"a","kids":[{"name":"b","kids":[],"more":1}]}`,
	`{"a":1,"b":-2}`, `{"a":0.5}`, `{"a":null}`, `{"weight":0.5}`, `{"weight":"heavy"}`,
	`{"uri":"file:///a"}`, `{"uri":"file:///a","text":"b","blob":"AAE="}`, `{"uri":1}`,
}

// TestCalledAsDocumented calls every method of a document with what the
// document says and with what it does not say.
//
// R-O02 R-V02
func TestCalledAsDocumented(t *testing.T) {
	exec := newExecutor(t)
	caller := &rpc.Caller{ID: "anna"}
	for version := 1; version <= 2; version++ {
		endpoint := exec.Registry().Endpoint(rpc.DefaultGroup, version)
		doc := document(t, exec.Registry(), version, openrpc.Options{
			Visible: func(s *rpc.Spec) bool { return exec.Visible(caller, s) },
		})
		d := read(t, doc)
		call := func(method, params string) (string, *rpcerrors.Error) {
			r, err := exec.Do(context.Background(), &rpc.Call{
				Endpoint: endpoint, Method: method, Params: []byte(params), Caller: caller, Language: "en",
			})
			if err != nil {
				d.documents(t, method, err)
				return "", err
			}
			defer r.Sent()
			return string(r.Bytes()), nil
		}
		for i, m := range d.Methods {
			t.Run(fmt.Sprintf("v%d/%s", version, m.Name), func(t *testing.T) {
				values := right(t, d, i)
				for _, params := range accepted(m.Params, values, m.ParamStructure) {
					result, err := call(m.Name, params)
					if err != nil && (err.Is(rpcerrors.InvalidParams) || err.Is(rpcerrors.MethodNotFound)) {
						t.Errorf("%s is documented and refused: %v %+v", params, err, err.Violations())
					}
					if err == nil {
						if bad := d.allows(t, fmt.Sprintf("/methods/%d/result/schema", i), result); bad != nil {
							t.Errorf("the result %s is not as documented: %v", result, bad)
						}
					}
				}
				for _, params := range refused(m.Params, values, m.ParamStructure) {
					if _, err := call(m.Name, params); err == nil || !err.Is(rpcerrors.InvalidParams) {
						t.Errorf("%s is not documented and gives %v", params, err)
					}
				}
				for j, p := range m.Params {
					for _, value := range candidates {
						pointer := fmt.Sprintf("/methods/%d/params/%d/schema", i, j)
						bad := d.allows(t, pointer, value)
						_, err := call(m.Name, named(m.Params, with(values, j, value)))
						if refuses := err != nil && err.Is(rpcerrors.InvalidParams); refuses != (bad != nil) {
							t.Errorf("%s = %s: the document says %v, the executor %v", p.Name, value, bad, err)
						}
					}
				}
			})
		}
		nothingElse(t, exec, call, d)
	}
}

// nothingElse calls every method there is: those that are not in the document
// do not exist.
func nothingElse(t *testing.T, exec *rpc.Executor, call func(method, params string) (string, *rpcerrors.Error), d *documented) {
	t.Helper()
	for _, group := range exec.Registry().Groups() {
		for version := 1; version <= 2; version++ {
			endpoint := exec.Registry().Endpoint(group, version)
			if endpoint == nil {
				continue
			}
			for _, s := range endpoint.Specs() {
				listed := false
				for _, m := range d.Methods {
					listed = listed || m.Name == s.Name()
				}
				_, err := call(s.Name(), `{}`)
				if missing := err != nil && err.Is(rpcerrors.MethodNotFound); missing == listed {
					t.Errorf("%s: listed %t, the call says %v", s.Name(), listed, err)
				}
			}
		}
	}
}

// right finds a right value for each parameter of a method.
func right(t *testing.T, d *documented, method int) []string {
	t.Helper()
	var values []string
	for j, p := range d.Methods[method].Params {
		pointer := fmt.Sprintf("/methods/%d/params/%d/schema", method, j)
		at := slices.IndexFunc(candidates, func(v string) bool { return v != "null" && d.allows(t, pointer, v) == nil })
		if at < 0 {
			t.Fatalf("no candidate fits %s: %s", p.Name, p.Schema)
		}
		values = append(values, candidates[at])
	}
	return values
}

// accepted lists params that the document allows.
func accepted(params []paramOfDoc, values []string, structure string) []string {
	required := slices.Clone(values)
	last := 0
	for i, p := range params {
		if !p.Required {
			required[i] = ""
		} else {
			last = i + 1
		}
	}
	out := []string{named(params, values), named(params, required)}
	if structure == "either" {
		for n := last; n <= len(values); n++ {
			out = append(out, "["+strings.Join(values[:n], ",")+"]")
		}
	}
	return out
}

// refused lists params that the document does not allow.
func refused(params []paramOfDoc, values []string, structure string) []string {
	out := []string{
		strings.Replace(named(params, values), "{", `{"notThere":1`+comma(len(values) > 0), 1),
		"[" + strings.Join(append(slices.Clone(values), "1"), ",") + "]",
	}
	for i, p := range params {
		if p.Required {
			out = append(out, named(params, with(values, i, "")))
			if structure == "either" {
				out = append(out, "["+strings.Join(values[:i], ",")+"]")
			}
		}
	}
	if structure == "by-name" {
		out = append(out, "["+strings.Join(values, ",")+"]")
	}
	return out
}

func comma(needed bool) string {
	if needed {
		return ","
	}
	return ""
}

// named writes params by name; "" leaves a parameter out.
func named(params []paramOfDoc, values []string) string {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range params {
		if values[i] == "" {
			continue
		}
		name, _ := jsontext.AppendQuote(nil, p.Name)
		b.WriteString(comma(b.Len() > 1))
		fmt.Fprintf(&b, "%s:%s", name, values[i])
	}
	b.WriteByte('}')
	return b.String()
}

// with is values with another value at i.
func with(values []string, i int, value string) []string {
	values = slices.Clone(values)
	values[i] = value
	return values
}
