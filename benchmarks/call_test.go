package benchmarks_test

import (
	"context"
	"testing"
	"time"

	"github.com/facet-rpc/facet/benchmarks/floor"
	"github.com/facet-rpc/facet/benchmarks/work"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
)

// kinds are the calls that are compared.
func kinds() map[string][]work.Call {
	return map[string][]work.Call{"add": work.Adds(), "search": work.Searches(), "order": work.Orders()}
}

// kindNames is their order in the report.
var kindNames = []string{"add", "search", "order"}

// BenchmarkCall runs methods with every stage in place, params to result.
func BenchmarkCall(b *testing.B) {
	calls := kinds()
	facet, byHand := start(b, shop("bench", rpc.Method{})), floor.New([]string{"bench"})
	for _, kind := range kindNames {
		b.Run(kind+"/facet", func(b *testing.B) { facet.run(b, "bench", calls[kind]) })
		b.Run(kind+"/floor", func(b *testing.B) { runFloor(b, byHand, calls[kind]) })
	}
}

// BenchmarkCacheHit finds every result in the cache. Compare it with the call
// that runs, BenchmarkCall/<kind>/facet.
func BenchmarkCacheHit(b *testing.B) {
	calls := kinds()
	p := start(b, shop("bench", rpc.Method{Cache: rpc.Cache{TTL: time.Hour, Shared: true}}))
	ran := 0
	events.On(p.bus, func(context.Context, rpc.PostExecute) error { ran++; return nil })
	for _, kind := range kindNames {
		b.Run(kind, func(b *testing.B) {
			// The cache stores a while later, and may drop what it is given.
			for before := -1; before != ran; {
				before = ran
				for _, c := range calls[kind] {
					p.call(b, "bench."+kind, c.Params)
				}
			}
			before := ran
			p.run(b, "bench", calls[kind])
			if misses := ran - before; misses > b.N/100 {
				b.Errorf("%d of %d calls ran", misses, b.N)
			}
		})
	}
}

// BenchmarkLocked is add behind a lock that nobody else wants.
func BenchmarkLocked(b *testing.B) {
	var s work.Shop
	p := start(b, rpc.Service{Name: "bench", Methods: []rpc.Method{
		{Func: s.Add, Lock: rpc.Lock{On: "a"}},
	}})
	p.run(b, "bench", work.Adds())
}
