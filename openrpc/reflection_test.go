package openrpc_test

import (
	"testing"
	"time"

	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Part is what the results below are made of.
type Part struct {
	N int8 `json:"n" validate:"min=1"`
}

type partParams struct {
	Part *Part `json:"part,omitzero"`
	Old  int8  `json:"old,omitzero" jsonschema:"deprecated"`
}

// returning is a method that returns v, described and called.
func returning[T any](v T) rpc.Service {
	return rpc.Service{Name: "r", Methods: []rpc.Method{{Name: "get", Func: func(partParams) T { return v }}}}
}

// What is returned and what the document says of it is the same; the schema of
// a result has types, and no rules.
func TestResultsAreWhatTheDocumentSays(t *testing.T) {
	noon := time.Date(2026, time.June, 1, 12, 0, 0, 0, time.FixedZone("", 7200))
	for _, row := range []struct {
		name    string
		service rpc.Service
		wire    string
		schema  string
	}{
		// case C07: danielgtaylor/huma#527
		{"a nil slice", returning([]string(nil)), `[]`, `{"type":"array","items":{"type":"string"}}`},
		{"a nil map", returning(map[string]bool(nil)), `{}`, `{"type":"object","additionalProperties":{"type":"boolean"}}`},
		// case C09: goreleaser/goreleaser#6801
		{"a duration", returning(90 * time.Second), `"1m30s"`, `{"type":"string"}`},
		{"a time", returning(noon), `"2026-06-01T12:00:00+02:00"`, `{"type":"string","format":"date-time"}`},
		// case C10: discovery-digital/jsonschema#20
		{"raw JSON", returning(jsontext.Value(`{"a":1.50}`)), `{"a":1.50}`, `{}`},
		// case C06: modelcontextprotocol/go-sdk#894
		{"any", returning(map[string]any{"a": nil}), `{"a":null}`, `{"type":"object","additionalProperties":{}}`},
		// case C12: invopop/jsonschema#161
		{"a zero time left out", returning(struct {
			At time.Time `json:"at,omitzero"`
		}{}), `{}`, `{"type":"object","properties":{"at":{"type":"string","format":"date-time"}}}`},
		// case C14: mark3labs/mcp-go#920
		{"numbers as names", returning(map[int][]Part{7: nil}), `{"7":[]}`,
			`{"type":"object","additionalProperties":{"type":"array","items":{"$ref":"#/components/schemas/Part"}}}`},
		// case C16: cyclosproject/ng-openapi-gen#385
		{"a pointer", returning((*Part)(nil)), `null`, `{"anyOf":[{"$ref":"#/components/schemas/Part"},{"type":"null"}]}`},
		// case C18: delinoio/oss#130
		{"a number beyond floats", returning(int64(9007199254740993)), `9007199254740993`, `{"type":"integer","format":"int64"}`},
	} {
		srv := rpctest.New(t, row.service)
		got, err := rpctest.Call[jsontext.Value](srv, "r.get", map[string]any{})
		if err != nil || string(got) != row.wire {
			t.Errorf("%s: got %s, %v; want %s", row.name, got, err, row.wire)
		}
		doc := document(t, srv.Registry(), 1, openrpc.Options{})
		if found := problems(t, doc); found != nil {
			t.Errorf("%s: %q", row.name, found)
		}
		var d struct {
			Methods []struct {
				Params []struct {
					Deprecated  bool           `json:"deprecated"`
					Description string         `json:"description"`
					Schema      jsontext.Value `json:"schema"`
				} `json:"params"`
				Result struct {
					Schema jsontext.Value `json:"schema"`
				} `json:"result"`
			} `json:"methods"`
		}
		if err := json.Unmarshal(doc, &d); err != nil {
			t.Fatal(err)
		}
		if got := string(d.Methods[0].Result.Schema); got != row.schema {
			t.Errorf("%s: the schema is %s, want %s", row.name, got, row.schema)
		}
		old := d.Methods[0].Params[1]
		if !old.Deprecated || old.Description != "" || string(old.Schema) != `{"type":"integer","minimum":-128,"maximum":127}` {
			t.Errorf("a parameter that is deprecated without more: %+v", old)
		}
	}
}
