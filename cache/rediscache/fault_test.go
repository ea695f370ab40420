package rediscache_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/facet-rpc/facet/cache/rediscache"
	"github.com/facet-rpc/facet/rpc/rpctest"
)

// timeout is what a call waits for an answer.
const timeout = 500 * time.Millisecond

// calls is every method that asks Redis.
func calls(ctx context.Context, pool *rediscache.Pool) map[string]func() error {
	value := []byte("value")
	return map[string]func() error{
		"Load": func() error { // of a key without a local copy
			_, _, err := pool.Load(ctx, strconv.FormatInt(time.Now().UnixNano(), 10))
			return err
		},
		"Save": func() error { return pool.Save(ctx, "r", value, time.Minute) },
		"Drop": func() error { return pool.Drop(ctx, "r") },
		"Get":  func() error { _, _, err := pool.Get(ctx, "p"); return err },
		"Put":  func() error { return pool.Put(ctx, "p", value, 0) },
		"PutIfAbsent": func() error {
			_, err := pool.PutIfAbsent(ctx, "p", value, time.Minute)
			return err
		},
		"Touch":  func() error { _, err := pool.Touch(ctx, "p", time.Minute); return err },
		"Incr":   func() error { _, err := pool.Incr(ctx, "n", time.Minute); return err },
		"Delete": func() error { _, err := pool.Delete(ctx, "p"); return err },
		"Take":   func() error { _, err := pool.Take(ctx, "b", 1, 5, time.Second); return err },
	}
}

// TestFaults: whatever is wrong with Redis is an error in time, from every
// method, and everything works again when Redis does.
func TestFaults(t *testing.T) { // R-K05
	for name, fault := range map[string]func(*rpctest.RedisServer, *rpctest.RedisProxy) (mend func()){
		"killed":  func(s *rpctest.RedisServer, _ *rpctest.RedisProxy) func() { s.Kill(); return s.Start },
		"paused":  func(s *rpctest.RedisServer, _ *rpctest.RedisProxy) func() { s.Pause(); return s.Resume },
		"cut off": func(_ *rpctest.RedisServer, p *rpctest.RedisProxy) func() { p.Stall(); return p.Pass },
		"silent at connecting": func(_ *rpctest.RedisServer, p *rpctest.RedisProxy) func() {
			p.Stall()
			p.Cut()
			return p.Pass
		},
		"too slow": func(_ *rpctest.RedisServer, p *rpctest.RedisProxy) func() {
			p.Delay(10 * time.Second)
			return p.Pass
		},
		"garbage": func(_ *rpctest.RedisServer, p *rpctest.RedisProxy) func() {
			p.Garble("HTTP/1.1 400 Bad Request\r\n\r\n")
			return p.Pass
		},
		"errors": func(_ *rpctest.RedisServer, p *rpctest.RedisProxy) func() {
			p.Garble("-ERR no\r\n")
			return p.Pass
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := rpctest.Redis(t)
			proxy := server.Proxy()
			pool, err := rediscache.Open(t.Context(), proxy.URL)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(pool.Close)
			for method, call := range calls(t.Context(), pool) {
				if err := call(); err != nil {
					t.Fatalf("%s before the fault: %v", method, err)
				}
			}
			mend := fault(server, proxy)
			for method, call := range calls(t.Context(), pool) {
				began := time.Now()
				err := call()
				took := time.Since(began)
				if err == nil || took > timeout+2*slack {
					t.Errorf("%s = %v after %v; want an error within %v", method, err, took, timeout)
				}
				t.Logf("%s: %v after %v", method, err, took)
			}
			mend()
			began := time.Now()
			again := time.NewTicker(5 * time.Millisecond)
			defer again.Stop()
			for method, call := range calls(t.Context(), pool) {
				for err := call(); err != nil; err = call() {
					if time.Since(began) > 5*time.Second {
						t.Fatalf("%s does not work again: %v", method, err)
					}
					<-again.C
				}
			}
			t.Logf("everything worked again %v after the fault", time.Since(began))
		})
	}
}

// TestCallerLeaves: the deadline of a caller is kept, and a caller who leaves
// does not fail the others that wait for the same copy.
func TestCallerLeaves(t *testing.T) { // case I06
	server := rpctest.Redis(t)
	proxy := server.Proxy()
	pool, err := rediscache.Open(t.Context(), proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	ctx := t.Context()
	if err := pool.Save(ctx, "result", []byte("value"), time.Minute); err != nil {
		t.Fatal(err)
	}
	proxy.Delay(300 * time.Millisecond)
	client := admin(t, server)
	before := commands(t, client)["exec"]
	first, leave := context.WithCancel(ctx)
	defer leave()
	var all sync.WaitGroup
	load := func(ctx context.Context) {
		value, ok, err := pool.Load(ctx, "result")
		if string(value) != "value" || !ok || err != nil {
			t.Errorf("Load = %q, %t, %v", value, ok, err)
		}
	}
	all.Go(func() { load(first) })
	until(t, time.Now(), func() bool { return commands(t, client)["exec"] > before }) // its answer is on the way
	for range 100 {
		all.Go(func() { load(ctx) })
	}
	leave()
	all.Wait()

	short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, _, err := pool.Get(short, "record"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Get with a deadline of 20 ms = %v", err)
	}
	if took := time.Since(began); took > timeout {
		t.Errorf("Get with a deadline of 20 ms took %v", took)
	}
	ended, end := context.WithCancel(ctx)
	end()
	if _, err := pool.Incr(ended, "n", 0); !errors.Is(err, context.Canceled) {
		t.Errorf("Incr with an ended ctx = %v", err)
	}
	proxy.Pass()
	if n, err := pool.Incr(ctx, "n", 0); n != 1 || err != nil {
		t.Errorf("Incr = %d, %v; the one before was not to be sent", n, err)
	}
}

// TestOutOfMemory: a Redis that takes no writes says so, and still answers
// reads.
func TestOutOfMemory(t *testing.T) {
	server := rpctest.Redis(t)
	pool, client := open(t, server), admin(t, server)
	ctx := t.Context()
	if err := pool.Save(ctx, "result", []byte("value"), time.Minute); err != nil {
		t.Fatal(err)
	}
	limit := func(bytes string) {
		t.Helper()
		if err := client.Do(ctx, client.B().ConfigSet().ParameterValue().ParameterValue("maxmemory", bytes).Build()).Error(); err != nil {
			t.Fatal(err)
		}
	}
	limit("1")
	for _, method := range []string{"Save", "Put", "PutIfAbsent", "Incr"} {
		if err := calls(ctx, pool)[method](); err == nil {
			t.Errorf("%s without memory: no error", method)
		}
	}
	if value, ok, err := pool.Load(ctx, "result"); string(value) != "value" || !ok || err != nil {
		t.Errorf("Load = %q, %t, %v", value, ok, err)
	}
	limit("0")
	for method, call := range calls(ctx, pool) {
		if err := call(); err != nil {
			t.Errorf("%s with memory again: %v", method, err)
		}
	}
}

// TestWrongType: a key that holds something else than text is an error.
func TestWrongType(t *testing.T) {
	server := rpctest.Redis(t)
	pool, client := open(t, server), admin(t, server)
	ctx := t.Context()
	for _, key := range []string{"facet:result:k", "facet:record:k"} {
		if err := client.Do(ctx, client.B().Lpush().Key(key).Element("x").Build()).Error(); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok, err := pool.Load(ctx, "k"); ok || err == nil {
		t.Errorf("Load of a list = %t, %v; want an error", ok, err)
	}
	if _, ok, err := pool.Get(ctx, "k"); ok || err == nil {
		t.Errorf("Get of a list = %t, %v; want an error", ok, err)
	}
}

// TestLargeValue: ten megabytes go through in time.
func TestLargeValue(t *testing.T) {
	server := rpctest.Redis(t)
	pool := open(t, server)
	value := bytes.Repeat([]byte("0123456789"), 1<<20)
	if err := pool.Put(t.Context(), "large", value, 0); err != nil {
		t.Fatal(err)
	}
	got, ok, err := pool.Get(t.Context(), "large")
	if !ok || err != nil || !bytes.Equal(got, value) {
		t.Errorf("Get = %d bytes, %t, %v", len(got), ok, err)
	}
}

// TestPrefix: applications with other prefixes do not meet.
func TestPrefix(t *testing.T) {
	server := rpctest.Redis(t)
	client := admin(t, server)
	one := open(t, server)
	for i := range 3 {
		if err := one.Put(t.Context(), fmt.Sprint(i), []byte("x"), 0); err != nil {
			t.Fatal(err)
		}
	}
	keys, err := client.Do(t.Context(), client.B().Keys().Pattern("facet:*").Build()).AsStrSlice()
	if err != nil || len(keys) != 3 {
		t.Errorf("KEYS facet:* = %q, %v; want 3", keys, err)
	}
}

// TestClose: a pool that is closed fails, and may be closed again.
func TestClose(t *testing.T) {
	pool := open(t, rpctest.Redis(t))
	pool.Close()
	pool.Close()
	for method, call := range calls(t.Context(), pool) {
		if err := call(); err == nil {
			t.Errorf("%s after Close: no error", method)
		}
	}
}

// TestCrowd: many callers at once do not make each other wait longer.
func TestCrowd(t *testing.T) {
	server := rpctest.Redis(t)
	pool := open(t, server)
	server.Pause()
	defer server.Resume()
	var all sync.WaitGroup
	var worst atomic.Int64
	for range 5000 {
		all.Go(func() {
			began := time.Now()
			if _, _, err := pool.Get(t.Context(), "record"); err == nil {
				t.Error("Get on a frozen Redis: no error")
			}
			took := int64(time.Since(began))
			for w := worst.Load(); took > w && !worst.CompareAndSwap(w, took); w = worst.Load() {
			}
		})
	}
	all.Wait()
	t.Logf("5000 callers waited %v at most", time.Duration(worst.Load()))
	if w := time.Duration(worst.Load()); w > timeout+2*slack {
		t.Errorf("a caller among 5000 waited %v", w)
	}
}

// TestDeadlineWhileConnecting: the deadline of a call holds also where it
// falls between connecting and the first answer.
func TestDeadlineWhileConnecting(t *testing.T) {
	server := rpctest.Redis(t)
	proxy := server.Proxy()
	pool, err := rediscache.Open(t.Context(), proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	proxy.Stall()
	proxy.Cut()
	for i := range 40 {
		d := time.Duration(i) * 200 * time.Microsecond
		ctx, cancel := context.WithTimeout(t.Context(), d)
		began := time.Now()
		_, _, err := pool.Get(ctx, "record")
		cancel()
		if took := time.Since(began); err == nil || took > slack {
			t.Errorf("Get with a deadline of %v = %v after %v", d, err, took)
		}
	}
}
