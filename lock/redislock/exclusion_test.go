package redislock_test

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/rueidis"

	"github.com/facet-rpc/facet/lock/redislock"
	"github.com/facet-rpc/facet/rpc/rpctest"
)

// critical is a place where one may be at a time: between the grant of a lease
// and its end, or free, whichever comes first.
type critical struct {
	t      *testing.T
	inside atomic.Int64
	passed atomic.Int64
}

// enter begins; the returned func ends.
func (c *critical) enter(lease context.Context) (leave func()) {
	if n := c.inside.Add(1); n != 1 {
		c.t.Errorf("%d holders at once", n)
	}
	leave = sync.OnceFunc(func() { c.inside.Add(-1) })
	context.AfterFunc(lease, leave)
	c.passed.Add(1)
	return leave
}

// TestExclusion: 3 nodes with 200 callers each want one key.
func TestExclusion(t *testing.T) { // R-L03
	const nodes, callers = 3, 200
	server := rpctest.Redis(t)
	c := &critical{t: t}
	var all sync.WaitGroup
	unguarded := 0 // the race detector watches it
	for range nodes {
		locks := open(t, server, 0)
		for range callers {
			all.Go(func() {
				lease, free, held, err := locks.Lock(t.Context(), "key", time.Minute, 0)
				if !held || err != nil {
					t.Errorf("Lock = %t, %v; want the lock", held, err)
					return
				}
				defer free()
				defer c.enter(lease)()
				unguarded++
			})
		}
	}
	all.Wait()
	if unguarded != nodes*callers {
		t.Errorf("%d of %d callers were counted", unguarded, nodes*callers)
	}
}

// TestExclusionWhileRedisDies: the same while Redis is killed and started
// again, and frozen for longer than a TTL.
func TestExclusionWhileRedisDies(t *testing.T) { // R-L03
	const nodes, callers, ttl = 3, 200, 2 * time.Second
	server := rpctest.Redis(t)
	c := &critical{t: t}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var all sync.WaitGroup
	var refused, failed atomic.Int64
	for range nodes {
		locks := open(t, server, ttl)
		for range callers {
			all.Go(func() {
				for ctx.Err() == nil {
					lease, free, held, err := locks.Lock(ctx, "key", 2*time.Second, 0)
					switch {
					case err != nil:
						failed.Add(1)
					case !held:
						refused.Add(1)
					default:
						leave := c.enter(lease)
						select { // some work
						case <-lease.Done():
						case <-time.After(time.Millisecond):
						}
						leave()
						free()
					}
				}
			})
		}
	}
	progress := func() {
		t.Helper()
		before := c.passed.Load()
		began := time.Now()
		again := time.NewTicker(10 * time.Millisecond)
		defer again.Stop()
		for c.passed.Load() < before+20 {
			<-again.C
			if time.Since(began) > 15*time.Second {
				t.Fatal("nobody gets the lock any more")
			}
		}
		t.Logf("20 callers passed within %v", time.Since(began))
	}
	progress()
	for range 3 {
		server.Kill()
		server.Start()
		progress()
	}
	server.Pause()
	<-time.After(ttl + ttl/2)
	server.Resume()
	progress()
	cancel()
	all.Wait()
	t.Logf("passed %d, refused %d, failed %d", c.passed.Load(), refused.Load(), failed.Load())
}

// TestNoFlood: prolonging a lock costs one command in each third of the TTL,
// not a stream of them.
func TestNoFlood(t *testing.T) {
	server := rpctest.Redis(t)
	const ttl = time.Second
	locks := open(t, server, ttl)
	client, err := rueidis.NewClient(rueidis.MustParseURL(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	scripts := func() (n int) {
		text, err := client.Do(t.Context(), client.B().Info().Section("commandstats").Build()).ToString()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(text) {
			if rest, ok := strings.CutPrefix(line, "cmdstat_evalsha:calls="); ok {
				calls, _, _ := strings.Cut(rest, ",")
				if n, err = strconv.Atoi(calls); err != nil {
					t.Fatalf("commandstats has %q", line)
				}
			}
		}
		return n
	}
	lease, free, held, err := locks.Lock(t.Context(), "key", 0, 0)
	if !held || err != nil {
		t.Fatalf("Lock = %t, %v", held, err)
	}
	defer free()
	before := scripts()
	<-time.After(2 * ttl) // longer than the key would last by itself
	if lease.Err() != nil {
		t.Fatalf("the lease was not prolonged: %v", context.Cause(lease))
	}
	if n := scripts() - before; n < 3 || n > 8 {
		t.Errorf("%d scripts ran in two TTLs, want about 6", n)
	}
}

// TestCrash: the lock of a process that died is free after one TTL.
func TestCrash(t *testing.T) {
	const ttl = time.Second
	server := rpctest.Redis(t)
	// A process that died leaves a key that nobody prolongs.
	client, err := rueidis.NewClient(rueidis.MustParseURL(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.Do(t.Context(), client.B().Set().Key("facet:lock:0:key").Value("somebody").Px(ttl).Build()).Error(); err != nil {
		t.Fatal(err)
	}
	locks := open(t, server, ttl)
	began := time.Now()
	if _, _, held, err := locks.Lock(t.Context(), "key", 0, 0); held || err != nil {
		t.Fatalf("Lock of a held key = %t, %v", held, err)
	}
	_, free, held, err := locks.Lock(t.Context(), "key", 10*time.Second, 0)
	if !held || err != nil {
		t.Fatalf("Lock = %t, %v; want the lock", held, err)
	}
	free()
	t.Logf("free after %v, with a TTL of %v", time.Since(began), ttl)
	if took := time.Since(began); took > ttl+2*time.Second {
		t.Errorf("the lock was free after %v", took)
	}
}

// TestPrefix: applications with other prefixes do not meet.
func TestPrefix(t *testing.T) {
	server := rpctest.Redis(t)
	one := open(t, server, 0)
	other, err := redislock.New(redislock.Options{Redis: rueidis.MustParseURL(server.URL), Prefix: "other"})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, l := range []*redislock.Locker{one, other} {
		_, free, held, err := l.Lock(t.Context(), "key", 0, 0)
		if !held || err != nil {
			t.Fatalf("Lock = %t, %v; want the lock", held, err)
		}
		defer free()
	}
}
