package mcp_test

import (
	"strings"
	"testing"

	"github.com/facet-rpc/facet/transport/guard"
)

// R-S04: a batch counts its members, and what cannot be paid does not run.
func TestRateOfBatches(t *testing.T) {
	p := mount(t, setup{edge: standsAlone.edge, policy: guard.Policy{Rate: guard.Rate{PerSecond: 0.001, Burst: 4}}})
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for i, c := range []struct {
		body   string
		status int
	}{
		{`[` + ping + `,` + ping + `]`, 200},
		{`[` + ping + `,` + ping + `,` + ping + `]`, 429}, // pays 1 at the door
		{`[` + ping + `]`, 200},
		{ping, 429},
	} {
		w := p.post(c.body, "MCP-Protocol-Version: 2025-03-26")
		if w.Code != c.status {
			t.Errorf("%d: %d %s, want %d", i, w.Code, w.Body, c.status)
		}
		if c.status == 429 && (!strings.HasPrefix(w.Body.String(), `{"jsonrpc":"2.0","error":{"code":-32429`) || w.Header().Get("Retry-After") == "") {
			t.Errorf("%d: %s %v", i, w.Body, w.Header())
		}
	}
}
