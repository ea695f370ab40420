package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
)

func pool(t *testing.T) *cache.Memory {
	t.Helper()
	m, err := cache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

// R-K01: what a cached result depends on. Every call answers how often its
// method has run; an entry is shared when the number repeats.
func TestCacheKey(t *testing.T) {
	runs := 0
	count := func(struct {
		Query string   `json:"query"`
		Limit int      `json:"limit" default:"10"`
		Tags  []string `json:"tags,omitzero"`
		ID    int64    `json:"id,omitzero"`
	}) int {
		runs++
		return runs
	}
	keep := rpc.Cache{TTL: time.Minute}
	m := pool(t)
	registry, err := rpc.NewRegistry(app, rpc.Service{Name: "S", Methods: []rpc.Method{
		{Name: "own", Func: count, Cache: keep},
		{Name: "shared", Func: count, Cache: rpc.Cache{TTL: time.Minute, Shared: true}},
		{Name: "free", Func: count, Cache: rpc.Cache{TTL: time.Minute, LanguageFree: true}},
		{Name: "tenant", Func: count, Cache: rpc.Cache{TTL: time.Minute, Shared: true, By: func(c *rpc.Caller) string { return c.Groups[0] }}},
		{Name: "dev", Func: count, Cache: rpc.Cache{TTL: time.Minute, Env: []rpc.Env{rpc.Dev}}},
		{Name: "other", Func: count, Cache: keep, Groups: []string{"default", "internal"}, Until: 1},
		{Name: "other", Func: count, Cache: keep, Groups: []string{"default"}, Since: 2},
	}})
	if err != nil {
		t.Fatal(err)
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{Store: m, Records: m})
	if err != nil {
		t.Fatal(err)
	}
	type call struct {
		method, params, caller, group, language string
		version                                 int
	}
	run := func(c call) string {
		if c.group == "" {
			c.group = "default"
		}
		if c.caller == "" {
			c.caller = "anna"
		}
		r, err := exec.Do(t.Context(), &rpc.Call{
			Endpoint: registry.Endpoint(c.group, max(c.version, 1)), Method: "S." + c.method, Params: []byte(c.params), Language: c.language,
			Caller: &rpc.Caller{ID: c.caller, Groups: []string{c.caller[:1]}}, Control: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Sent()
		return string(r.Bytes())
	}
	for _, tt := range []struct {
		name string
		a, b call
		same bool
	}{
		{"equal calls", call{method: "own", params: `{"query":"1"}`}, call{method: "own", params: `{"query":"1"}`}, true},
		{"default filled in", call{method: "own", params: `{"query":"2"}`}, call{method: "own", params: `{"limit":10,"query":"2"}`}, true},
		{"by position", call{method: "own", params: `{"query":"3"}`}, call{method: "own", params: `["3"]`}, true},
		{"spelling of numbers", call{method: "own", params: `{"query":"4","limit":20}`}, call{method: "own", params: `{"query":"4","limit":2e1}`}, true},
		{"spelling of strings", call{method: "own", params: `{"query":"5A"}`}, call{method: "own", params: `{"query":"5\u0041"}`}, true},
		{"$rpc", call{method: "own", params: `{"query":"6"}`}, call{method: "own", params: `{"query":"6","$rpc":{"rayId":"r"}}`}, true},
		{"ignoreCache", call{method: "own", params: `{"query":"7"}`}, call{method: "own", params: `{"query":"7","$rpc":{"ignoreCache":true}}`}, false},
		{"params", call{method: "own", params: `{"query":"8"}`}, call{method: "own", params: `{"query":"9"}`}, false},
		{"order of a list", call{method: "own", params: `{"query":"a","tags":["x","y"]}`}, call{method: "own", params: `{"query":"a","tags":["y","x"]}`}, false},
		{"integers beyond 2^53", call{method: "own", params: `{"query":"b","id":9007199254740992}`}, call{method: "own", params: `{"query":"b","id":9007199254740993}`}, false}, // case C18
		{"callers", call{method: "own", params: `{"query":"c"}`}, call{method: "own", params: `{"query":"c"}`, caller: "bob"}, false},
		{"callers, shared", call{method: "shared", params: `{"query":"c"}`}, call{method: "shared", params: `{"query":"c"}`, caller: "bob"}, true},
		{"languages", call{method: "own", params: `{"query":"d"}`, language: "en"}, call{method: "own", params: `{"query":"d"}`, language: "uk"}, false}, // case I01 (mozilla/sumo#1500)
		{"languages, free", call{method: "free", params: `{"query":"d"}`, language: "en"}, call{method: "free", params: `{"query":"d"}`, language: "uk"}, true},
		{"tenants", call{method: "tenant", params: `{"query":"e"}`, caller: "anna"}, call{method: "tenant", params: `{"query":"e"}`, caller: "bob"}, false},
		{"one tenant", call{method: "tenant", params: `{"query":"f"}`, caller: "anna"}, call{method: "tenant", params: `{"query":"f"}`, caller: "alice"}, true},
		{"environment", call{method: "dev", params: `{"query":"g"}`}, call{method: "dev", params: `{"query":"g"}`}, false},
		{"groups", call{method: "other", params: `{"query":"h"}`}, call{method: "other", params: `{"query":"h"}`, group: "internal"}, false},
		{"versions", call{method: "other", params: `{"query":"i"}`}, call{method: "other", params: `{"query":"i"}`, version: 2}, false},
		{"methods", call{method: "own", params: `{"query":"j"}`}, call{method: "free", params: `{"query":"j"}`}, false},
	} {
		a, b := run(tt.a), run(tt.b)
		if (a == b) != tt.same {
			t.Errorf("%s: %s then %s, the same entry: want %v", tt.name, a, b, tt.same)
		}
	}
}

// R-K02: a hit publishes rpc.request only and runs nothing.
func TestCacheHit(t *testing.T) {
	bus, m := new(events.Bus), pool(t)
	var mu sync.Mutex // rpc.post_response has a goroutine of its own
	var order []string
	note := func(s string) error {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, s)
		return nil
	}
	events.On(bus, func(context.Context, rpc.Request) error { return note("request") })
	events.On(bus, func(context.Context, rpc.PreExecute) error { return note("pre_execute") })
	events.On(bus, func(context.Context, rpc.PostResponse) error { return note("post_response") })
	var values []any
	p := start(t, rpc.Options{Store: m, Records: m, Events: bus, Interceptors: []rpc.Interceptor{func(next rpc.Handler) rpc.Handler {
		return func(ctx context.Context, c *rpc.Call) (rpc.Response, error) {
			r, err := next(ctx, c)
			values = append(values, r.Value())
			return r, err
		}
	}}}, rpc.Method{Name: "get", Func: func(key) *int { return nil }, Cache: rpc.Cache{TTL: time.Minute}})
	first, second := p.run("get", `{"key":"k"}`), p.run("get", `{"key":"k"}`)
	if err := p.exec.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if first != "null" || second != "null" {
		t.Errorf("got %s, then %s", first, second)
	}
	if got := strings.Join(order[:2], " ") + " " + strings.Join(slices.Sorted(slices.Values(order[2:])), " "); got != "request pre_execute post_response request" {
		t.Errorf("events: %q", order)
	}
	if values[0] == nil || values[1] != nil {
		t.Errorf("Value(): %v; want a value when the method ran, nil for the hit", values)
	}
}

// Errors and panics are not kept.
func TestCacheKeepsNoErrors(t *testing.T) {
	m, runs := pool(t), 0
	p := start(t, rpc.Options{Store: m, Records: m}, rpc.Method{Name: "get", Cache: rpc.Cache{TTL: time.Minute}, Func: func(key) (int, error) {
		runs++
		switch runs {
		case 1:
			return 0, errors.New("x")
		case 2:
			panic("x")
		}
		return runs, nil
	}})
	p.run("get", `{"key":"k"}`)
	p.run("get", `{"key":"k"}`)
	if got := p.run("get", `{"key":"k"}`); got != "3" {
		t.Errorf("got %s", got)
	}
}

// Under Shared the method does not see who calls, also on a miss.
func TestSharedCallerIsAnonymous(t *testing.T) {
	m := pool(t)
	who := func(ctx context.Context, _ key) string { return rpc.CallFrom(ctx).Caller.ID }
	p := start(t, rpc.Options{Store: m, Records: m},
		rpc.Method{Name: "shared", Func: who, Cache: rpc.Cache{TTL: time.Minute, Shared: true}},
		rpc.Method{Name: "own", Func: who, Cache: rpc.Cache{TTL: time.Minute}})
	for name, want := range map[string]string{"shared": `""`, "own": `"anna"`} {
		c := p.call(name, `{"key":"k"}`)
		c.Caller = &rpc.Caller{ID: "anna"}
		if got := p.do(t.Context(), c); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// R-K04: a method's success ends the results it names, its failure does not.
func TestInvalidates(t *testing.T) {
	m, runs := pool(t), 0
	p := start(t, rpc.Options{Store: m, Records: m},
		rpc.Method{Name: "get", Func: func(key) int { runs++; return runs }, Cache: rpc.Cache{TTL: time.Minute}},
		rpc.Method{Name: "put", Invalidates: []string{"S.get"}, Func: func(k key) error {
			if k.Key == "bad" {
				return errors.New("x")
			}
			return nil
		}})
	var got []string
	for _, step := range []string{"get", "get", "bad", "get", "good", "get", "get"} {
		if step == "get" {
			got = append(got, p.run("get", `{"key":"k"}`))
		} else {
			p.run("put", `{"key":"`+step+`"}`)
		}
	}
	if want := []string{"1", "1", "1", "2", "2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// R-K05: a failing store is logged and passed by.
func TestBrokenStore(t *testing.T) {
	runs := 0
	p := start(t, rpc.Options{Store: broken{}, Records: broken{}}, rpc.Method{Name: "get", Func: func(key) int { runs++; return runs }, Cache: rpc.Cache{TTL: time.Minute}})
	for i := range 2 {
		if got := p.run("get", `{"key":"k"}`); got != fmt.Sprint(i+1) {
			t.Errorf("got %s", got)
		}
	}
}

// broken is a backend that is down.
type broken struct{}

var errDown = errors.New("connection refused")

func (broken) Load(context.Context, string) ([]byte, bool, error)         { return nil, false, errDown }
func (broken) Save(context.Context, string, []byte, time.Duration) error  { return errDown }
func (broken) Drop(context.Context, string) error                         { return errDown }
func (broken) Get(context.Context, string) ([]byte, bool, error)          { return nil, false, nil }
func (broken) Put(context.Context, string, []byte, time.Duration) error   { return errDown }
func (broken) Touch(context.Context, string, time.Duration) (bool, error) { return false, errDown }
func (broken) Incr(context.Context, string, time.Duration) (int64, error) { return 0, errDown }
func (broken) Delete(context.Context, string) (bool, error)               { return false, errDown }
func (broken) PutIfAbsent(context.Context, string, []byte, time.Duration) (bool, error) {
	return false, errDown
}
func (broken) Lock(context.Context, string, time.Duration, time.Duration) (context.Context, func(), bool, error) {
	return nil, nil, false, errDown
}

var (
	_ rpc.Store   = (*cache.Memory)(nil)
	_ rpc.Records = (*cache.Memory)(nil)
)
