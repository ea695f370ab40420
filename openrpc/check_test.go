package openrpc_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// problems lists what is wrong with a document and what the official
// validator does not look at: references that point nowhere, names given
// twice, component keys, the order of parameters, components nobody uses.
func problems(t *testing.T, doc []byte) []string {
	t.Helper()
	var d struct {
		Methods []struct {
			Name           string           `json:"name"`
			ParamStructure string           `json:"paramStructure"`
			Params         []paramOfDoc     `json:"params"`
			Result         *jsontext.Value  `json:"result"`
			Errors         []jsontext.Value `json:"errors"`
			Examples       []pairingOfDoc   `json:"examples"`
		} `json:"methods"`
		Components map[string]map[string]jsontext.Value `json:"components"`
	}
	if err := json.Unmarshal(doc, &d); err != nil {
		t.Fatalf("the document is no JSON of this shape: %v", err)
	}
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	names := map[string]bool{}
	for _, m := range d.Methods {
		if names[m.Name] {
			say("method %s is there twice", m.Name)
		}
		names[m.Name] = true
		params, optional := map[string]bool{}, ""
		for _, p := range m.Params {
			if params[p.Name] {
				say("method %s has the parameter %s twice", m.Name, p.Name)
			}
			params[p.Name] = true
			if p.Required && optional != "" && m.ParamStructure != "by-name" {
				say("method %s: %s is required after the optional %s", m.Name, p.Name, optional)
			}
			if !p.Required {
				optional = p.Name
			}
		}
	}
	for _, m := range d.Methods {
		out = append(out, examples(m.Name, m.Params, m.Examples)...)
	}
	for kind, entries := range d.Components {
		for key := range entries {
			if !componentKey.MatchString(key) {
				say("components.%s has the key %q", kind, key)
			}
		}
	}
	return append(out, references(t, doc)...)
}

type paramOfDoc struct {
	Name     string         `json:"name"`
	Required bool           `json:"required"`
	Schema   jsontext.Value `json:"schema"`
}

type pairingOfDoc struct {
	Name   string       `json:"name"`
	Params []paramOfDoc `json:"params"`
}

// examples checks that those of a method have names of their own, and are for
// its parameters, in their order.
func examples(method string, params []paramOfDoc, list []pairingOfDoc) (out []string) {
	names := map[string]bool{}
	for _, x := range list {
		if names[x.Name] {
			out = append(out, fmt.Sprintf("method %s has the example %s twice", method, x.Name))
		}
		names[x.Name] = true
		at := 0
		for _, given := range x.Params {
			for at < len(params) && params[at].Name != given.Name {
				if params[at].Required {
					out = append(out, fmt.Sprintf("method %s, example %s: %s is required", method, x.Name, params[at].Name))
				}
				at++
			}
			if at == len(params) {
				out = append(out, fmt.Sprintf("method %s, example %s: there is no parameter %s, or not in this place", method, x.Name, given.Name))
			}
			at++
		}
	}
	return out
}

// componentKey is the charset of the Components Object of OpenRPC 1.3.2.
var componentKey = regexp.MustCompile(`^[a-zA-Z0-9._-]+$`)

// references checks $ref both ways: each points at something, and each
// component is pointed at.
func references(t *testing.T, doc []byte) []string {
	t.Helper()
	var root any
	if err := json.Unmarshal(doc, &root); err != nil {
		t.Fatal(err)
	}
	var out []string
	used := map[string]bool{}
	each(root, func(o map[string]any) {
		for _, name := range []string{"schema", "items", "additionalProperties"} {
			if o[name] == true {
				out = append(out, fmt.Sprintf("%s is the bare schema true", name)) // case C06
			}
		}
		ref, ok := o["$ref"].(string)
		if !ok {
			return
		}
		if len(o) > 1 {
			out = append(out, fmt.Sprintf("$ref %q has members beside it", ref)) // draft 7 ignores them
		}
		used[ref] = true
		if !resolves(root, ref) {
			out = append(out, fmt.Sprintf("$ref %q points nowhere", ref))
		}
	})
	components, _ := root.(map[string]any)["components"].(map[string]any)
	for kind, entries := range components {
		for key := range entries.(map[string]any) {
			if ref := "#/components/" + kind + "/" + key; !used[ref] {
				out = append(out, fmt.Sprintf("nothing refers to %s", ref))
			}
		}
	}
	slices.Sort(out)
	return out
}

// each visits every object at any depth.
func each(v any, visit func(map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		visit(v)
		for _, member := range v {
			each(member, visit)
		}
	case []any:
		for _, element := range v {
			each(element, visit)
		}
	}
}

func resolves(root any, ref string) bool {
	rest, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return false
	}
	at := root
	for _, token := range strings.Split(rest, "/") {
		o, ok := at.(map[string]any)
		if !ok {
			return false
		}
		if at, ok = o[token]; !ok {
			return false
		}
	}
	return true
}

// TestProblems breaks a document once for each thing the check finds.
func TestProblems(t *testing.T) {
	const right = `{"methods":[{"name":"a","paramStructure":"either","params":[` +
		`{"name":"x","required":true,"schema":{"$ref":"#/components/schemas/X"}},{"name":"y","schema":{}}]},` +
		`{"name":"b","params":[{"name":"p"},{"name":"q"}],"examples":[{"name":"one","params":[{"name":"q","value":1}]},` +
		`{"name":"two","params":[]}]}],"components":{"schemas":{"X":{"type":"string"}}}}`
	if got := problems(t, []byte(right)); got != nil {
		t.Fatalf("a right document: %q", got)
	}
	for _, row := range []struct{ old, new, want string }{
		{`"name":"b"`, `"name":"a"`, `method a is there twice`},
		{`"name":"two"`, `"name":"one"`, `method b has the example one twice`},
		{`{"name":"p"}`, `{"name":"p","required":true}`, `method b, example one: p is required`},
		{`{"name":"q","value":1}`, `{"name":"z"}`, `method b, example one: there is no parameter z, or not in this place`},
		{`{"name":"q","value":1}`, `{"name":"q"},{"name":"p"}`, `method b, example one: there is no parameter p, or not in this place`},
		{`"name":"y"`, `"name":"x"`, `method a has the parameter x twice`},
		{`"x","required":true`, `"x"`, ``},
		{`"name":"y"`, `"name":"y","required":true`, ``},
		{`"required":true,"schema":{"$ref":"#/components/schemas/X"}},{"name":"y"`,
			`"schema":{"$ref":"#/components/schemas/X"}},{"required":true,"name":"y"`,
			`method a: y is required after the optional x`},
		{`"$ref":"#/components/schemas/X"`, `"$ref":"#/components/schemas/Z"`, `$ref "#/components/schemas/Z" points nowhere`},
		{`"$ref":"#/components/schemas/X"`, `"$ref":"other.json"`, `$ref "other.json" points nowhere`},
		{`"$ref":"#/components/schemas/X"`, ``, `nothing refers to #/components/schemas/X`},
		{`"schema":{}`, `"schema":true`, `schema is the bare schema true`},
		{`"$ref":"#/components/schemas/X"`, `"$ref":"#/components/schemas/X","title":"x"`, `$ref "#/components/schemas/X" has members beside it`},
		{`{"X":`, `{"a/X":{},"X":`, `components.schemas has the key "a/X"`},
	} {
		got := problems(t, []byte(strings.Replace(right, row.old, row.new, 1)))
		if row.want == "" && got != nil || row.want != "" && !slices.Contains(got, row.want) {
			t.Errorf("%s → %s:\n got %q\nwant %q", row.old, row.new, got, row.want)
		}
	}
}
