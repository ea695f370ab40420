package rediscache_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/facet-rpc/facet/cache/rediscache"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
)

// stock is a service whose reads are cached; all nodes share the shelf.
type stock struct {
	shelf *atomic.Int64
	ran   *atomic.Int64
}

func (s stock) Count() int64 {
	s.ran.Add(1)
	return s.shelf.Load()
}

func (s stock) Take() { s.shelf.Add(-1) }

func (s stock) RPC() rpc.Service {
	return rpc.Service{Name: "Stock", Methods: []rpc.Method{
		{Func: s.Count, Cache: rpc.Cache{TTL: time.Minute, Shared: true}},
		{Func: s.Take, Invalidates: []string{"Stock.count"}},
	}}
}

// node is one process of several.
func node(t *testing.T, s stock, pool *rediscache.Pool) *rpctest.Server {
	t.Helper()
	return rpctest.Start(t, rpc.App{Name: "test", Version: "1.0.0"}, rpc.Options{Store: pool, Records: pool}, s)
}

func count(t *testing.T, n *rpctest.Server) int64 {
	t.Helper()
	left, err := rpctest.Call[int64](n, "Stock.count", nil)
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// TestNodes: through two executors a warm call asks Redis nothing, a result is
// computed once for both, and an invalidation is seen at once here and soon
// there.
func TestNodes(t *testing.T) { // R-K04
	server := rpctest.Redis(t)
	client := admin(t, server)
	s := stock{shelf: new(atomic.Int64), ran: new(atomic.Int64)}
	s.shelf.Store(100)
	here, there := node(t, s, open(t, server)), node(t, s, open(t, server))
	for range 3 { // generations and results are fetched
		count(t, here)
		count(t, there)
	}
	if n := s.ran.Load(); n != 1 {
		t.Errorf("the method ran %d times for two nodes, want 1", n)
	}
	before := asked(commands(t, client))
	for range 100 {
		count(t, here)
		count(t, there)
	}
	if n := asked(commands(t, client)) - before; n != 0 {
		t.Errorf("200 warm calls asked Redis %d times, want 0", n)
	}
	var worst time.Duration
	for left := int64(99); left > 50; left-- {
		if _, err := rpctest.Call[any](here, "Stock.take", nil); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if got := count(t, here); got != left {
			t.Fatalf("the node that invalidated answers %d, want %d", got, left)
		}
		worst = max(worst, until(t, began, func() bool { return count(t, there) == left }))
	}
	t.Logf("after 49 invalidations the other node was behind for %v at most", worst)
}
