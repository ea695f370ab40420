package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/lock"
	"github.com/facet-rpc/facet/rpc"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// R-C03 R-C04: what a caller sees of an error, in each environment.
func TestPublicErrors(t *testing.T) {
	cause := errors.New("dial tcp 10.0.0.7: secret")
	methods := []rpc.Method{
		{Name: "plain", Func: func() error { return fmt.Errorf("loading: %w", cause) }},
		{Name: "declared", Func: func() error { return rpcerrors.NotFound.Wrap(cause, "There is no such order.") }},
		{Name: "bare", Func: func() error { return rpcerrors.Logic }},
		{Name: "wrapped", Func: func() error { return fmt.Errorf("deep: %w", soldOut.New(struct{}{})) }},
		{Name: "panic", Func: func() error { panic("secret") }},
		{Name: "panicError", Func: func() error { panic(cause) }},
		{Name: "typedNil", Func: func() error { var e *rpcerrors.Error; return e }},
	}
	for _, tt := range []struct{ name, prod, message string }{
		{"plain", `{"code":-32603,"message":"Internal error.","data":{"exception":"Internal"}}`, "loading: dial tcp 10.0.0.7: secret"},
		{"declared", `{"code":-32404,"message":"There is no such order.","data":{"exception":"NotFound"}}`, "There is no such order."},
		{"bare", `{"code":-32400,"message":"Logic error.","data":{"exception":"Logic"}}`, "Logic error."},
		{"wrapped", `{"code":1001,"message":"Sold out.","data":{"exception":"SoldOut"}}`, "deep: Sold out."},
		{"panic", `{"code":-32603,"message":"Internal error.","data":{"exception":"Internal"}}`, "panic: secret"},
		{"panicError", `{"code":-32603,"message":"Internal error.","data":{"exception":"Internal"}}`, "panic: dial tcp 10.0.0.7: secret"},
		{"typedNil", `{"code":-32603,"message":"Internal error.","data":{"exception":"Internal"}}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := start(t, rpc.Options{}, methods...).run(tt.name, ""); got != tt.prod {
				t.Errorf("prod: got %s, want %s", got, tt.prod)
			}
			for _, env := range []rpc.Env{rpc.Dev, rpc.Test} {
				got := start(t, rpc.Options{Env: env}, methods...).run(tt.name, "")
				for _, part := range []string{`"message":"` + tt.message, `"file":"`, `"line":`, `"trace":[`, "executor_test.go"} {
					if !strings.Contains(got, part) {
						t.Errorf("%s: %s is not in %s", env, part, got)
					}
				}
			}
		})
	}
}

// R-E03: an error is logged and published once, with what names the call.
func TestErrorOnce(t *testing.T) {
	core, logs := observer.New(zap.InfoLevel)
	bus := new(events.Bus)
	var seen []string
	events.On(bus, func(_ context.Context, e rpc.Failed) error {
		seen = append(seen, e.Error.Kind()+" "+e.Call.Method)
		return errors.New("listener")
	})
	p := start(t, rpc.Options{Logger: zap.New(core), Events: bus}, rpc.Method{Name: "fail", Func: func(key) error { return errors.New("cause") }})
	c := p.call("fail", `{"key":"k","$rpc":{"rayId":"ray-7"}}`)
	c.Caller = &rpc.Caller{ID: "anna"}
	p.do(t.Context(), c)
	if want := []string{"Internal S.fail"}; !slices.Equal(seen, want) {
		t.Errorf("rpc.error: got %q, want %q", seen, want)
	}
	failed := logs.FilterMessage("call failed").All()
	if len(failed) != 1 {
		t.Fatalf("logged %d times", len(failed))
	}
	fields := failed[0].ContextMap()
	for k, want := range map[string]any{"method": "S.fail", "door": "test.default.v1", "ray": "ray-7", "caller": "anna", "code": int64(-32603), "error": "cause", "request": c.RequestID()} {
		if fields[k] != want {
			t.Errorf("log field %s = %v, want %v", k, fields[k], want)
		}
	}
	if _, has := fields["params"]; has {
		t.Error("parameters are logged outside dev")
	}
}

// R-E01 R-E02: the order of events, and who hears them when.
func TestEventOrder(t *testing.T) {
	bus := new(events.Bus)
	var order []string
	note := func(s string) error { order = append(order, s); return nil }
	events.On(bus, func(_ context.Context, e rpc.Request) error { return note("request") })
	events.On(bus, func(_ context.Context, e rpc.PreExecute) error {
		return note(fmt.Sprintf("pre_execute %v", e.Params.(*key).Key))
	})
	events.On(bus, func(_ context.Context, e rpc.PostExecute) error { return note(fmt.Sprint("post_execute ", e.Result)) })
	events.On(bus, func(_ context.Context, e rpc.PreResponse) error {
		*e.Result = (*e.Result).(string) + "!"
		return note("pre_response")
	})
	events.On(bus, func(_ context.Context, e rpc.PostResponse) error { return note(fmt.Sprint("post_response ", e.Result)) })
	events.On(bus, func(_ context.Context, e rpc.Failed) error { return note("error") })
	p := start(t, rpc.Options{Events: bus},
		rpc.Method{Name: "get", Func: func(_ context.Context, k key) (string, error) { return k.Key, note("method") }},
		rpc.Method{Name: "fail", Func: func(key) error { return errors.New("x") }})
	if got := p.run("get", `{"key":"a"}`); got != `"a!"` {
		t.Errorf("got %s", got)
	}
	if err := p.exec.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"request", "pre_execute a", "method", "post_execute a", "pre_response", "post_response a!"}
	if !slices.Equal(order, want) {
		t.Errorf("got %q, want %q", order, want)
	}
}

// R-E02: not for errors.
func TestNoPostResponseForErrors(t *testing.T) {
	bus := new(events.Bus)
	var order []string
	events.On(bus, func(_ context.Context, e rpc.PostResponse) error { order = append(order, "post"); return nil })
	events.On(bus, func(_ context.Context, e rpc.Failed) error { order = append(order, "error"); return nil })
	p := start(t, rpc.Options{Events: bus}, rpc.Method{Name: "fail", Func: func() error { return errors.New("x") }})
	p.run("fail", "")
	p.run("none", "")
	if err := p.exec.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"error", "error"}; !slices.Equal(order, want) {
		t.Errorf("got %q, want %q", order, want)
	}
}

// R-E01: an error of a listener before the method refuses the call through
// rpc.error once; afterwards it is logged. A panic is contained.
func TestListenersRefuse(t *testing.T) {
	closed := rpcerrors.Logic.New("The shop is closed.")
	for _, tt := range []struct {
		name   string
		listen func(*events.Bus)
		want   string
		ran    bool
	}{
		{"request", func(b *events.Bus) { events.On(b, func(context.Context, rpc.Request) error { return closed }) }, "The shop is closed.", false},
		{"pre_execute", func(b *events.Bus) { events.On(b, func(context.Context, rpc.PreExecute) error { return closed }) }, "The shop is closed.", false},
		{"panic", func(b *events.Bus) { events.On(b, func(context.Context, rpc.PreExecute) error { panic("x") }) }, "Internal error.", false},
		{"post_execute", func(b *events.Bus) { events.On(b, func(context.Context, rpc.PostExecute) error { return closed }) }, "7", true},
		{"pre_response", func(b *events.Bus) { events.On(b, func(context.Context, rpc.PreResponse) error { panic("x") }) }, "7", true},
		{"pre_response of another type", func(b *events.Bus) {
			events.On(b, func(_ context.Context, e rpc.PreResponse) error { *e.Result = "text"; return nil })
		}, "Internal error.", true},
		{"post_response", func(b *events.Bus) { events.On(b, func(context.Context, rpc.PostResponse) error { panic("x") }) }, "7", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bus, ran, failed := new(events.Bus), false, 0
			tt.listen(bus)
			events.On(bus, func(context.Context, rpc.Failed) error { failed++; return nil })
			core, logs := observer.New(zap.InfoLevel)
			p := start(t, rpc.Options{Events: bus, Logger: zap.New(core)}, rpc.Method{Name: "get", Func: func() int { ran = true; return 7 }})
			got := p.run("get", "")
			if err := p.exec.Shutdown(t.Context()); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(got, tt.want) || ran != tt.ran {
				t.Errorf("got %s, method ran: %v", got, ran)
			}
			wantFailed := 0
			if tt.want != "7" {
				wantFailed = 1
			}
			if failed != wantFailed || logs.Len() != 1 {
				t.Errorf("rpc.error %d times, logged %d times", failed, logs.Len())
			}
		})
	}
}

// Interceptors wrap the call after the method was found; the first acts first.
func TestInterceptors(t *testing.T) {
	var order []string
	trace := func(name string) rpc.Interceptor {
		return func(next rpc.Handler) rpc.Handler {
			return func(ctx context.Context, c *rpc.Call) (rpc.Response, error) {
				order = append(order, name+" "+c.Spec().Name())
				r, err := next(ctx, c)
				if r.Value() != nil {
					order = append(order, fmt.Sprintf("%s %s %v", name, r.Bytes(), r.Value()))
				}
				return r, err
			}
		}
	}
	p := start(t, rpc.Options{Interceptors: []rpc.Interceptor{trace("a"), trace("b")}}, rpc.Method{Name: "get", Func: func() int { return 7 }})
	p.run("get", "")
	p.run("none", "")
	want := []string{"a S.get", "b S.get", "b 7 7", "a 7 7"}
	if !slices.Equal(order, want) {
		t.Errorf("got %q, want %q", order, want)
	}
}

// R-S05: a hidden method is not found, as a missing one.
func TestVisible(t *testing.T) {
	get := func() int { return 7 }
	p := start(t, rpc.Options{Visible: func(c *rpc.Caller, s *rpc.Spec) bool { return s.Name() != "S.hidden" || c.ID == "admin" }},
		rpc.Method{Name: "hidden", Func: get}, rpc.Method{Name: "scoped", Func: get, Scopes: []string{"read", "write"}})
	call := func(name string, caller *rpc.Caller) string {
		c := p.call(name, "")
		c.Caller = caller
		return p.do(t.Context(), c)
	}
	missing := call("missing", nil)
	for _, tt := range []struct {
		name   string
		caller *rpc.Caller
		want   string
	}{
		{"hidden", nil, missing},
		{"hidden", &rpc.Caller{ID: "anna"}, missing},
		{"hidden", &rpc.Caller{ID: "admin"}, "7"},
		{"scoped", &rpc.Caller{ID: "anna", Scopes: []string{"read"}}, missing},
		{"scoped", &rpc.Caller{ID: "anna", Scopes: []string{"write", "read"}}, "7"},
	} {
		if got := call(tt.name, tt.caller); got != tt.want {
			t.Errorf("%s by %v: got %s, want %s", tt.name, tt.caller, got, tt.want)
		}
	}
}

// The method's timeout ends its context; the answer is -32408 when the method
// returns, whatever it returns.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(ctx context.Context, k key) (string, error) {
			switch k.Key {
			case "waits":
				<-ctx.Done()
				return "", ctx.Err()
			case "late":
				time.Sleep(3 * time.Second)
				return "late", nil
			case "fails":
				time.Sleep(3 * time.Second)
				return "", soldOut.New(struct{}{})
			}
			return "quick", nil
		}
		p := start(t, rpc.Options{}, rpc.Method{Name: "slow", Func: slow, Timeout: 2 * time.Second}, rpc.Method{Name: "free", Func: slow})
		for _, tt := range []struct {
			method, params, want string
			took                 time.Duration
		}{
			{"slow", `{"key":"quick"}`, `"quick"`, 0},
			{"slow", `{"key":"waits"}`, "-32408", 2 * time.Second},
			{"slow", `{"key":"late"}`, "-32408", 3 * time.Second},
			{"slow", `{"key":"fails"}`, "-32408", 3 * time.Second},
			{"slow", `{"key":"waits","$rpc":{"timeout":20}}`, "-32408", 2 * time.Second},
			{"free", `{"key":"waits","$rpc":{"timeout":10.5}}`, "-32408", 10500 * time.Millisecond},
		} {
			began := time.Now()
			if got := p.run(tt.method, tt.params); !strings.Contains(got, tt.want) {
				t.Errorf("%s %s: got %s", tt.method, tt.params, got)
			}
			if took := time.Since(began); took != tt.took {
				t.Errorf("%s %s: took %v, want %v", tt.method, tt.params, took, tt.took)
			}
		}
	})
}

// The deadline of the caller's own context is a timeout too, with and without a
// cache.
func TestDeadlineOfCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := bubble(t)
		wait := func(ctx context.Context) (string, error) { <-ctx.Done(); return "", ctx.Err() }
		p := start(t, rpc.Options{Store: m, Records: m, Locker: new(lock.Local)},
			rpc.Method{Name: "plain", Func: wait}, rpc.Method{Name: "cached", Func: wait, Cache: rpc.Cache{TTL: time.Minute}},
			rpc.Method{Name: "locked", Func: wait, Lock: rpc.Lock{Name: "l", Wait: time.Hour}}, rpc.Method{Name: "keyed", Func: wait, Idempotency: once})
		for _, name := range []string{"plain", "cached", "locked", "keyed"} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if got, _ := p.keyed(ctx, name, "", "id"); !strings.Contains(got, "-32408") {
				t.Errorf("%s: got %s", name, got)
			}
			cancel()
		}
		own := start(t, rpc.Options{}, rpc.Method{Name: "own", Func: func(ctx context.Context) (string, error) {
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			return wait(ctx)
		}})
		if got := own.run("own", ""); !strings.Contains(got, "-32603") {
			t.Errorf("a deadline of the method's own: got %s", got)
		}
	})
}

// R-C15: a disconnect cancels the call, unless the door says it is detached.
func TestDisconnect(t *testing.T) {
	p := start(t, rpc.Options{}, rpc.Method{Name: "get", Func: func(ctx context.Context) (bool, error) {
		return rpc.CallFrom(ctx).Detached, ctx.Err()
	}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := p.do(ctx, p.call("get", "")); !strings.Contains(got, `"Canceled"`) {
		t.Errorf("attached: got %s", got)
	}
	c := p.call("get", "")
	c.Detached = true
	if got := p.do(ctx, c); got != "true" {
		t.Errorf("detached: got %s", got)
	}
}

// case G04: what a method's goroutine reads from the context after the answer
// is still its own call's.
func TestContextOutlivesCall(t *testing.T) {
	release, names := make(chan bool), make(chan string, 100)
	p := start(t, rpc.Options{}, rpc.Method{Name: "get", Func: func(ctx context.Context) {
		go func() {
			<-release
			names <- rpc.CallFrom(ctx).RequestID()
		}()
	}})
	want := map[string]bool{}
	for range 100 {
		c := p.call("get", "")
		p.do(t.Context(), c)
		want[c.RequestID()] = true
	}
	close(release)
	for range 100 {
		if id := <-names; !want[id] {
			t.Errorf("request %s is not one of the calls", id)
		}
	}
	if len(want) != 100 {
		t.Errorf("%d ids for 100 calls", len(want))
	}
}

// case G06: Shutdown refuses new calls, waits for those that run and for the
// listeners of rpc.post_response, and may be called twice.
func TestShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bus := new(events.Bus)
		posted := 0
		events.On(bus, func(context.Context, rpc.PostResponse) error {
			time.Sleep(time.Second)
			posted++
			return nil
		})
		p := start(t, rpc.Options{Events: bus}, rpc.Method{Name: "slow", Func: func() int { time.Sleep(5 * time.Second); return 1 }})
		for range 3 {
			go p.run("slow", "")
		}
		synctest.Wait()
		early, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := p.exec.Shutdown(early); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Shutdown while calls run: %v", err)
		}
		if kind := p.kind("slow", ""); kind != "Unavailable" {
			t.Errorf("a new call: %s", kind)
		}
		began := time.Now()
		if err := p.exec.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != 7*time.Second || posted != 3 {
			t.Errorf("took %v, %d listeners ran", took, posted)
		}
		if err := p.exec.Shutdown(t.Context()); err != nil {
			t.Error("second Shutdown:", err)
		}
	})
}

// A panic of any value, in the method or while its result is encoded, is an
// error of this call alone, and frees its lock.
func TestPanics(t *testing.T) {
	p := start(t, rpc.Options{Locker: new(lock.Local)},
		rpc.Method{Name: "method", Func: func(key) { panic(errors.New("x")) }, Lock: rpc.Lock{On: "key"}},
		rpc.Method{Name: "nil", Func: func(k key) int { var p *key; return len(p.Key + k.Key) }, Lock: rpc.Lock{On: "key"}},
		rpc.Method{Name: "encode", Func: func(key) bomb { return bomb{} }, Lock: rpc.Lock{On: "key"}},
		rpc.Method{Name: "decode", Func: func(struct {
			B bomb `json:"b"`
		}) {
		}})
	for range 3 {
		for name, params := range map[string]string{"method": `{"key":"k"}`, "nil": `{"key":"k"}`, "encode": `{"key":"k"}`, "decode": `{"b":1}`} {
			if got := p.run(name, params); got != `{"code":-32603,"message":"Internal error.","data":{"exception":"Internal"}}` {
				t.Errorf("%s: got %s", name, got)
			}
		}
	}
}

type bomb struct{}

func (bomb) MarshalJSON() ([]byte, error) { panic("encode") }
func (*bomb) UnmarshalJSON([]byte) error  { panic("decode") }

// Progress reaches the door that asked for it, and nobody else.
func TestProgress(t *testing.T) {
	p := start(t, rpc.Options{}, rpc.Method{Name: "work", Func: func(ctx context.Context) { rpc.Progress(ctx, 1, 2, "half") }})
	c := p.call("work", "")
	told := ""
	c.Report = func(done, total float64, message string) { told = fmt.Sprint(done, total, message) }
	p.do(t.Context(), c)
	p.run("work", "")
	rpc.Progress(t.Context(), 1, 2, "outside a call")
	if told != "1 2half" {
		t.Errorf("told %q", told)
	}
}

// What a method needs and the options do not have is found before any call.
func TestMissingBackends(t *testing.T) {
	registry, err := rpc.NewRegistry(app, rpc.Service{Name: "S", Methods: []rpc.Method{
		{Name: "a", Func: add, Cache: rpc.Cache{TTL: time.Minute}}, {Name: "b", Func: add, Lock: rpc.Lock{On: "a"}},
		{Name: "c", Func: add, Idempotency: rpc.Idempotency{TTL: time.Hour}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = rpc.NewExecutor(registry, rpc.Options{Env: "production", MinTimeout: time.Hour, MaxTimeout: time.Minute})
	golden(t, "fault options", err.Error()+"\n")
}
