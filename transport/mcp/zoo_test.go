package mcp_test

import (
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Cage has one of each kind of type that crosses the wire.
type Cage struct {
	Any    any                    `json:"any"`
	List   []any                  `json:"list"`
	Map    map[string]any         `json:"map"`
	Raw    jsontext.Value         `json:"raw"`
	Deep   []map[string][]any     `json:"deep"`
	Maps   map[string]map[int]any `json:"maps"`
	Pair   [2]any                 `json:"pair"`
	Ptr    *any                   `json:"ptr,omitzero"`
	Kids   []*Cage                `json:"kids,omitzero" validate:"dive"`
	Number rpc.Number             `json:"number"`
	Bytes  []byte                 `json:"bytes"`
	At     time.Time              `json:"at"`
	For    time.Duration          `json:"for"`
	Some   *int                   `json:"some,omitzero"`
	Unique []string               `json:"unique" validate:"unique,max=3,dive,max=3"`
	Keyed  map[string]int         `json:"keyed" validate:"dive,keys,max=3,endkeys,min=1"`
	Either string                 `json:"either" validate:"uuid|max=3"`
	Not    string                 `json:"not" validate:"ne=x"`
}

// zooTool takes and gives a T.
func zooTool[T any](name string) rpc.Method {
	return rpc.Method{Name: name, Func: func(p struct {
		V T `json:"v"`
	}) T {
		return p.V
	}}
}

// R-M04, case C06: no boolean stands where a schema belongs, but for
// additionalProperties: false. Clients refuse true, and some false.
func TestNoBooleanSchemas(t *testing.T) {
	p := mount(t, setup{services: []any{rpc.Service{Name: "Zoo", Groups: []string{"mcp"}, Methods: []rpc.Method{
		zooTool[Cage]("cage"), zooTool[any]("any"), zooTool[[]any]("list"), zooTool[map[string]any]("map"),
		zooTool[jsontext.Value]("raw"), zooTool[*[]any]("pointer"), zooTool[[2]any]("pair"), zooTool[map[string][]any]("maps"),
	}}}})
	for _, x := range p.list(t, "").Tools {
		for _, raw := range []jsontext.Value{x.InputSchema, x.OutputSchema} {
			if raw == nil {
				continue
			}
			compile(t, raw)
			if !strings.HasPrefix(string(raw), `{"type":"object","properties":{`) {
				t.Errorf("%s begins otherwise: %s", x.Name, raw)
			}
			var v any
			if err := json.Unmarshal(raw, &v); err != nil {
				t.Fatal(err)
			}
			walkSchema(t, x.Name, v)
		}
	}
}

// walkSchema visits a schema and all schemas in it.
func walkSchema(t *testing.T, at string, v any) {
	t.Helper()
	s, ok := v.(map[string]any)
	if !ok {
		t.Errorf("%s is %v, no object", at, v)
		return
	}
	for keyword, value := range s {
		here := at + "/" + keyword
		switch keyword {
		case "additionalProperties":
			if value != false {
				walkSchema(t, here, value)
			}
		case "items", "contains", "not", "if", "then", "else", "propertyNames", "contentSchema", "unevaluatedItems", "unevaluatedProperties":
			walkSchema(t, here, value)
		case "anyOf", "allOf", "oneOf", "prefixItems":
			for _, one := range value.([]any) {
				walkSchema(t, here, one)
			}
		case "properties", "patternProperties", "$defs", "dependentSchemas":
			for name, one := range value.(map[string]any) {
				walkSchema(t, here+"/"+name, one)
			}
		case "$schema", "$id":
			t.Errorf("%s: a tool's schema has none", here)
		}
	}
}
