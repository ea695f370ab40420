package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/cache"
	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// bubble is a pool within a synctest bubble.
func bubble(t *testing.T) *cache.Memory {
	m := pool(t)
	t.Cleanup(func() { synctest.Wait() })
	return m
}

// R-K03 case I06 (bucketeer-io/bucketeer#2552, authzed/spicedb#925): 1 000 callers of one cold key, one execution, equal answers;
// and so when half of them leave, the first one among them.
func TestOneExecution(t *testing.T) {
	for _, leave := range []int{0, 1, 500, 999} {
		t.Run(fmt.Sprint(leave, " leave"), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := bubble(t)
				var runs atomic.Int64
				bus := new(events.Bus)
				var pre, post, requests atomic.Int64
				events.On(bus, func(context.Context, rpc.Request) error { requests.Add(1); return nil })
				events.On(bus, func(context.Context, rpc.PreExecute) error { pre.Add(1); return nil })
				events.On(bus, func(context.Context, rpc.PostResponse) error { post.Add(1); return nil })
				p := start(t, rpc.Options{Store: m, Records: m, Events: bus}, rpc.Method{
					Name: "get", Cache: rpc.Cache{TTL: time.Minute}, Timeout: time.Hour,
					Func: func(ctx context.Context, k key) (string, error) {
						runs.Add(1)
						select {
						case <-time.After(10 * time.Second):
							return k.Key, nil
						case <-ctx.Done():
							return "", ctx.Err()
						}
					},
				})
				first, disconnect := context.WithCancel(t.Context())
				var wg sync.WaitGroup
				var answered, gone atomic.Int64
				for i := range 1000 {
					ctx := t.Context()
					if i < leave {
						ctx = first
					}
					wg.Go(func() {
						switch got := p.do(ctx, p.call("get", `{"key":"k"}`)); {
						case got == `"k"`:
							answered.Add(1)
						case strings.Contains(got, "Canceled"):
							gone.Add(1)
						default:
							t.Errorf("got %s", got)
						}
					})
					if i == 0 {
						synctest.Wait() // the first one leads
					}
				}
				synctest.Wait()
				disconnect()
				wg.Wait()
				if runs.Load() != 1 || answered.Load() != int64(1000-leave) || gone.Load() != int64(leave) {
					t.Errorf("%d runs, %d answered, %d gone", runs.Load(), answered.Load(), gone.Load())
				}
				if err := p.exec.Shutdown(t.Context()); err != nil {
					t.Fatal(err)
				}
				if requests.Load() != 1000 || pre.Load() != 1 || post.Load() != 1 {
					t.Errorf("events: %d request, %d pre_execute, %d post_response; want 1000, 1, 1", requests.Load(), pre.Load(), post.Load())
				}
				if s := p.exec.Stats(); s.Misses != 1000 || s.Coalesced != 999 || s.Stores != 1 {
					t.Errorf("stats: %+v", s)
				}
			})
		})
	}
}

// R-K03: an execution ends when nobody waits for it, and is not stored; the
// next caller starts another.
func TestAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := bubble(t)
		ended, runs := make(chan time.Duration, 1), 0
		p := start(t, rpc.Options{Store: m, Records: m}, rpc.Method{
			Name: "get", Cache: rpc.Cache{TTL: time.Minute},
			Func: func(ctx context.Context, k key) int {
				runs++
				if runs == 1 {
					began := time.Now()
					<-ctx.Done()
					ended <- time.Since(began)
				}
				return runs // although it was cancelled
			},
		})
		var wg sync.WaitGroup
		for i := range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i+1)*time.Second)
			defer cancel()
			wg.Go(func() {
				began := time.Now()
				p.do(ctx, p.call("get", `{"key":"k"}`))
				if d := time.Since(began); d != time.Duration(i+1)*time.Second {
					t.Errorf("caller %d waited %v", i, d)
				}
			})
		}
		wg.Wait()
		if d := <-ended; d != 3*time.Second {
			t.Errorf("the execution ended after %v; want 3 s, when the last caller left", d)
		}
		if got := p.run("get", `{"key":"k"}`); got != "2" {
			t.Errorf("then: got %s", got)
		}
		if got := p.run("get", `{"key":"k"}`); got != "2" {
			t.Errorf("then: got %s", got)
		}
	})
}

// R-K03: every waiter gets the same error bytes, which is published and logged
// once and not kept; null is kept.
func TestErrorsTogether(t *testing.T) {
	for _, tt := range []struct {
		name string
		fail func(ctx context.Context) (*int, error)
		want string
	}{
		{"declared", func(context.Context) (*int, error) { return nil, soldOut.New(struct{}{}) }, "SoldOut"},
		{"undeclared", func(context.Context) (*int, error) { return nil, errors.New("x") }, "Internal"},
		{"panic", func(context.Context) (*int, error) { panic("x") }, "Internal"},
		{"goexit", func(context.Context) (*int, error) { runtime.Goexit(); return nil, nil }, "Internal"},
		{"timeout", func(ctx context.Context) (*int, error) { <-ctx.Done(); return nil, ctx.Err() }, "Timeout"},
		{"late", func(ctx context.Context) (*int, error) { time.Sleep(time.Hour); return nil, nil }, "Timeout"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := bubble(t)
				core, logs := observer.New(zap.InfoLevel)
				bus := new(events.Bus)
				var published atomic.Int64
				events.On(bus, func(context.Context, rpc.Failed) error { published.Add(1); return nil })
				runs := 0
				p := start(t, rpc.Options{Store: m, Records: m, Events: bus, Logger: zap.New(core)}, rpc.Method{
					Name: "get", Cache: rpc.Cache{TTL: time.Minute}, Timeout: 10 * time.Second,
					Func: func(ctx context.Context, _ key) (*int, error) {
						if runs++; runs > 1 {
							return nil, nil
						}
						time.Sleep(time.Second)
						return tt.fail(ctx)
					},
				})
				answers := make([]string, 100)
				var wg sync.WaitGroup
				for i := range answers {
					wg.Go(func() { answers[i] = p.run("get", `{"key":"k"}`) })
				}
				wg.Wait()
				for _, a := range answers {
					if a != answers[0] || !strings.Contains(a, tt.want) {
						t.Fatalf("got %s and %s, want %s", a, answers[0], tt.want)
					}
				}
				if n := logs.FilterMessage("call failed").Len(); runs != 1 || published.Load() != 1 || n != 1 {
					t.Errorf("%d runs, %d published, %d logged", runs, published.Load(), n)
				}
				for range 2 {
					if got := p.run("get", `{"key":"k"}`); got != "null" || runs != 2 {
						t.Errorf("then: got %s after %d runs", got, runs)
					}
				}
			})
		})
	}
}

// R-K01: callers, languages, versions and groups that ask at the same time do
// not share an execution unless it is declared.
func TestNoSharedExecution(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := bubble(t)
		var runs atomic.Int64
		slow := func(ctx context.Context, _ key) string {
			runs.Add(1)
			time.Sleep(time.Second)
			c := rpc.CallFrom(ctx)
			return fmt.Sprint(c.Caller.ID, c.Language, c.Version(), c.Group())
		}
		groups := []string{"default", "internal"}
		registry, err := rpc.NewRegistry(app, rpc.Service{Name: "S", Groups: groups, Methods: []rpc.Method{
			{Name: "get", Func: slow, Cache: rpc.Cache{TTL: time.Minute}},
			{Name: "shared", Func: slow, Cache: rpc.Cache{TTL: time.Minute, Shared: true, LanguageFree: true}},
			{Name: "two", Func: func() {}, Since: 2},
		}})
		if err != nil {
			t.Fatal(err)
		}
		exec, err := rpc.NewExecutor(registry, rpc.Options{Store: m, Records: m})
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for _, method := range []string{"get", "shared"} {
			for range 5 {
				for i := range 16 {
					c := &rpc.Call{
						Endpoint: registry.Endpoint(groups[i&1], 1+i>>1&1), Method: "S." + method, Params: []byte(`{"key":"k"}`),
						Caller: &rpc.Caller{ID: []string{"anna", "bob"}[i>>2&1]}, Language: []string{"en", "uk"}[i>>3&1],
					}
					want := fmt.Sprintf("%q", fmt.Sprint(c.Caller.ID, c.Language, c.Version(), c.Group()))
					wg.Go(func() {
						r, err := exec.Do(t.Context(), c)
						if err != nil || method == "get" && string(r.Bytes()) != want {
							t.Errorf("got %s %v, want %s", r.Bytes(), err, want)
						}
						r.Sent()
					})
				}
			}
		}
		wg.Wait()
		if runs.Load() != 16+4 {
			t.Errorf("%d runs, want 16 of get and 4 of shared", runs.Load())
		}
	})
}

// R-K03: nodes that miss the same result at the same time wait for the first.
func TestNodesTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := bubble(t)
		var runs atomic.Int64
		var wg sync.WaitGroup
		for range 20 {
			p := start(t, rpc.Options{Store: m, Records: m}, rpc.Method{
				Name: "get", Cache: rpc.Cache{TTL: time.Minute},
				Func: func(key) int { runs.Add(1); time.Sleep(time.Second); return 7 },
			})
			wg.Go(func() {
				if got := p.run("get", `{"key":"k"}`); got != "7" {
					t.Errorf("got %s", got)
				}
			})
		}
		wg.Wait()
		if runs.Load() != 1 {
			t.Errorf("%d runs", runs.Load())
		}
	})
}

// A node that computes longer than the lease does not hold others up for ever.
func TestSlowNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := bubble(t)
		method := rpc.Method{Name: "get", Cache: rpc.Cache{TTL: time.Minute}, Func: func(key) { time.Sleep(time.Minute) }}
		slow, other := start(t, rpc.Options{Store: m, Records: m}, method), start(t, rpc.Options{Store: m, Records: m}, method)
		var wg sync.WaitGroup
		wg.Go(func() { slow.run("get", `{"key":"k"}`) })
		synctest.Wait()
		began := time.Now()
		other.run("get", `{"key":"k"}`)
		if d := time.Since(began); d > time.Minute+6*time.Second {
			t.Errorf("the other node took %v", d)
		}
		wg.Wait()
	})
}

// A refresh serves the old result at once and runs once.
func TestStaleFor(t *testing.T) { // R-K01
	synctest.Test(t, func(t *testing.T) {
		m := bubble(t)
		var runs atomic.Int64
		p := start(t, rpc.Options{Store: m, Records: m}, rpc.Method{
			Name: "get", Cache: rpc.Cache{TTL: time.Minute, StaleFor: time.Hour}, Timeout: 10 * time.Second,
			Func: func(_ context.Context, _ key) (int64, error) {
				n := runs.Add(1)
				time.Sleep(time.Second)
				if n == 2 {
					return 0, errors.New("x")
				}
				return n, nil
			},
		})
		get := func(want string, least, most time.Duration) {
			t.Helper()
			began := time.Now()
			if got := p.run("get", `{"key":"k"}`); got != want || time.Since(began) < least || time.Since(began) > most {
				t.Errorf("got %s after %v, want %s", got, time.Since(began), want)
			}
		}
		get("1", time.Second, time.Second)
		get("1", 0, 0)
		time.Sleep(2 * time.Minute)
		for range 50 {
			get("1", 0, 0) // the refresh fails
		}
		time.Sleep(5 * time.Second)
		get("1", 0, 0) // the next one does not
		time.Sleep(5 * time.Second)
		get("3", 0, 0)
		if s := p.exec.Stats(); s.Stale != 51 || runs.Load() != 3 {
			t.Errorf("%d runs, %+v", runs.Load(), s)
		}
		time.Sleep(2 * time.Hour)
		get("4", time.Second, time.Second)
		time.Sleep(2 * time.Minute)
		get("4", 0, 0)
		began := time.Now()
		if err := p.exec.Shutdown(t.Context()); err != nil || time.Since(began) != time.Second {
			t.Errorf("Shutdown: %v after %v; want nil after the refresh", err, time.Since(began))
		}
	})
}

// ignoreCache does not join an execution that began before.
func TestIgnoreCacheStartsAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := bubble(t)
		var runs atomic.Int64
		p := start(t, rpc.Options{Store: m, Records: m}, rpc.Method{
			Name: "get", Cache: rpc.Cache{TTL: time.Minute},
			Func: func(key) int64 {
				n := runs.Add(1)
				if n == 1 { // the first one takes longer
					time.Sleep(2 * time.Second)
				}
				return n
			},
		})
		first := make(chan string, 1)
		go func() { first <- p.run("get", `{"key":"k"}`) }()
		synctest.Wait()
		if got := p.run("get", `{"key":"k","$rpc":{"ignoreCache":true}}`); got != "2" {
			t.Errorf("got %s", got)
		}
		if got := <-first; got != "1" {
			t.Errorf("the first one: got %s", got)
		}
		// Nobody knows which of the two saw newer data: neither is stored.
		if got := p.run("get", `{"key":"k"}`); got != "3" {
			t.Errorf("then: got %s", got)
		}
	})
}

// Progress of one execution goes to all who wait and asked.
func TestProgressTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := bubble(t)
		p := start(t, rpc.Options{Store: m, Records: m}, rpc.Method{
			Name: "get", Cache: rpc.Cache{TTL: time.Minute},
			Func: func(ctx context.Context, _ key) {
				time.Sleep(time.Second)
				rpc.Progress(ctx, 1, 2, "half")
				time.Sleep(time.Second)
			},
		})
		var wg sync.WaitGroup
		told := make([]int, 3)
		for i := range told {
			c := p.call("get", `{"key":"k"}`)
			c.Report = func(float64, float64, string) { told[i]++ }
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			wg.Go(func() { p.do(ctx, c) })
			if i == 0 {
				synctest.Wait()
				time.AfterFunc(time.Millisecond, cancel)
			}
		}
		wg.Wait()
		if told[0] != 0 || told[1] != 1 || told[2] != 1 {
			t.Errorf("told %v; want the two who stayed", told)
		}
	})
}

// A listener of rpc.pre_execute refuses the caller it looked at, and not those
// who wait for the same result.
func TestRefusedAlone(t *testing.T) {
	for _, welcome := range []string{"anna", "caller 7", "nobody"} {
		t.Run(welcome, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := bubble(t)
				bus := new(events.Bus)
				var published, runs atomic.Int64
				events.On(bus, func(_ context.Context, e rpc.PreExecute) error {
					id := e.Call.Caller.ID
					time.Sleep(time.Second)
					if id != welcome {
						return rpcerrors.Logic.New("Not you, " + id + ".")
					}
					return nil
				})
				events.On(bus, func(context.Context, rpc.Failed) error { published.Add(1); return nil })
				p := start(t, rpc.Options{Store: m, Records: m, Events: bus}, rpc.Method{
					Name: "get", Cache: rpc.Cache{TTL: time.Minute, Shared: true}, Func: func(key) int64 { return runs.Add(1) },
				})
				var wg sync.WaitGroup
				refused := 0
				for i := range 20 {
					id := fmt.Sprint("caller ", i)
					if i == 19 {
						id = "anna"
					}
					want := "Not you, " + id + "."
					if id == welcome {
						want = "1"
					} else {
						refused++
					}
					wg.Go(func() {
						c := p.call("get", `{"key":"k"}`)
						c.Caller = &rpc.Caller{ID: id}
						// Who joined the one that may, got its result.
						if got := p.do(t.Context(), c); !strings.Contains(got, want) && got != "1" {
							t.Errorf("%s got %s", id, got)
						}
					})
					if i == 0 {
						synctest.Wait() // the first one leads
					}
				}
				wg.Wait()
				if runs.Load() > 1 || welcome == "nobody" && published.Load() != int64(refused) {
					t.Errorf("%d runs, %d published", runs.Load(), published.Load())
				}
			})
		})
	}
}

// bilingual has one text in two languages.
type bilingual struct{}

func (bilingual) Language(accept string) string { return accept }
func (bilingual) Text(lang, _, key string) (string, bool) {
	return lang + " " + key, key == "errors.NotFound"
}

// Each caller of one execution gets its error in its own language; it is
// logged and published once.
func TestErrorsInTwoLanguages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := bubble(t)
		bus := new(events.Bus)
		var published, runs atomic.Int64
		events.On(bus, func(context.Context, rpc.Failed) error { published.Add(1); return nil })
		translated := app
		translated.Texts = bilingual{}
		p := startApp(t, translated, rpc.Options{Store: m, Records: m, Events: bus}, rpc.Method{
			Name: "get", Cache: rpc.Cache{TTL: time.Minute, LanguageFree: true},
			Func: func(key) (int, error) { runs.Add(1); time.Sleep(time.Second); return 0, rpcerrors.NotFound.New("") },
		})
		var wg sync.WaitGroup
		for _, lang := range []string{"uk", "en", "uk"} {
			wg.Go(func() {
				c := p.call("get", `{"key":"k"}`)
				c.Language = lang
				if got := p.do(t.Context(), c); !strings.Contains(got, `"`+lang+` errors.NotFound"`) {
					t.Errorf("%s: got %s", lang, got)
				}
			})
		}
		wg.Wait()
		if runs.Load() != 1 || published.Load() != 1 {
			t.Errorf("%d runs, %d published", runs.Load(), published.Load())
		}
	})
}
