package redislock_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/redis/rueidis"

	"github.com/facet-rpc/facet/lock/redislock"
	"github.com/facet-rpc/facet/rpc/rpctest"
)

const (
	timeout = 500 * time.Millisecond // what Lock waits for an answer
	slack   = time.Second            // what a loaded machine adds
)

// through is a locker behind a proxy.
func through(tb testing.TB, proxy *rpctest.RedisProxy, ttl time.Duration) *redislock.Locker {
	tb.Helper()
	locks, err := redislock.New(redislock.Options{Redis: rueidis.MustParseURL(proxy.URL), TTL: ttl})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(locks.Close)
	return locks
}

// TestFaults: a Redis that does not work is an error within the wait and half
// a second, never "held", and the locker works again when Redis does.
func TestFaults(t *testing.T) { // R-L03
	for name, fault := range map[string]func(*rpctest.RedisServer, *rpctest.RedisProxy) (mend func()){
		"killed": func(s *rpctest.RedisServer, _ *rpctest.RedisProxy) func() { s.Kill(); return s.Start },
		"paused": func(s *rpctest.RedisServer, _ *rpctest.RedisProxy) func() { s.Pause(); return s.Resume },
		"cut off": func(_ *rpctest.RedisServer, p *rpctest.RedisProxy) func() {
			p.Stall()
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
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := rpctest.Redis(t)
			proxy := server.Proxy()
			locks := through(t, proxy, time.Second)
			_, free, held, err := locks.Lock(t.Context(), "key", 0, 0)
			if !held || err != nil {
				t.Fatalf("Lock = %t, %v; want the lock", held, err)
			}
			free()
			mend := fault(server, proxy)
			for _, wait := range []time.Duration{0, 300 * time.Millisecond, 1500 * time.Millisecond} {
				began := time.Now()
				_, _, held, err := locks.Lock(t.Context(), "key", wait, 0)
				took := time.Since(began)
				if held || err == nil || took > wait+timeout+slack {
					t.Errorf("Lock with a wait of %v = %t, %v after %v; want an error within the wait and %v", wait, held, err, took, timeout)
				}
				t.Logf("wait %v: %v after %v", wait, err, took)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			if _, _, held, err := locks.Lock(ctx, "key", time.Minute, 0); held || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Lock with a ctx of 50 ms = %t, %v; want its error", held, err)
			}
			mend()
			began := time.Now()
			_, free, held, err = locks.Lock(t.Context(), "key", 10*time.Second, 0)
			if !held || err != nil {
				t.Fatalf("Lock after the fault = %t, %v; want the lock", held, err)
			}
			free()
			t.Logf("the lock was had %v after the fault", time.Since(began))
		})
	}
}

// TestOutOfMemory: a Redis that takes no writes is an error, not "held".
func TestOutOfMemory(t *testing.T) {
	server := rpctest.Redis(t)
	locks := open(t, server, 0)
	client, err := rueidis.NewClient(rueidis.MustParseURL(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	limit := func(bytes string) {
		t.Helper()
		if err := client.Do(t.Context(), client.B().ConfigSet().ParameterValue().ParameterValue("maxmemory", bytes).Build()).Error(); err != nil {
			t.Fatal(err)
		}
	}
	limit("1")
	for _, wait := range []time.Duration{0, 300 * time.Millisecond} {
		if _, _, held, err := locks.Lock(t.Context(), "key", wait, 0); held || err == nil {
			t.Errorf("Lock with a wait of %v = %t, %v; want an error", wait, held, err)
		}
	}
	limit("0")
	_, free, held, err := locks.Lock(t.Context(), "key", time.Second, 0)
	if !held || err != nil {
		t.Fatalf("Lock with memory again = %t, %v; want the lock", held, err)
	}
	free()
}

// TestCutOffHolder: a holder that cannot reach Redis is told before anybody
// else gets the key; one that is back in time never hears of it.
func TestCutOffHolder(t *testing.T) { // R-L02
	const ttl = time.Second
	server := rpctest.Redis(t)
	proxy := server.Proxy()
	here, there := through(t, proxy, ttl), open(t, server, ttl)
	lease, free, held, err := here.Lock(t.Context(), "key", 0, 0)
	if !held || err != nil {
		t.Fatalf("Lock = %t, %v", held, err)
	}
	defer free()
	ended := make(chan time.Time, 1)
	context.AfterFunc(lease, func() { ended <- time.Now() })
	proxy.Stall()
	_, freeThere, held, err := there.Lock(t.Context(), "key", 10*time.Second, 0)
	got := time.Now()
	if !held || err != nil {
		t.Fatalf("Lock of the other node = %t, %v", held, err)
	}
	defer freeThere()
	select {
	case at := <-ended:
		t.Logf("the lease ended %v before another had the key", got.Sub(at))
		if at.After(got) {
			t.Errorf("the lease ended %v after another had the key", at.Sub(got))
		}
	case <-time.After(slack):
		t.Fatal("the lease of a holder that is cut off did not end")
	}
	if cause := context.Cause(lease); !errors.Is(cause, redislock.ErrLost) {
		t.Errorf("the cause of the end is %v, want ErrLost", cause)
	}
	began := time.Now()
	free() // has nothing to free, and must not free the key of the other
	if took := time.Since(began); took > timeout+slack {
		t.Errorf("free took %v", took)
	}
	proxy.Pass()
	if _, _, held, err := there.Lock(t.Context(), "key", 0, 0); held || err != nil {
		t.Errorf("Lock of the key that the other holds = %t, %v", held, err)
	}
}

// TestShortOutage: a lease outlives a Redis that is away for less than the
// TTL.
func TestShortOutage(t *testing.T) {
	server := rpctest.Redis(t)
	locks, others := open(t, server, 0), open(t, server, 0)
	lease, free, held, err := locks.Lock(t.Context(), "key", 0, 0)
	if !held || err != nil {
		t.Fatalf("Lock = %t, %v", held, err)
	}
	server.Kill()
	server.Start()
	if _, _, held, err := others.Lock(t.Context(), "key", 0, 0); held || err != nil {
		t.Errorf("Lock after a restart = %t, %v; the key is held", held, err)
	}
	select {
	case <-lease.Done():
		t.Errorf("the lease ended: %v", context.Cause(lease))
	case <-time.After(6 * time.Second): // longer than a TTL
	}
	free()
	_, free, held, err = others.Lock(t.Context(), "key", 0, 0)
	if !held || err != nil {
		t.Fatalf("Lock after free = %t, %v; want the lock", held, err)
	}
	free()
}

// TestFreeIsBounded: a holder that returns while Redis is away waits half a
// second at most, and its key ends by itself.
func TestFreeIsBounded(t *testing.T) {
	server := rpctest.Redis(t)
	proxy := server.Proxy()
	locks, others := through(t, proxy, time.Second), open(t, server, time.Second)
	_, free, held, err := locks.Lock(t.Context(), "key", 0, 0)
	if !held || err != nil {
		t.Fatalf("Lock = %t, %v", held, err)
	}
	proxy.Stall()
	began := time.Now()
	free()
	if took := time.Since(began); took > timeout+slack {
		t.Errorf("free took %v", took)
	}
	_, free, held, err = others.Lock(t.Context(), "key", 10*time.Second, 0)
	if !held || err != nil {
		t.Fatalf("Lock of another = %t, %v; want the lock after the TTL", held, err)
	}
	free()
}
