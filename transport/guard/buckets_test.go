package guard_test

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/cache/rediscache"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/gin-gonic/gin"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// node is one process of several that share a rate.
type node struct {
	engine http.Handler
	logs   *observer.ObservedLogs
}

func newNode(t *testing.T, url string, perSecond float64, burst int) node {
	t.Helper()
	pool, err := rediscache.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	policy := limited(perSecond, burst)
	policy.Rate.Shared = pool
	core, logs := observer.New(zap.InfoLevel)
	engine := gin.New()
	if err := guard.Mount(engine, executorWith(t, zap.New(core)), policy, batches); err != nil {
		t.Fatal(err)
	}
	logs.TakeAll() // of the mount
	return node{engine, logs}
}

// batch is the answer to a batch of so many members.
func (n node) batch(t *testing.T, token string, members int) (status int, retryAfter time.Duration) {
	t.Helper()
	w := serve(n.engine, request("POST", "/rpc", "{}", token, "Members: "+strconv.Itoa(members)))
	if w.Code == 429 {
		check(t, w, answer{429, -32429, ""})
	}
	seconds, _ := strconv.Atoi(w.Header().Get("Retry-After"))
	return w.Code, time.Duration(seconds) * time.Second
}

func (n node) expect(t *testing.T, token string, members, status int) {
	t.Helper()
	if got, _ := n.batch(t, token, members); got != status {
		t.Errorf("%s, %d members: %d, want %d", token, members, got, status)
	}
}

// R-S04: two nodes have one budget, of which batches are paid as a whole.
func TestSharedRate(t *testing.T) {
	server := rpctest.Redis(t)
	a, b := newNode(t, server.URL, 0.01, 10), newNode(t, server.URL, 0.01, 10)
	a.expect(t, asAll, 4, 200)
	b.expect(t, asAll, 4, 200)
	b.expect(t, asAll, 3, 429) // 1 is paid at the door, the other 2 are not there
	a.expect(t, asAll, 1, 200) // 2 were left, now none
	if status, wait := b.batch(t, asAll, 1); status != 429 || wait < 90*time.Second || wait > 100*time.Second {
		t.Errorf("%d, Retry-After %v; want 429 and what one call takes, 100 s", status, wait)
	}
	b.expect(t, asDefault, 10, 200) // another caller
	a.expect(t, asDefault, 1, 429)
	a.expect(t, asDefault, 11, 429)
	// A policy with another rate has other buckets.
	newNode(t, server.URL, 0.02, 5).expect(t, asAll, 5, 200)
}

// R-S04: while Redis is away each node counts for itself: neither an open door
// nor a dead one. That is logged once, and ends when Redis is back.
func TestSharedRateWithoutRedis(t *testing.T) {
	for name, fault := range map[string]func(*rpctest.RedisServer, *rpctest.RedisProxy) (mend func()){
		"killed":  func(s *rpctest.RedisServer, _ *rpctest.RedisProxy) func() { s.Kill(); return s.Start },
		"cut off": func(_ *rpctest.RedisServer, p *rpctest.RedisProxy) func() { p.Stall(); return p.Pass },
		"garbage": func(_ *rpctest.RedisServer, p *rpctest.RedisProxy) func() { p.Garble("-ERR no\r\n"); return p.Pass },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := rpctest.Redis(t)
			proxy := server.Proxy()
			a, b := newNode(t, proxy.URL, 0.01, 10), newNode(t, server.URL, 0.01, 10)
			a.expect(t, asAll, 3, 200)
			b.expect(t, asAll, 3, 200)
			mend := fault(server, proxy)
			began := time.Now()
			for range 7 { // what this node let in before, it remembers
				a.expect(t, asAll, 1, 200)
			}
			for range 20 {
				a.expect(t, asAll, 1, 429)
			}
			a.expect(t, asDefault, 10, 200)
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("the door was shut for %v", took)
			}
			if n := len(a.logs.All()); n != 1 {
				t.Errorf("logged %d times: %v", n, a.logs.All())
			}
			mend()
			again := time.NewTicker(20 * time.Millisecond)
			defer again.Stop()
			for range again.C {
				a.batch(t, asAll, 1) // asks again by itself
				if len(a.logs.All()) > 1 {
					break
				}
				if time.Since(began) > 20*time.Second {
					t.Fatal("the shared rate is not asked again")
				}
			}
			last := a.logs.All()[1]
			if n, _ := last.ContextMap()["counted_alone"].(int64); last.Message != "the shared rate can be asked again" || n < 28 {
				t.Errorf("logged %v", last)
			}
			for { // what is left is for both
				if status, _ := b.batch(t, asAll, 1); status == 429 {
					break
				}
			}
			a.expect(t, asAll, 1, 429)
		})
	}
}

// A client that leaves says nothing about the buckets.
func TestSharedRateOfClientsThatLeft(t *testing.T) {
	server := rpctest.Redis(t)
	a := newNode(t, server.URL, 0.01, 3)
	r := request("POST", "/rpc", "{}", asAll, "Members: 1")
	ctx, leave := context.WithCancel(r.Context())
	leave()
	serve(a.engine, r.WithContext(ctx))
	a.expect(t, asAll, 3, 200)
	if entries := a.logs.All(); len(entries) > 0 {
		t.Errorf("logged %v", entries)
	}
}

// down are buckets that cannot be asked, and count who tries.
type down struct{ asked int }

func (d *down) Take(context.Context, string, int, int, time.Duration) (time.Duration, error) {
	d.asked++
	return 0, io.ErrClosedPipe
}

// R-S04: buckets that are down are asked once a second, however many requests
// come, and logged once in all.
func TestSharedRateAsksSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy, buckets := limited(1000, 1000), new(down)
		policy.Rate.Shared = buckets
		core, logs := observer.New(zap.ErrorLevel)
		engine := gin.New()
		if err := guard.Mount(engine, executorWith(t, zap.New(core)), policy, calls); err != nil {
			t.Fatal(err)
		}
		for range 1000 {
			check(t, serve(engine, request("POST", "/rpc", "{}", asAll)), answer{200, 0, ""})
			time.Sleep(10 * time.Millisecond) // the bubble's clock
		}
		if buckets.asked != 10 || logs.Len() != 1 {
			t.Errorf("asked %d times, want 10; logged %d times, want once", buckets.asked, logs.Len())
		}
	})
}
