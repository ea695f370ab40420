package rpchttp_test

import (
	"testing"

	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
)

// R-S04, R-C03, R-C06: a batch counts its members, and what cannot be paid
// does not run at all. Nothing comes back while the test lasts.
func TestRateOfBatches(t *testing.T) {
	s := newStack(t, rpchttp.Edge{}, guard.Policy{Open: true, Rate: guard.Rate{PerSecond: 0.001, Burst: 6}})
	const single = `{"jsonrpc":"2.0","id":1,"method":"T.count"}`
	for i, c := range []struct {
		body   string
		status int
		ran    int64 // in all
	}{
		{batchOf(7, "T.count", "null"), 429, 0}, // pays 1 at the door
		{batchOf(3, "T.count", "null"), 200, 3},
		{batchOf(3, "T.count", "null"), 429, 3}, // pays 1 at the door
		{single, 200, 4},
		{single, 429, 4},
		{batchOf(1, "T.count", "null"), 429, 4},
	} {
		got := s.post(c.body)
		if got.status != c.status || s.svc.ran.Load() != c.ran {
			t.Errorf("%d: %d %s, %d ran, want %d and %d", i, got.status, got.body, s.svc.ran.Load(), c.status, c.ran)
		}
		if c.status != 429 {
			continue
		}
		if summary(got.body) != "null!-32429 RateLimit" || i > 0 && got.header.Get("Retry-After") == "" {
			t.Errorf("%d: %s %v", i, got.body, got.header)
		}
	}
}
