//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/facet-rpc/facet/cache/rediscache"
	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/lock/redislock"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/rpchttp/client"
)

const (
	lockWait = 300 * time.Millisecond // of S.locked
	answers  = 500 * time.Millisecond // what a command waits for Redis
	slack    = 1500 * time.Millisecond
)

// stack is a whole program, from the edge to Redis behind a proxy.
type stack struct {
	*rpctest.Server
	redis *rpctest.RedisServer
	proxy *rpctest.RedisProxy
	admin func(args ...string)
	runs  atomic.Int64
	asked int
}

type number struct {
	N int `json:"n"`
}

func newStack(t *testing.T) *stack {
	t.Helper()
	s := &stack{redis: rpctest.Redis(t)}
	s.proxy = s.redis.Proxy()
	pool, err := rediscache.Open(t.Context(), s.proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	locks, err := redislock.Open(t.Context(), s.proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(locks.Close)
	s.admin = func(args ...string) {
		t.Helper()
		db, err := connect(s.redis.URL)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if err := db.Do(t.Context(), db.B().Arbitrary(args...).Build()).Error(); err != nil {
			t.Fatal(err)
		}
	}
	run := func(p number) int64 { return s.runs.Add(1) }
	s.Server = rpctest.Start(t, rpc.App{Name: "faults", Version: "1.0.0"}, rpc.Options{Store: pool, Records: pool, Locker: locks}, rpc.Service{
		Name: "S", Methods: []rpc.Method{
			{Name: "plain", Func: run},
			{Name: "cached", Func: run, Cache: rpc.Cache{TTL: time.Hour, Shared: true}},
			{Name: "change", Func: run, Invalidates: []string{"S.cached"}},
			{Name: "locked", Func: run, Lock: rpc.Lock{On: "n", Wait: lockWait}},
			{Name: "keyed", Func: run, Idempotency: rpc.Idempotency{TTL: time.Hour}},
		},
	})
	return s
}

// ask calls a method with a number of its own.
func (s *stack) ask(method string) (took time.Duration, err error) {
	s.asked++
	params := map[string]any{"n": s.asked}
	if method == "S.keyed" {
		params["$rpc"] = map[string]any{"idempotencyKey": fmt.Sprint("key ", s.asked)}
	}
	began := time.Now()
	_, err = client.Call[int64](context.Background(), s.Client(), method, params)
	return time.Since(began), err
}

var methods = []string{"S.plain", "S.cached", "S.change", "S.locked", "S.keyed"}

// TestFaults: with a Redis that does not work, what needs no Redis answers and
// what does says so in time; with one that works again everything does, and
// nothing is started again.
func TestFaults(t *testing.T) { // R-K05, R-L03, R-C03
	table := make([]string, len(faults))
	t.Run("all", func(t *testing.T) {
		for i, f := range faults {
			t.Run(f.name, func(t *testing.T) {
				t.Parallel()
				table[i] = f.try(t)
			})
		}
	})
	t.Logf("\n| fault | unlocked | cached | invalidating | locked, wait %v | with an idempotency key | works again after |\n%s\n%s",
		lockWait, "|---|---|---|---|---|---|---|", strings.Join(table, "\n"))
}

// fault is something that goes wrong with Redis.
type fault struct {
	name  string
	cause func(*stack) (mend func())
	works bool // calls that need Redis work too
}

var faults = []fault{
	{"killed", func(s *stack) func() { s.redis.Kill(); return s.redis.Start }, false},
	{"restarted", func(s *stack) func() { s.redis.Kill(); s.redis.Start(); return func() {} }, true},
	{"frozen", func(s *stack) func() { s.redis.Pause(); return s.redis.Resume }, false},
	{"cut off", func(s *stack) func() { s.proxy.Stall(); return s.proxy.Pass }, false},
	{"slow: 100 ms", func(s *stack) func() { s.proxy.Delay(100 * time.Millisecond); return s.proxy.Pass }, true},
	{"too slow: 2 s", func(s *stack) func() { s.proxy.Delay(2 * time.Second); return s.proxy.Pass }, false},
	{"out of memory", func(s *stack) func() {
		s.admin("CONFIG", "SET", "maxmemory", "1")
		return func() { s.admin("CONFIG", "SET", "maxmemory", "0") }
	}, false},
	{"garbage", func(s *stack) func() {
		s.proxy.Garble("HTTP/1.1 400 Bad Request\r\n\r\n")
		return s.proxy.Pass
	}, false},
}

// try causes the fault and calls every method; the line is one of the table.
func (f fault) try(t *testing.T) string {
	s := newStack(t)
	for _, m := range methods {
		if _, err := s.ask(m); err != nil {
			t.Fatalf("%s before the fault: %v", m, err)
		}
	}
	before := s.Executor().Stats()
	mend := f.cause(s)
	line := "| " + f.name
	for _, m := range methods {
		took, err := s.ask(m)
		t.Logf("%s: %v after %v", m, err, took)
		needs := m == "S.locked" || m == "S.keyed"
		switch {
		case err == nil && needs && !f.works:
			t.Errorf("%s answers without Redis", m)
		case err != nil && (!needs || f.works):
			t.Errorf("%s: %v", m, err)
		case err != nil && !errors.Is(err, rpcerrors.Unavailable):
			t.Errorf("%s: %v, want %d", m, err, rpcerrors.CodeUnavailable)
		}
		if limit := lockWait + answers + slack; needs && !f.works && took > limit {
			t.Errorf("%s took %v, more than %v", m, took, limit)
		}
		verdict := "answers"
		if err != nil {
			verdict = "-32503"
		}
		line += fmt.Sprintf(" | %s, %v", verdict, took.Round(time.Millisecond))
	}
	if n := s.Executor().Stats().Failures - before.Failures; n == 0 && !f.works {
		t.Error("nothing was counted as passed by")
	}
	mend()
	mended := time.Now()
	for _, m := range methods {
		for _, err := s.ask(m); err != nil; _, err = s.ask(m) {
			if time.Since(mended) > 10*time.Second {
				t.Fatalf("%s does not work again: %v", m, err)
			}
			pause(t.Context(), 5*time.Millisecond)
		}
	}
	s.caches(t, mended)
	return fmt.Sprintf("%s | %v |", line, time.Since(mended).Round(time.Millisecond))
}

// caches wants that a result is kept and served again.
func (s *stack) caches(t *testing.T, mended time.Time) {
	t.Helper()
	hit := func() bool {
		before := s.runs.Load()
		for range 2 {
			if _, err := client.Call[int64](t.Context(), s.Client(), "S.cached", number{-1}); err != nil {
				t.Fatal(err)
			}
		}
		return s.runs.Load() <= before+1
	}
	for !hit() {
		if time.Since(mended) > 10*time.Second {
			t.Fatal("results are not kept again")
		}
		pause(t.Context(), 5*time.Millisecond)
	}
}
