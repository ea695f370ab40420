package rediscache_test

import (
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/facet-rpc/facet/cache/rediscache"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/guard"
)

var _ guard.Buckets = (*rediscache.Pool)(nil)

// R-S04: of many callers on two nodes exactly as many get a token as there are.
func TestTakeIsShared(t *testing.T) {
	server := rpctest.Redis(t)
	pools := []*rediscache.Pool{open(t, server), open(t, server)}
	var taken atomic.Int64
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			wait, err := pools[i%2].Take(t.Context(), "a", 1, 30, time.Hour)
			switch {
			case err != nil:
				t.Error(err)
			case wait == 0:
				taken.Add(1)
			case wait < 59*time.Minute || wait > time.Hour:
				t.Errorf("wait %v", wait)
			}
		})
	}
	all.Wait()
	if got := taken.Load(); got != 30 {
		t.Errorf("%d of 30 tokens were taken", got)
	}
}

// R-S04: all n or none; the wait is true; a bucket is never more than full and
// leaves no key behind.
func TestTake(t *testing.T) {
	server := rpctest.Redis(t)
	pool, client := open(t, server), admin(t, server)
	ctx := t.Context()
	take := func(key string, n int) time.Duration {
		t.Helper()
		wait, err := pool.Take(ctx, key, n, 5, 20*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		return wait
	}
	near := func(got, want time.Duration) {
		t.Helper()
		if got > want || got < want-10*time.Second {
			t.Errorf("wait %v, want about %v", got, want)
		}
	}
	if got := take("a", 3); got != 0 {
		t.Errorf("3 of 5: wait %v", got)
	}
	near(take("a", 4), 40*time.Second)
	near(take("a", 5), 60*time.Second)
	if got := take("a", 2); got != 0 {
		t.Errorf("what was refused was taken: wait %v", got)
	}
	near(take("a", 1), 20*time.Second)
	if got := take("b", 5); got != 0 {
		t.Errorf("another bucket: wait %v", got)
	}
	ttl, err := client.Do(ctx, client.B().Pttl().Key("facet:bucket:a").Build()).AsInt64()
	if at := time.Duration(ttl) * time.Millisecond; err != nil || at > 100*time.Second || at < 90*time.Second {
		t.Errorf("the key of an empty bucket lives for %v, %v; want 100 s", at, err)
	}
	// The clock was set back by a year: no more than an empty bucket is owed.
	future := strconv.FormatInt(time.Now().Add(365*24*time.Hour).UnixMicro(), 10)
	if err := client.Do(ctx, client.B().Set().Key("facet:bucket:c").Value(future).Build()).Error(); err != nil {
		t.Fatal(err)
	}
	near(take("c", 1), 20*time.Second)
	// It comes back by the clock of Redis.
	if wait, err := pool.Take(ctx, "d", 1, 1, 30*time.Millisecond); wait != 0 || err != nil {
		t.Fatalf("%v, %v", wait, err)
	}
	began := time.Now()
	again := time.NewTicker(time.Millisecond)
	defer again.Stop()
	for range again.C {
		wait, err := pool.Take(ctx, "d", 1, 1, 30*time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		if wait == 0 {
			break
		}
	}
	if took := time.Since(began); took < 20*time.Millisecond {
		t.Errorf("a token came back after %v", took)
	}
}

// R-S04: what is no bucket is an error and is left alone.
func TestTakeOfAnotherKind(t *testing.T) {
	server := rpctest.Redis(t)
	pool, client := open(t, server), admin(t, server)
	if err := client.Do(t.Context(), client.B().Set().Key("facet:bucket:a").Value("x").Build()).Error(); err != nil {
		t.Fatal(err)
	}
	if wait, err := pool.Take(t.Context(), "a", 1, 5, time.Second); err == nil {
		t.Errorf("wait %v of a bucket that is none", wait)
	}
}
