package rpc_test

import (
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc"
	"github.com/go-json-experiment/json/jsontext"
)

// R-K01: params that the method can tell apart are never one entry, whatever
// the tags of their fields leave out when they are written.
func TestNothingLeftOut(t *testing.T) {
	type inner struct {
		Text *string `json:"text,omitempty"`
	}
	type all struct {
		Text  *string        `json:"text,omitempty"`
		Ptr   *int           `json:"ptr,omitzero"`
		Limit int            `json:"limit,omitzero" default:"10"`
		Raw   jsontext.Value `json:"raw,omitempty"`
		In    *inner         `json:"in,omitempty"`
		List  []inner        `json:"list,omitempty"`
		Any   any            `json:"any,omitempty"`
		Map   map[string]any `json:"map,omitempty"`
	}
	m, runs := pool(t), 0
	p := start(t, rpc.Options{Store: m, Records: m}, rpc.Method{Name: "get", Func: func(all) int { runs++; return runs }, Cache: rpc.Cache{TTL: time.Minute}})
	seen := map[string]string{}
	for _, params := range []string{
		`{}`, `{"text":""}`, `{"ptr":0}`, `{"limit":0}`, `{"raw":null}`, `{"raw":""}`, `{"raw":{}}`, `{"in":{}}`, `{"in":{"text":""}}`,
		`{"list":[{}]}`, `{"list":[{"text":""}]}`, `{"list":[{},{}]}`, `{"any":""}`, `{"any":{}}`, `{"any":[]}`, `{"any":0}`, `{"any":"0"}`,
		`{"map":{"a":null}}`, `{"map":{"a":""}}`, `{"map":{"a":9007199254740993}}`, `{"map":{"a":9007199254740992}}`,
	} {
		got := p.run("get", params)
		if other, ok := seen[got]; ok {
			t.Errorf("%s and %s are one entry", params, other)
		}
		seen[got] = params
		if again := p.run("get", params); again != got {
			t.Errorf("%s: %s, then %s", params, got, again)
		}
	}
}
