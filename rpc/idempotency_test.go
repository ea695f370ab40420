package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
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

var once = rpc.Idempotency{TTL: time.Hour}

// keyed runs a call with an idempotency key.
func (p *program) keyed(ctx context.Context, name, params, key string) (answer string, replayed bool) {
	p.t.Helper()
	c := p.call(name, params)
	c.IdempotencyKey = key
	return p.answer(ctx, c)
}

func (p *program) answer(ctx context.Context, c *rpc.Call) (answer string, replayed bool) {
	p.t.Helper()
	r, err := p.exec.Do(ctx, c)
	if err != nil {
		return string(err.AppendJSON(nil)), r.Replayed()
	}
	defer r.Sent()
	return string(r.Bytes()), r.Replayed()
}

// case I11 (KeeperHub/keeperhub#1532, koala73/worldmonitor#4769): 20 equal calls at once: one execution, 20 equal answers, the
// others marked.
func TestIdempotentTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := bubble(t)
		var runs, replays atomic.Int64
		bus := new(events.Bus)
		var requests, executed, post atomic.Int64
		events.On(bus, func(context.Context, rpc.Request) error { requests.Add(1); return nil })
		events.On(bus, func(context.Context, rpc.PostExecute) error { executed.Add(1); return nil })
		events.On(bus, func(context.Context, rpc.PostResponse) error { post.Add(1); return nil })
		p := start(t, rpc.Options{Records: m, Events: bus}, rpc.Method{
			Name: "pay", Idempotency: once, Func: func(key) int64 { time.Sleep(time.Minute); return runs.Add(1) },
		})
		var wg sync.WaitGroup
		for i := range 20 {
			params := `{"key":"k"}`
			if i%2 == 1 {
				params = `["k"]` // the same in other bytes
			}
			wg.Go(func() {
				got, replayed := p.keyed(t.Context(), "pay", params, "id-1")
				if replayed {
					replays.Add(1)
				}
				if got != "1" {
					t.Errorf("got %s", got)
				}
			})
		}
		wg.Wait()
		if err := p.exec.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		if runs.Load() != 1 || replays.Load() != 19 || p.exec.Stats().Replays != 19 {
			t.Errorf("%d runs, %d replays", runs.Load(), replays.Load())
		}
		if requests.Load() != 20 || executed.Load() != 1 || post.Load() != 1 {
			t.Errorf("events: %d request, %d post_execute, %d post_response", requests.Load(), executed.Load(), post.Load())
		}
	})
}

// case I11: what a key counts for, and how long.
func TestIdempotencyKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := bubble(t)
		runs := 0
		count := func(struct {
			Key  string `json:"key"`
			Note string `json:"note" default:"x"`
		}) int {
			runs++
			return runs
		}
		p := start(t, rpc.Options{Records: m},
			rpc.Method{Name: "pay", Idempotency: once, Func: count}, rpc.Method{Name: "refund", Idempotency: once, Func: count}, rpc.Method{Name: "plain", Func: count})
		run := func(method, params, caller, key string) string {
			c := p.call(method, params)
			c.IdempotencyKey, c.Caller = key, &rpc.Caller{ID: caller}
			got, replayed := p.answer(t.Context(), c)
			if replayed {
				got += " replayed"
			}
			return got
		}
		conflict := `{"code":-32400,"message":"The idempotency key was used with other parameters.","data":{"exception":"IdempotencyConflict"}}`
		for _, tt := range []struct{ name, method, params, caller, key, want string }{
			{"first", "pay", `{"key":"a"}`, "anna", "id-1", "1"},
			{"again", "pay", `{"key":"a"}`, "anna", "id-1", "1 replayed"},
			{"again, spelled differently", "pay", `{"note":"x","key":"\u0061"}`, "anna", "id-1", "1 replayed"},
			{"again, in $rpc", "pay", `{"key":"a","$rpc":{"idempotencyKey":"id-1"}}`, "anna", "", "1 replayed"},
			{"again, in both", "pay", `{"key":"a","$rpc":{"idempotencyKey":"id-1"}}`, "anna", "id-1", "1 replayed"},
			{"another body", "pay", `{"key":"b"}`, "anna", "id-1", conflict},
			{"another key", "pay", `{"key":"b"}`, "anna", "id-2", "2"},
			{"another caller", "pay", `{"key":"a"}`, "bob", "id-1", "3"},
			{"another method", "refund", `{"key":"a"}`, "anna", "id-1", "4"},
			{"no key", "pay", `{"key":"a"}`, "anna", "", "5"},
			{"a header on a method without", "plain", `{"key":"a"}`, "anna", "id-1", "6"},
			{"a long header on a method without", "plain", `{"key":"a"}`, "anna", strings.Repeat("x", 129), "7"},
			{"a key on a method without", "plain", `{"key":"a","$rpc":{"idempotencyKey":"id-1"}}`, "anna", "", violation("unsupported", "is not supported by this method")},
			{"two keys", "pay", `{"key":"a","$rpc":{"idempotencyKey":"id-1"}}`, "anna", "id-2", violation("conflict", "is not the key of the request's header")},
			{"empty", "pay", `{"key":"a","$rpc":{"idempotencyKey":""}}`, "anna", "", violation("range", "must have 1 to 128 bytes")},
			{"a number", "pay", `{"key":"a","$rpc":{"idempotencyKey":1}}`, "anna", "", violation("type", "must be a string")},
			{"too long", "pay", `{"key":"a"}`, "anna", strings.Repeat("x", 129), violation("range", "must have 1 to 128 bytes")},
		} {
			got := run(tt.method, tt.params, tt.caller, tt.key)
			if data, ok := strings.CutPrefix(tt.want, "…"); got != tt.want && !(ok && strings.HasSuffix(got, data)) {
				t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
			}
		}
		time.Sleep(time.Hour + time.Second)
		if got := run("pay", `{"key":"b"}`, "anna", "id-1"); got != "8" {
			t.Errorf("after the TTL: got %s", got)
		}
	})
}

func violation(rule, message string) string {
	return fmt.Sprintf(`…,"data":{"exception":"InvalidParams","violations":[{"pointer":"/$rpc/idempotencyKey","rule":%q,"message":%q}]}}`, rule, message)
}

// case I11 (ietf-wg-httpapi/idempotency#46): the stated rule for failures. Declared errors that the method
// returned are its answer; any other failure frees the key.
func TestIdempotencyFailures(t *testing.T) {
	type left struct {
		Left int `json:"left"`
	}
	few := rpcerrors.Define[left](1002, "Few", "Only {{.Left}} left.")
	for _, tt := range []struct {
		name string
		fail func(context.Context) error
		kept bool
		want string
	}{
		{"declared", func(context.Context) error { return few.New(left{3}) }, true, `{"code":1002,"message":"Only 3 left.","data":{"exception":"Few","details":{"left":3}}}`},
		{"wrapped", func(context.Context) error { return fmt.Errorf("x: %w", few.New(left{3})) }, true, `"Only 3 left."`},
		{"a ready kind", func(context.Context) error { return rpcerrors.Logic.New("No, \"data\":1") }, true, `"message":"No, \"data\":1"`},
		{"undeclared", func(context.Context) error { return errors.New("x") }, false, "Internal"},
		{"panic", func(context.Context) error { panic("x") }, false, "Internal"},
		{"timeout", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, false, "Timeout"},
		{"declared too late", func(ctx context.Context) error { <-ctx.Done(); return few.New(left{3}) }, false, "Timeout"},
		{"success too late", func(ctx context.Context) error { <-ctx.Done(); return nil }, true, "Timeout"},
		{"backend down", func(context.Context) error { return rpcerrors.Unavailable.New("") }, false, "Unavailable"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := bubble(t)
				core, logs := observer.New(zap.InfoLevel)
				bus := new(events.Bus)
				published, runs := 0, 0
				events.On(bus, func(context.Context, rpc.Failed) error { published++; return nil })
				p := start(t, rpc.Options{Records: m, Events: bus, Logger: zap.New(core)}, rpc.Method{
					Name: "pay", Idempotency: once, Timeout: time.Minute,
					Func: func(ctx context.Context, _ key) (int, error) {
						if runs++; runs == 1 {
							return 1, tt.fail(ctx)
						}
						return runs, nil
					},
				})
				first, _ := p.keyed(t.Context(), "pay", `{"key":"k"}`, "id")
				if !strings.Contains(first, tt.want) {
					t.Errorf("got %s", first)
				}
				if n := logs.FilterMessage("call failed").Len(); published != 1 || n != 1 {
					t.Errorf("%d published, %d logged", published, n)
				}
				again, replayed := p.keyed(t.Context(), "pay", `{"key":"k"}`, "id")
				want := "2"
				switch {
				case tt.name == "success too late":
					want = "1" // the work was done, which the retry learns
				case tt.kept:
					want = first
				}
				if again != want || replayed != tt.kept {
					t.Errorf("again: got %s, replayed %v; want %s", again, replayed, want)
				}
				if published != 1 {
					t.Error("a replay was published")
				}
			})
		})
	}
}

// A call that was refused before its method ran frees the key.
func TestIdempotencyOfRefusedCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := bubble(t)
		bus := new(events.Bus)
		closed := true
		events.On(bus, func(context.Context, rpc.PreExecute) error {
			if closed {
				return rpcerrors.Logic.New("Closed.")
			}
			return nil
		})
		p := start(t, rpc.Options{Records: m, Events: bus, Locker: new(lock.Local)}, rpc.Method{
			Name: "pay", Idempotency: once, Lock: rpc.Lock{On: "key"}, Func: func(key) int { time.Sleep(time.Minute); return 1 },
		})
		if got, _ := p.keyed(t.Context(), "pay", `{"key":"k"}`, "id"); !strings.Contains(got, "Closed.") {
			t.Errorf("got %s", got)
		}
		closed = false
		go p.run("pay", `{"key":"k"}`)
		synctest.Wait()
		if got, _ := p.keyed(t.Context(), "pay", `{"key":"k"}`, "id"); !strings.Contains(got, "Locked") {
			t.Errorf("got %s", got)
		}
		time.Sleep(time.Hour)
		if got, replayed := p.keyed(t.Context(), "pay", `{"key":"k"}`, "id"); got != "1" || replayed {
			t.Errorf("got %s, replayed %v", got, replayed)
		}
	})
}

// A client that leaves frees the key when the method stops; one who waits then
// runs it. One who leaves while waiting is free at once.
func TestIdempotencyAfterCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := bubble(t)
		var runs atomic.Int64
		p := start(t, rpc.Options{Records: m}, rpc.Method{Name: "pay", Idempotency: once, Func: func(ctx context.Context, _ key) (int64, error) {
			n := runs.Add(1)
			select {
			case <-ctx.Done():
				return 0, ctx.Err()
			case <-time.After(10 * time.Minute):
				return n, nil
			}
		}})
		first, leave := context.WithCancel(t.Context())
		go p.keyed(first, "pay", `{"key":"k"}`, "id")
		synctest.Wait()
		impatient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if p.keyed(impatient, "pay", `{"key":"k"}`, "id"); time.Since(began) != time.Second {
			t.Errorf("the impatient one took %v", time.Since(began))
		}
		time.AfterFunc(5*time.Minute, leave) // the key outlives its 30 seconds
		if got, replayed := p.keyed(t.Context(), "pay", `{"key":"k"}`, "id"); got != "2" || replayed {
			t.Errorf("got %s, replayed %v", got, replayed)
		}
	})
}

// A key whose program died is free after 30 seconds; without Records nothing
// runs.
func TestIdempotencyOfTheDead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := bubble(t)
		runs := 0
		method := rpc.Method{Name: "pay", Idempotency: once, Func: func(key) int { runs++; return runs }}
		dying := start(t, rpc.Options{Records: frozen{m}}, method)
		dying.keyed(t.Context(), "pay", `{"key":"k"}`, "id") // took the key, kept no answer
		began := time.Now()
		if got, _ := start(t, rpc.Options{Records: m}, method).keyed(t.Context(), "pay", `{"key":"k"}`, "id"); got != "2" || time.Since(began) > 31*time.Second {
			t.Errorf("got %s after %v", got, time.Since(began))
		}
		down := start(t, rpc.Options{Records: broken{}}, method)
		if got, _ := down.keyed(t.Context(), "pay", `{"key":"k"}`, "id"); !strings.Contains(got, "-32503") || runs != 2 {
			t.Errorf("got %s after %d runs", got, runs)
		}
		if got := down.run("pay", `{"key":"k"}`); got != "3" {
			t.Errorf("without a key: got %s", got)
		}
		if err := down.exec.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// frozen takes keys and keeps nothing else.
type frozen struct{ rpc.Records }

func (frozen) Put(context.Context, string, []byte, time.Duration) error { return errDown }
func (frozen) Delete(context.Context, string) (bool, error)             { return false, errDown }
