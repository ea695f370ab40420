package rpc_test

import (
	"strings"
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
		Bytes []byte         `json:"bytes,omitempty"`
		Lists *[]string      `json:"lists,omitempty"`
	}
	m, runs := pool(t), 0
	p := start(t, rpc.Options{Store: m, Records: m}, rpc.Method{Name: "get", Func: func(all) int { runs++; return runs }, Cache: rpc.Cache{TTL: time.Minute}})
	seen := map[string]string{}
	for _, params := range []string{
		`{}`, `{"text":""}`, `{"ptr":0}`, `{"limit":0}`, `{"raw":null}`, `{"raw":""}`, `{"raw":{}}`, `{"in":{}}`, `{"in":{"text":""}}`,
		`{"list":[{}]}`, `{"list":[{"text":""}]}`, `{"list":[{},{}]}`, `{"any":""}`, `{"any":{}}`, `{"any":[]}`, `{"any":0}`, `{"any":"0"}`,
		`{"list":[]}`, `{"map":{}}`, `{"bytes":""}`, `{"lists":[]}`, `{"in":{},"list":[]}`,
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

// Nil and empty are two things for a method, so they are for an idempotency key
// and for what ends with an invalidation.
func TestNilIsNotEmpty(t *testing.T) {
	type list struct {
		IDs []int `json:"ids,omitempty"`
	}
	m, runs := pool(t), 0
	count := func(list) int { runs++; return runs }
	p := start(t, rpc.Options{Store: m, Records: m},
		rpc.Method{Name: "get", Func: count, Cache: rpc.Cache{TTL: time.Minute}},
		rpc.Method{Name: "pay", Func: count, Idempotency: once},
		rpc.Method{Name: "change", Func: func(list) {}, InvalidatesExact: []rpc.Invalidation{{Method: "S.get", Params: map[string]string{"ids": "ids"}}}},
	)
	if got, _ := p.keyed(t.Context(), "pay", `{}`, "id"); got != "1" {
		t.Errorf("got %s", got)
	}
	if got, _ := p.keyed(t.Context(), "pay", `{"ids":[]}`, "id"); !strings.Contains(got, "IdempotencyConflict") {
		t.Errorf("nil and empty have one fingerprint: %s", got)
	}
	for _, params := range []string{`{}`, `{"ids":[]}`, `{"ids":[1]}`} {
		before := p.run("get", params)
		p.run("change", params)
		if p.run("get", params) == before {
			t.Errorf("%s was not ended by a call", params)
		}
	}
	for _, params := range []any{list{}, list{IDs: []int{}}, struct{}{}, map[string][]int{"ids": {}}} {
		none, empty := p.run("get", `{}`), p.run("get", `{"ids":[]}`)
		if err := p.exec.Invalidate(t.Context(), "S.get", params); err != nil {
			t.Fatal(err)
		}
		if p.run("get", `{}`) == none && p.run("get", `{"ids":[]}`) == empty {
			t.Errorf("%#v ended nothing", params)
		}
	}
}
