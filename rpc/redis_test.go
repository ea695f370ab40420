package rpc_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/facet-rpc/facet/cache/rediscache"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
)

// node is the options of one process among several on a Redis.
func node(t *testing.T, server *rpctest.RedisServer) rpc.Options {
	t.Helper()
	p, err := rediscache.Open(t.Context(), server.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return rpc.Options{Store: p, Records: p}
}

// R-K03: 20 nodes that miss one result, each with 50 callers, run the method a
// few times.
func TestNodesTogetherOnRedis(t *testing.T) {
	server := rpctest.Redis(t)
	var runs, waiting atomic.Int64
	all := make(chan struct{})
	get := rpc.Method{Name: "get", Cache: rpc.Cache{TTL: time.Minute}, Func: func(key) int64 {
		<-all // every caller has asked
		return runs.Add(1)
	}}
	var wg sync.WaitGroup
	var answers sync.Map
	for range 20 {
		p := start(t, node(t, server), get)
		for range 50 {
			wg.Go(func() {
				if waiting.Add(1) == 1000 {
					close(all)
				}
				answers.Store(p.run("get", `{"key":"k"}`), true)
			})
		}
	}
	wg.Wait()
	n := 0
	answers.Range(func(any, any) bool { n++; return true })
	if runs.Load() > 3 || n != int(runs.Load()) {
		t.Errorf("%d runs, %d different answers", runs.Load(), n)
	}
}

// case I11: one execution for 20 equal calls at three nodes.
func TestIdempotentOnRedis(t *testing.T) {
	server := rpctest.Redis(t)
	var runs atomic.Int64
	pay := rpc.Method{Name: "pay", Idempotency: once, Func: func(k key) (string, error) {
		return fmt.Sprint(runs.Add(1)), nil
	}}
	var nodes []*program
	for range 3 {
		nodes = append(nodes, start(t, node(t, server), pay))
	}
	var wg sync.WaitGroup
	var replays atomic.Int64
	for i := range 20 {
		wg.Go(func() {
			got, replayed := nodes[i%3].keyed(t.Context(), "pay", `{"key":"k"}`, "id")
			if got != `"1"` {
				t.Errorf("got %s", got)
			}
			if replayed {
				replays.Add(1)
			}
		})
	}
	wg.Wait()
	if runs.Load() != 1 || replays.Load() != 19 {
		t.Errorf("%d runs, %d replays", runs.Load(), replays.Load())
	}
	if got, _ := nodes[1].keyed(t.Context(), "pay", `{"key":"other"}`, "id"); !strings.Contains(got, "IdempotencyConflict") {
		t.Errorf("got %s", got)
	}
}

// R-K04: the node that invalidates behaves like the data itself on Redis too.
func TestLinearizableOnRedis(t *testing.T) {
	linearizable(t, node(t, rpctest.Redis(t)))
}
