package rpc_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/cache/rediscache"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
)

// doubtful takes a key once and says that it failed.
type doubtful struct {
	rpc.Records
	after time.Duration // when it is taken
	slow  time.Duration // how long the answer takes, unless ctx ends
	down  atomic.Bool   // nothing else works
	asked atomic.Bool
}

func (d *doubtful) PutIfAbsent(ctx context.Context, key string, value []byte, ttl time.Duration) (bool, error) {
	if !d.asked.CompareAndSwap(false, true) {
		return d.Records.PutIfAbsent(ctx, key, value, ttl)
	}
	time.AfterFunc(d.after, func() {
		d.Records.PutIfAbsent(context.Background(), key, value, ttl)
		d.down.Store(false)
	})
	if d.slow == 0 {
		return false, errDown
	}
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-time.After(d.slow):
		return true, nil
	}
}

func (d *doubtful) Get(ctx context.Context, key string) ([]byte, bool, error) {
	if d.down.Load() {
		return nil, false, errDown
	}
	return d.Records.Get(ctx, key)
}

// case I11: a key that was taken although its taker heard of a failure, or
// left before it heard anything, is soon free.
func TestOrphanedKeys(t *testing.T) {
	for name, d := range map[string]*doubtful{
		"taken":          {},
		"taken later":    {after: 600 * time.Millisecond},
		"down until":     {after: 20 * time.Second},
		"deadline":       {after: time.Millisecond, slow: time.Second},
		"deadline later": {after: 900 * time.Millisecond, slow: time.Second},
	} {
		d.down.Store(name == "down until")
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d.Records = bubble(t)
				runs := 0
				p := start(t, rpc.Options{Records: d}, rpc.Method{Name: "pay", Idempotency: once, Timeout: 100 * time.Millisecond, Func: func(key) int { runs++; return runs }})
				if got, _ := p.keyed(t.Context(), "pay", `{"key":"k"}`, "id"); got == "1" {
					t.Fatalf("got %s", got)
				}
				time.Sleep(d.after) // on, the clock of the bubble
				began := time.Now()
				for {
					got, replayed := p.keyed(t.Context(), "pay", `{"key":"k"}`, "id")
					if got == "1" && !replayed {
						break
					}
					if time.Since(began) > 2*time.Second {
						t.Fatalf("got %s, replayed %v, after %v", got, replayed, time.Since(began))
					}
				}
				if err := p.exec.Shutdown(t.Context()); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// case I11: the same when Redis stands still for a while.
func TestOrphanedKeyOnRedis(t *testing.T) {
	server := rpctest.Redis(t)
	pool, err := rediscache.Open(t.Context(), server.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	p := start(t, rpc.Options{Store: pool, Records: pool}, rpc.Method{Name: "pay", Idempotency: once, Func: func(key) int { return 1 }})
	if got, _ := p.keyed(t.Context(), "pay", `{"key":"k"}`, "first"); got != "1" {
		t.Fatalf("got %s", got)
	}
	server.Pause()
	if got, _ := p.keyed(t.Context(), "pay", `{"key":"k"}`, "id"); !strings.Contains(got, "-32503") {
		t.Errorf("got %s", got)
	}
	server.Resume()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for {
		got, replayed := p.keyed(ctx, "pay", `{"key":"k"}`, "id")
		if got == "1" && !replayed {
			break
		}
		if ctx.Err() != nil {
			t.Fatalf("got %s, replayed %v", got, replayed)
		}
	}
	if err := p.exec.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
}
