package rpc_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc"
)

// R-C09: $rpc is no business parameter; what is wrong with it is told with
// what is wrong with the others.
func TestControl(t *testing.T) {
	p := start(t, rpc.Options{},
		rpc.Method{Name: "ray", Func: func(ctx context.Context, _ key) string { return rpc.CallFrom(ctx).RayID }},
		rpc.Method{Name: "own", Func: func(p struct {
			Timeout int `json:"timeout"`
		}) int {
			return p.Timeout
		}})
	at := func(pointer, rule string) string { return `"pointer":"` + pointer + `","rule":"` + rule + `"` }
	for _, tt := range []struct{ method, params, want string }{
		{"ray", `{"key":"k","$rpc":{"rayId":"r1"}}`, `"r1"`},
		{"ray", `{"$rpc":{"rayId":42},"key":"k"}`, `"42"`},
		{"ray", `{"key":"k","\u0024rpc":{"rayId":"r1"}}`, `"r1"`},
		{"ray", `{"key":"k","$rpc":{}}`, `""`},
		{"ray", `{"key":"k","$rpc":{"timeout":10,"ignoreCache":true}}`, `""`},
		{"own", `{"timeout":3}`, `3`},
		{"own", `{"timeout":3,"$rpc":{"timeout":120}}`, `3`},
		{"ray", `{"key":"k","$rpc":{"timeout":9}}`, at("/$rpc/timeout", "range")},
		{"ray", `{"key":"k","$rpc":{"timeout":120.001}}`, at("/$rpc/timeout", "range")},
		{"ray", `{"key":"k","$rpc":{"timeout":1e400}}`, at("/$rpc/timeout", "range")},
		{"ray", `{"key":"k","$rpc":{"timeout":"10"}}`, at("/$rpc/timeout", "type")},
		{"ray", `{"key":"k","$rpc":{"rayId":1.5}}`, at("/$rpc/rayId", "type")},
		{"ray", `{"key":"k","$rpc":{"rayId":""}}`, at("/$rpc/rayId", "range")},
		{"ray", `{"key":"k","$rpc":{"rayId":"` + strings.Repeat("r", 129) + `"}}`, at("/$rpc/rayId", "range")},
		{"ray", `{"key":"k","$rpc":{"ignoreCache":1}}`, at("/$rpc/ignoreCache", "type")},
		{"ray", `{"key":"k","$rpc":{"idempotencyKey":"k"}}`, at("/$rpc/idempotencyKey", "unsupported")},
		{"ray", `{"key":"k","$rpc":{"retry/~":1}}`, at("/$rpc/retry~1~0", "unknown")},
		{"ray", `{"key":"k","$rpc":{"rayId":"a","rayId":"b"}}`, at("/$rpc/rayId", "duplicate")},
		{"ray", `{"key":"k","$rpc":{},"$rpc":{}}`, at("/$rpc", "duplicate")},
		{"ray", `{"key":"k","$rpc":null}`, at("/$rpc", "type")},
		{"ray", `{"key":1,"$rpc":{"timeout":1}}`, at("/key", "type")},
		{"ray", `{"key":1,"$rpc":{"timeout":1}}`, at("/$rpc/timeout", "range")},
		{"ray", `{"key":"k","$rpc":{"callback":"https://example.com/hook"}}`, `"code":-32300`},
		{"ray", `{"key":"k","$rpc":{"callback":"ftp://example.com/hook"}}`, at("/$rpc/callback", "format")},
		{"ray", `{"key":"k","$rpc":{"callback":7}}`, at("/$rpc/callback", "format")},
		{"ray", `["k"]`, `""`},
	} {
		if got := p.run(tt.method, tt.params); !strings.Contains(got, tt.want) {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.method, tt.params, got, tt.want)
		}
	}
	var hostile strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&hostile, `,"%d%s":1`, i, strings.Repeat("x", 1000))
	}
	if got := p.run("ray", `{"key":"k","$rpc":{`+hostile.String()[1:]+`}}`); strings.Count(got, `"unknown"`) != 100 || len(got) > 40_000 {
		t.Errorf("%d violations in %d bytes of 1000 unknown members with long names", strings.Count(got, `"unknown"`), len(got))
	}
	c := p.call("ray", `{"key":"k","$rpc":{"rayId":"r1"}}`)
	c.Control = false
	if got := p.do(t.Context(), c); !strings.Contains(got, at("/$rpc", "unknown")) {
		t.Errorf("a door without $rpc: got %s", got)
	}
}
