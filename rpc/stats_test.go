package rpc_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/rpc"
)

// R-K05: what each step adds to the counters.
func TestStats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &moody{Memory: bubble(t)}
		fail := false
		p := start(t, rpc.Options{Store: store, Records: store.Memory},
			rpc.Method{
				Name: "get", Cache: rpc.Cache{TTL: time.Minute, StaleFor: time.Minute},
				Func: func(key) (int, error) {
					time.Sleep(time.Second)
					if fail {
						return 0, errors.New("x")
					}
					return 1, nil
				},
			},
			rpc.Method{Name: "put", Func: func() {}, Invalidates: []string{"S.get"}},
			rpc.Method{Name: "pay", Func: func() {}, Idempotency: once})
		get := func() { p.run("get", `{"key":"k"}`) }
		for _, tt := range []struct {
			name string
			do   func()
			want rpc.Stats
		}{
			{"miss", get, rpc.Stats{Misses: 1, Stores: 1}},
			{"hit", get, rpc.Stats{Hits: 1}},
			{"stale", func() { time.Sleep(90 * time.Second); get(); time.Sleep(5 * time.Second) }, rpc.Stats{Hits: 1, Stale: 1, Stores: 1}},
			{"ignoreCache", func() { p.run("get", `{"key":"k","$rpc":{"ignoreCache":true}}`) }, rpc.Stats{Misses: 1, Stores: 1}},
			{"invalidation", func() { p.run("put", "") }, rpc.Stats{Invalidations: 1}},
			{"error", func() { fail = true; get(); fail = false }, rpc.Stats{Misses: 1}},
			{"together", func() {
				var wg sync.WaitGroup
				for range 3 {
					wg.Go(get)
				}
				wg.Wait()
			}, rpc.Stats{Misses: 3, Coalesced: 2, Stores: 1}},
			{"store down", func() { store.down.Store(true); get(); store.down.Store(false) }, rpc.Stats{Misses: 1, Failures: 3}},
			{"replay", func() {
				p.keyed(t.Context(), "pay", "", "id")
				p.keyed(t.Context(), "pay", "", "id")
			}, rpc.Stats{Replays: 1}},
			{"another method", func() { p.run("pay", "") }, rpc.Stats{}},
		} {
			before := p.exec.Stats()
			tt.do()
			if got := less(p.exec.Stats(), before); got != tt.want {
				t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
			}
		}
	})
}

func less(a, b rpc.Stats) rpc.Stats {
	return rpc.Stats{
		Hits: a.Hits - b.Hits, Stale: a.Stale - b.Stale, Misses: a.Misses - b.Misses, Coalesced: a.Coalesced - b.Coalesced, Stores: a.Stores - b.Stores,
		Invalidations: a.Invalidations - b.Invalidations, Failures: a.Failures - b.Failures, Replays: a.Replays - b.Replays,
	}
}

// moody is a Store that can be down.
type moody struct {
	*cache.Memory
	down atomic.Bool
}

func (m *moody) Load(ctx context.Context, key string) ([]byte, bool, error) {
	if m.down.Load() {
		return nil, false, errDown
	}
	return m.Memory.Load(ctx, key)
}

func (m *moody) Save(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if m.down.Load() {
		return errDown
	}
	return m.Memory.Save(ctx, key, value, ttl)
}

// A backend that panics is an error of the calls that wait, no end of the
// process; the next call is not held up.
func TestBackendPanics(t *testing.T) {
	m := pool(t)
	store := &panicking{Memory: m}
	p := start(t, rpc.Options{Store: store, Records: m}, rpc.Method{Name: "get", Cache: rpc.Cache{TTL: time.Minute}, Func: func(key) int { return 1 }})
	if got := p.kind("get", `{"key":"k"}`); got != "Internal" {
		t.Errorf("got %s", got)
	}
	store.calm = true
	if got := p.run("get", `{"key":"k"}`); got != "1" {
		t.Errorf("then: got %s", got)
	}
}

type panicking struct {
	*cache.Memory
	calm bool
}

func (p *panicking) Save(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if !p.calm {
		panic("the store is broken")
	}
	return p.Memory.Save(ctx, key, value, ttl)
}

// R-K04: an invalidation by one executor is seen by the others on the pool,
// also while they compute.
func TestInvalidateElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := bubble(t)
		var data atomic.Int64
		methods := []rpc.Method{
			{Name: "get", Cache: rpc.Cache{TTL: time.Hour}, Func: func(key) int64 { v := data.Load(); time.Sleep(time.Second); return v }},
			{Name: "put", Func: func() { data.Add(1) }, Invalidates: []string{"S.get"}},
		}
		here, there := start(t, rpc.Options{Store: m, Records: m}, methods...), start(t, rpc.Options{Store: m, Records: m}, methods...)
		get := func(p *program, want string) {
			t.Helper()
			if got := p.run("get", `{"key":"k"}`); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
		get(here, "0")
		get(there, "0")
		here.run("put", "")
		get(there, "1")
		get(here, "1")
		here.run("put", "")
		var wg sync.WaitGroup
		wg.Go(func() { there.run("get", `{"key":"k"}`) })
		synctest.Wait() // there computes what ends now
		here.run("put", "")
		get(here, "3")
		wg.Wait()
		get(there, "3")
	})
}

// A hit costs little: the Call and the key, whatever the method.
func TestHitAllocations(t *testing.T) {
	m := pool(t)
	p := start(t, rpc.Options{Store: m, Records: m}, rpc.Method{Name: "get", Cache: rpc.Cache{TTL: time.Hour}, Func: func(k key) []string { return []string{k.Key} }})
	body, endpoint := []byte(`{"key":"k"}`), p.exec.Registry().Endpoint(rpc.DefaultGroup, 1)
	anna := &rpc.Caller{ID: "anna"}
	n := testing.AllocsPerRun(1000, func() {
		r, err := p.exec.Do(context.Background(), &rpc.Call{Endpoint: endpoint, Method: "S.get", Params: body, Caller: anna, Control: true})
		if err != nil {
			t.Fatal(err)
		}
		r.Sent()
	})
	if n > 4 {
		t.Errorf("%v allocations", n)
	}
}
