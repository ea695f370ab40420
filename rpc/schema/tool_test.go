package schema_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc/schema"
)

type ping struct {
	Who string `json:"who" default:"x" jsonschema_description:"Who is pinging"`
}

func inputObject(t *testing.T, rt reflect.Type, s schema.Style) string {
	t.Helper()
	m := newModel()
	typ, faults := m.OfParams(rt)
	if faults != nil {
		t.Fatal(faults)
	}
	return render(t, m.InputObject(typ, s))
}

func outputObject(t *testing.T, rt reflect.Type) string {
	t.Helper()
	m := newModel()
	typ, faults := m.Of(rt)
	if faults != nil {
		t.Fatal(faults)
	}
	s := m.OutputObject(typ, schema.Style{})
	if s == nil {
		return ""
	}
	return render(t, s)
}

// R-M04
func TestInputObject(t *testing.T) {
	tests := []struct {
		name string
		got  string
		want string
	}{
		{"the example", inputObject(t, reflect.TypeFor[ping](), schema.Style{}),
			`{"type":"object","properties":{"who":{"type":"string","description":"Who is pinging","default":"x"}},"additionalProperties":false}`},
		{"a pointer to the params", inputObject(t, reflect.TypeFor[*ping](), schema.Style{}),
			`{"type":"object","properties":{"who":{"type":"string","description":"Who is pinging","default":"x"}},"additionalProperties":false}`},
		{"in another language", inputObject(t, reflect.TypeFor[ping](), schema.Style{Describe: func(string) string { return "Хто" }}),
			`{"type":"object","properties":{"who":{"type":"string","description":"Хто","default":"x"}},"additionalProperties":false}`},
		// case D01: mark3labs/mcp-go#719
		{"no params", render(t, newModel().InputObject(nil, schema.Style{})),
			`{"type":"object","properties":{},"additionalProperties":false}`},
		{"no fields", inputObject(t, reflect.TypeFor[struct{}](), schema.Style{}),
			`{"type":"object","properties":{},"additionalProperties":false}`},
		// case C04: PrefectHQ/fastmcp#2455
		{"recursion", inputObject(t, reflect.TypeFor[node](), schema.Style{}),
			`{"type":"object","properties":{"name":{"type":"string"},"kids":{"type":"array","items":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}}},"required":["name","kids"],"additionalProperties":false,` +
				`"$defs":{"node":{"type":"object","properties":{"name":{"type":"string"},"kids":{"type":"array","items":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}}},"required":["name","kids"],"additionalProperties":false}}}`},
		// case D05: google-gemini/gemini-cli#13326
		{"an enum twice, in place", inputObject(t, reflect.TypeFor[struct {
			A color `json:"a"`
			B color `json:"b" default:"red"`
		}](), schema.Style{Inline: true}),
			`{"type":"object","properties":{"a":{"type":"string","enum":["red","blue"],"x-enum-descriptions":["Red, like a rose.",""]},` +
				`"b":{"type":"string","enum":["red","blue"],"default":"red","x-enum-descriptions":["Red, like a rose.",""]}},"required":["a"],"additionalProperties":false}`},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, tt.got, tt.want)
		}
	}
}

// R-M05
func TestOutputObject(t *testing.T) {
	tests := []struct {
		name string
		got  string
		want string
	}{
		{"text", outputObject(t, reflect.TypeFor[string]()), `{"type":"object","properties":{"result":{"type":"string"}},"required":["result"]}`},
		{"a list", outputObject(t, reflect.TypeFor[[]string]()), `{"type":"object","properties":{"result":{"type":"array","items":{"type":"string"}}},"required":["result"]}`},
		{"a pointer", outputObject(t, reflect.TypeFor[*bool]()), `{"type":"object","properties":{"result":{"anyOf":[{"type":"boolean"},{"type":"null"}]}},"required":["result"]}`},
		{"a struct", outputObject(t, reflect.TypeFor[ping]()), `{"type":"object","properties":{"result":{"$ref":"#/$defs/ping"}},"required":["result"],` +
			`"$defs":{"ping":{"type":"object","properties":{"who":{"type":"string","description":"Who is pinging"}},"required":["who"]}}}`},
		{"any", outputObject(t, reflect.TypeFor[any]()), ""},
		{"an interface", outputObject(t, reflect.TypeFor[error]()), ""},
		{"no result", outputObject2(nil), ""},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, tt.got, tt.want)
		}
	}
}

func outputObject2(typ *schema.Type) string {
	if s := newModel().OutputObject(typ, schema.Style{}); s != nil {
		return "a schema"
	}
	return ""
}

// case C06: modelcontextprotocol/go-sdk#894
func TestNoBareBooleans(t *testing.T) {
	bare := regexp.MustCompile(`"(items|additionalProperties|not|[a-z]+)":true|\[true|\[false|"items":false`)
	m := zooModel(t)
	for _, rt := range zooTypes() {
		typ, _ := m.Of(rt)
		for _, s := range []schema.Style{{}, {Inline: true}} {
			text := render(t, m.OutputObject(typ, s))
			if typ.Kind == schema.Object {
				text += render(t, m.InputObject(typ, s))
			}
			text = strings.NewReplacer(`"deprecated":true`, "", `"uniqueItems":true`, "", `"const":true`, "").Replace(text)
			if found := bare.FindString(text); found != "" {
				t.Errorf("%s: %s in %s", rt, found, text)
			}
			if strings.Contains(text, `"$schema"`) || strings.Contains(text, `"$id"`) {
				t.Errorf("%s: $schema or $id in %s", rt, text)
			}
		}
	}
}

// R-M06
func TestInlineHasNoReferencesButForRecursion(t *testing.T) {
	m := zooModel(t)
	for _, rt := range zooTypes() {
		typ, _ := m.Of(rt)
		texts := []string{render(t, m.OutputObject(typ, schema.Style{Inline: true}))}
		if typ.Kind == schema.Object {
			texts = append(texts, render(t, m.InputObject(typ, schema.Style{Inline: true})))
		}
		for _, text := range texts {
			for _, ref := range regexp.MustCompile(`"\$ref":"#/\$defs/([^"]*)"`).FindAllStringSubmatch(text, -1) {
				if name := strings.TrimSuffix(ref[1], "Input"); name != "node" && name != "tree" && name != "graph" {
					t.Errorf("%s refers to %s: %s", rt, name, text)
				}
				if !strings.Contains(text, `"`+ref[1]+`":{`) {
					t.Errorf("%s refers to %s, which is not there: %s", rt, ref[1], text)
				}
			}
			if strings.Contains(text, `{"type":"null"}`) && !strings.Contains(text, `"not":{"type":"null"}`) {
				t.Errorf("%s: null in %s", rt, text)
			}
		}
	}
}
