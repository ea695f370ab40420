package rpc_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/rpc"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

type product struct {
	SKU   string `json:"sku"`
	Limit int    `json:"limit,omitzero" default:"10"`
}

// R-K04: results end by method and by exact params, from code.
func TestInvalidate(t *testing.T) {
	m, runs := pool(t), 0
	count := func(product) int { runs++; return runs }
	p := start(t, rpc.Options{Store: m, Records: m},
		rpc.Method{Name: "get", Func: count, Cache: rpc.Cache{TTL: time.Minute}},
		rpc.Method{Name: "other", Func: count, Cache: rpc.Cache{TTL: time.Minute}},
		rpc.Method{Name: "none", Func: func() int { runs++; return runs }, Cache: rpc.Cache{TTL: time.Minute}},
		rpc.Method{Name: "plain", Func: count})
	reads := []struct{ method, params string }{{"get", `{"sku":"a"}`}, {"get", `{"sku":"b"}`}, {"get", `{"sku":"a","limit":0}`}, {"other", `{"sku":"a"}`}, {"none", ``}}
	all := func() (values []string) {
		for _, r := range reads {
			values = append(values, p.run(r.method, r.params))
		}
		return values
	}
	for _, tt := range []struct {
		name   string
		method string
		params any
		ends   []int // of reads
		fails  string
	}{
		{"method", "S.get", nil, []int{0, 1, 2}, ""},
		{"struct", "S.get", product{"a", 10}, []int{0}, ""},
		{"pointer", "S.get", &product{"b", 10}, []int{1}, ""},
		{"struct with a zero", "S.get", product{"a", 0}, []int{2}, ""},
		{"map, default filled in", "S.get", map[string]any{"sku": "a"}, []int{0}, ""},
		{"by position", "S.get", []any{"b"}, []int{1}, ""},
		{"no result", "S.get", product{"c", 10}, nil, ""},
		{"method without params", "S.none", nil, []int{4}, ""},
		{"exact, without params", "S.none", struct{}{}, []int{4}, ""},
		{"unknown", "S.git", nil, nil, `facet: Invalidate: no method "S.git" has a Cache`},
		{"no cache", "S.plain", nil, nil, `facet: Invalidate: no method "S.plain" has a Cache`},
		{"wrong params", "S.get", map[string]any{"sku": 7}, nil, `facet: Invalidate: S.get does not take the params {"sku":7}`},
		{"not JSON", "S.get", make(chan int), nil, ""},
	} {
		before := all()
		err := p.exec.Invalidate(t.Context(), tt.method, tt.params)
		if text := fmt.Sprint(err); tt.fails != "" && text != tt.fails || tt.name == "not JSON" && err == nil {
			t.Errorf("%s: got %s", tt.name, text)
		} else if tt.fails == "" && tt.name != "not JSON" && err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		after := all()
		for i := range reads {
			if ended := before[i] != after[i]; ended != slices.Contains(tt.ends, i) {
				t.Errorf("%s: %v ended: %v", tt.name, reads[i], ended)
			}
		}
	}
	if s := p.exec.Stats(); s.Invalidations != 9 {
		t.Errorf("stats: %+v", s)
	}
}

// R-K04: a success ends the results of exact params, and may compute them
// again at once.
func TestInvalidatesExact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := bubble(t)
		var runs atomic.Int64
		type item struct {
			Item struct {
				SKU *string `json:"sku"`
			} `json:"item"`
			Limit *int `json:"limit"`
		}
		put := func(p item) { *p.Item.SKU = "changed" }
		exact := []rpc.Invalidation{{Method: "S.get", Params: map[string]string{"sku": "/item/sku", "limit": "limit"}}}
		warm := []rpc.Invalidation{{Method: "S.get", Params: map[string]string{"sku": "/item/sku"}, Warm: true}}
		p := start(t, rpc.Options{Store: m, Records: m},
			rpc.Method{Name: "get", Func: func(product) int64 { time.Sleep(time.Second); return runs.Add(1) }, Cache: rpc.Cache{TTL: time.Hour}},
			rpc.Method{Name: "put", Func: put, InvalidatesExact: exact}, rpc.Method{Name: "warm", Func: put, InvalidatesExact: warm})
		get := func(sku, want string) {
			t.Helper()
			if got := p.run("get", `{"sku":"`+sku+`"}`); got != want {
				t.Errorf("%s: got %s, want %s", sku, got, want)
			}
		}
		get("a", "1")
		get("b", "2")
		p.run("put", `{"item":{"sku":"a"}}`)
		get("b", "2")
		get("a", "3")
		p.run("put", `{"item":{"sku":"a"},"limit":10}`)
		get("a", "4")
		p.run("put", `{"item":{"sku":"a"},"limit":11}`)
		get("a", "4")
		p.run("warm", `{"item":{"sku":"a"}}`)
		time.Sleep(time.Minute)
		if runs.Load() != 5 {
			t.Errorf("%d runs; want one for the warm-up", runs.Load())
		}
		began := time.Now()
		if get("a", "5"); time.Since(began) != 0 {
			t.Error("the warm-up is not stored")
		}
	})
}

// gate is a Store that stops before each Save until it is opened.
type gate struct {
	*cache.Memory
	saving, open chan struct{}
	saved        atomic.Int64
}

func (g *gate) Save(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if g.saving != nil {
		g.saving <- struct{}{}
		<-g.open
	}
	g.saved.Add(1)
	return g.Memory.Save(ctx, key, value, ttl)
}

// R-K04: in every order of invalidation and execution, what was
// computed before is not served after.
func TestInvalidateWhile(t *testing.T) {
	for _, tt := range []struct {
		name  string
		gated bool
		at    time.Duration // the method reads at 1 s and returns at 2 s
		saved int64
	}{
		{"before the method reads", false, 500 * time.Millisecond, 1},
		{"while the method runs", false, 1500 * time.Millisecond, 1},
		{"while the result is stored", true, 2 * time.Second, 2},
		{"after", false, 3 * time.Second, 2},
	} {
		for _, params := range []any{nil, product{"a", 10}} {
			t.Run(fmt.Sprint(tt.name, " ", params), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					g := &gate{Memory: bubble(t)}
					if tt.gated {
						g.saving, g.open = make(chan struct{}), make(chan struct{})
					}
					var data atomic.Int64
					p := start(t, rpc.Options{Store: g, Records: g.Memory}, rpc.Method{
						Name: "get", Cache: rpc.Cache{TTL: time.Hour},
						Func: func(product) int64 {
							time.Sleep(time.Second)
							v := data.Load()
							time.Sleep(time.Second)
							return v
						},
					})
					var wg sync.WaitGroup
					wg.Go(func() { p.run("get", `{"sku":"a"}`) })
					if tt.gated {
						<-g.saving
					} else {
						time.Sleep(tt.at)
					}
					data.Store(7)
					if err := p.exec.Invalidate(t.Context(), "S.get", params); err != nil {
						t.Fatal(err)
					}
					if tt.gated {
						close(g.open)
						go func() { <-g.saving }()
					}
					for range 3 {
						wg.Go(func() {
							if got := p.run("get", `{"sku":"a"}`); got != "7" {
								t.Errorf("after the invalidation: got %s", got)
							}
						})
					}
					wg.Wait()
					if got := p.run("get", `{"sku":"a"}`); got != "7" {
						t.Errorf("later: got %s", got)
					}
					if g.saved.Load() != tt.saved {
						t.Errorf("%d results were stored, want %d", g.saved.Load(), tt.saved)
					}
				})
			})
		}
	}
}

// flaky is Records that can be down.
type flaky struct {
	*cache.Memory
	down atomic.Bool
}

func (f *flaky) Put(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if f.down.Load() {
		return errDown
	}
	return f.Memory.Put(ctx, key, value, ttl)
}

// R-K04 R-K05: after an invalidation that failed nothing is served from the
// store until it was made up for.
func TestInvalidationThatFails(t *testing.T) {
	f := &flaky{Memory: pool(t)}
	runs := 0
	p := start(t, rpc.Options{Store: f, Records: f},
		rpc.Method{Name: "get", Func: func(product) int { runs++; return runs }, Cache: rpc.Cache{TTL: time.Hour}},
		rpc.Method{Name: "put", Func: func() {}, Invalidates: []string{"S.get"}})
	get := func(want string) {
		t.Helper()
		if got := p.run("get", `{"sku":"a"}`); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	get("1")
	f.down.Store(true)
	if got := p.run("put", ""); got != "null" {
		t.Errorf("put: got %s", got)
	}
	get("2")
	get("3")
	f.down.Store(false)
	get("4")
	get("4")
	if s := p.exec.Stats(); s.Failures != 3 || s.Hits != 1 || s.Misses != 2 || s.Stores != 2 || s.Invalidations != 1 {
		t.Errorf("stats: %+v", s)
	}
}

// case I04 (dgraph-io/ristretto#30): an entry of another key, of another encoding or cut off is a miss.
func TestForeignEntries(t *testing.T) {
	s := &swapped{Memory: pool(t)}
	runs := 0
	p := start(t, rpc.Options{Store: s, Records: s.Memory}, rpc.Method{Name: "get", Func: func(product) int { runs++; return runs }, Cache: rpc.Cache{TTL: time.Hour}})
	p.run("get", `{"sku":"a"}`)
	whole := slices.Clone(s.last)
	for name, entry := range map[string][]byte{
		"another version": append([]byte{whole[0] + 1}, whole[1:]...), "another key": append(append(slices.Clone(whole[:12]), whole[12]+1), whole[13:]...),
		"empty": {}, "a byte": whole[:1], "no key": whole[:9], "half a key": whole[:20], "no result": whole[:len(whole)-1], "a length without end": append(slices.Clone(whole[:9]), 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255),
	} {
		s.give = entry
		before := runs
		if got := p.run("get", `{"sku":"a"}`); got != fmt.Sprint(before+1) {
			t.Errorf("%s: got %s", name, got)
		}
	}
	s.give = whole
	if got := p.run("get", `{"sku":"a"}`); got != "1" {
		t.Errorf("the whole: got %s", got)
	}
	if got := p.run("get", `{"sku":"b"}`); got == "1" {
		t.Errorf("another key: got %s", got)
	}
}

// swapped is a Store that finds the same entry for every key.
type swapped struct {
	*cache.Memory
	last, give []byte
}

func (s *swapped) Save(_ context.Context, _ string, value []byte, _ time.Duration) error {
	s.last = slices.Clone(value)
	return nil
}

func (s *swapped) Load(context.Context, string) ([]byte, bool, error) {
	return s.give, s.give != nil, nil
}

// A call whose work is done is not failed by what comes after it: its answer
// stays, and so does its idempotency key.
func TestWarmPanics(t *testing.T) {
	m, runs := pool(t), 0
	core, logs := observer.New(zap.ErrorLevel)
	p := start(t, rpc.Options{Store: m, Records: m, Logger: zap.New(core)},
		rpc.Method{Name: "get", Func: func(key) string { return "" }, Cache: rpc.Cache{TTL: time.Minute, By: func(*rpc.Caller) string { panic("no tenant") }}},
		rpc.Method{
			Name: "pay", Idempotency: once, Func: func(key) int { runs++; return runs },
			InvalidatesExact: []rpc.Invalidation{{Method: "S.get", Params: map[string]string{"key": "key"}, Warm: true}},
		})
	for i := range 2 {
		if got, replayed := p.keyed(t.Context(), "pay", `{"key":"k"}`, "id"); got != "1" || replayed != (i == 1) {
			t.Errorf("got %s, replayed %v", got, replayed)
		}
	}
	if logs.Len() != 1 || logs.All()[0].ContextMap()["panic"] != "no tenant" {
		t.Errorf("logged %v", logs.All())
	}
}

// restless ends results whenever somebody looks.
type restless struct {
	rpc.Records
	looks atomic.Int64
}

func (r *restless) Get(ctx context.Context, key string) ([]byte, bool, error) {
	if strings.HasPrefix(key, "facet1.generation.") {
		return []byte(fmt.Sprint(r.looks.Add(1))), true, nil
	}
	return r.Records.Get(ctx, key)
}

// Invalidations that never stop do not keep a computed answer from its caller.
func TestInvalidatedForEver(t *testing.T) {
	m := pool(t)
	r := &restless{Records: m}
	p := start(t, rpc.Options{Store: m, Records: r}, rpc.Method{Name: "get", Func: func(k key) string { return k.Key }, Cache: rpc.Cache{TTL: time.Minute}})
	answer := make(chan string, 1)
	go func() { answer <- p.run("get", `{"key":"k"}`) }()
	select {
	case got := <-answer:
		if got != `"k"` || r.looks.Load() > 20 {
			t.Errorf("got %s after %d looks", got, r.looks.Load())
		}
	case <-time.After(10 * time.Second):
		t.Fatal("no answer")
	}
}
