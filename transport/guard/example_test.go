package guard_test

import (
	"context"
	"log"
	"sync/atomic"

	"github.com/facet-rpc/facet/cache/rediscache"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
)

// All processes on one Redis allow each caller 50 calls at once and 10 more a
// second, together.
func ExampleRate() {
	pool, err := rediscache.Open(context.Background(), "redis://127.0.0.1:6379")
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	policy := guard.Policy{
		TokenSource: guard.TokensFromEnv("SHOP_TOKENS"),
		Rate:        guard.Rate{PerSecond: 10, Burst: 50, Shared: pool},
	}
	_ = policy // for guard.Mount
}

// Version 1 can be turned off while the program runs; version 3 is for
// testers only.
func ExamplePolicy() {
	var retired atomic.Bool
	testers := map[string]bool{"olena": true, "ivan": true}
	policy := guard.Policy{
		TokenSource: guard.TokensFromFile("/run/secrets/tokens"),
		Available:   func(e *rpc.Endpoint) bool { return e.Version != 1 || !retired.Load() },
		Allow:       func(c *rpc.Caller, e *rpc.Endpoint) bool { return e.Version < 3 || testers[c.ID] },
	}
	_ = policy // for guard.Mount
}
