package rpctest

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc"
)

// TestLocker holds a locker to what the executor relies on; run it on a locker
// of your own. It takes a few seconds where each lock crosses a network.
func TestLocker(t *testing.T, locker rpc.Locker) {
	t.Run("one at a time", func(t *testing.T) { testExclusion(t, locker) })
	t.Run("waiting", func(t *testing.T) { testWaiting(t, locker) })
	t.Run("lease", func(t *testing.T) { testLease(t, locker) })
	t.Run("hold", func(t *testing.T) { testHold(t, locker) })
}

// lockKit is a locker with checks.
type lockKit struct {
	rpc.Locker
	t *testing.T
}

// take gets a key that must be free within wait.
func (k lockKit) take(ctx context.Context, key string, wait, hold time.Duration) (context.Context, func()) {
	k.t.Helper()
	lease, free, held, err := k.Lock(ctx, key, wait, hold)
	if !held || err != nil || lease == nil || free == nil {
		k.t.Fatalf("Lock = %t, %v; want the lock", held, err)
	}
	return lease, free
}

// refused asks for a key that another holds.
func (k lockKit) refused(key string, wait time.Duration) {
	k.t.Helper()
	lease, free, held, err := k.Lock(k.t.Context(), key, wait, 0)
	if held || err != nil || lease != nil || free != nil {
		if free != nil {
			free()
		}
		k.t.Errorf("Lock of a held key = %t, %v; want neither", held, err)
	}
}

func testExclusion(t *testing.T, locker rpc.Locker) {
	const callers, rounds = 20, 5
	k, key := lockKit{locker, t}, keys(t)
	a, b := key(), key()
	_, freeA := k.take(t.Context(), a, 0, 0)
	k.refused(a, 0)
	k.refused(a, -time.Second)
	_, freeB := k.take(t.Context(), b, 0, 0) // another key is another lock
	freeB()
	freeA()
	freeA() // a second free frees nobody else
	_, again := k.take(t.Context(), a, 0, 0)
	freeA()
	k.refused(a, 0)
	again()

	var all sync.WaitGroup
	n := 0 // guarded by the lock alone
	for range callers {
		all.Go(func() {
			for range rounds {
				_, free, held, err := locker.Lock(t.Context(), b, time.Minute, 0)
				if !held || err != nil {
					t.Errorf("Lock = %t, %v; want the lock", held, err)
					return
				}
				n++
				free()
			}
		})
	}
	all.Wait()
	if n != callers*rounds {
		t.Errorf("%d of %d callers were counted: two had the lock at once", n, callers*rounds)
	}

	for _, odd := range []string{"", "a\x00b", "{}:*\r\n", "ключ", strconv.Itoa(7)} {
		_, free := k.take(t.Context(), odd, 0, 0)
		k.refused(odd, 0)
		free()
	}
}

func testWaiting(t *testing.T, locker rpc.Locker) {
	const wait = 50 * time.Millisecond
	k, key := lockKit{locker, t}, keys(t)()
	_, free := k.take(t.Context(), key, 0, 0)
	began := time.Now()
	k.refused(key, wait)
	if took := time.Since(began); took < wait {
		t.Errorf("a wait of %v was over after %v", wait, took)
	}

	// ctx ends the wait.
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	began = time.Now()
	if _, _, held, err := locker.Lock(ctx, key, time.Minute, 0); held || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Lock until ctx ends = %t, %v; want its error", held, err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("Lock took %v; ctx ended after %v", took, wait)
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	if _, _, held, err := locker.Lock(ended, key, 0, 0); held || !errors.Is(err, context.Canceled) {
		t.Errorf("Lock with an ended ctx = %t, %v; want its error", held, err)
	}

	// A caller that waits gets the key when it is free.
	got := make(chan func(), 1)
	go func() {
		_, free, held, err := locker.Lock(t.Context(), key, time.Minute, 0)
		if !held || err != nil {
			t.Errorf("Lock = %t, %v; want the lock", held, err)
		}
		got <- free
	}()
	free()
	select {
	case free = <-got:
	case <-time.After(10 * time.Second):
		t.Fatal("a waiting caller was not woken by free")
	}
	if free != nil {
		free()
	}
}

type leaseKey struct{}

func testLease(t *testing.T, locker rpc.Locker) {
	k, key := lockKit{locker, t}, keys(t)()
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), leaseKey{}, "value"))
	lease, free := k.take(ctx, key, 0, time.Minute)
	if lease.Value(leaseKey{}) != "value" {
		t.Error("the lease has lost the values of ctx")
	}
	if err := lease.Err(); err != nil {
		t.Errorf("the lease has ended: %v", err)
	}
	// The caller leaves: the lease ends, and the key stays until the work has
	// returned.
	cancel()
	<-lease.Done()
	if !errors.Is(lease.Err(), context.Canceled) {
		t.Errorf("the error of the lease is %v", lease.Err())
	}
	k.refused(key, 0)
	free()
	_, free = k.take(t.Context(), key, 0, 0)
	free()
}

func testHold(t *testing.T, locker rpc.Locker) {
	const hold = 30 * time.Millisecond
	k, key := lockKit{locker, t}, keys(t)()
	lease, free := k.take(t.Context(), key, 0, hold)
	select {
	case <-lease.Done():
	case <-time.After(10 * time.Second):
		t.Fatalf("the lease did not end after its hold time of %v", hold)
	}
	if !errors.Is(lease.Err(), context.DeadlineExceeded) {
		t.Errorf("the error of the lease is %v, want that its deadline is exceeded", lease.Err())
	}
	if cause := context.Cause(lease); cause == nil || errors.Is(cause, context.DeadlineExceeded) {
		t.Errorf("the cause of the end is %v; it must say that the lease was lost", cause)
	}
	k.refused(key, 0) // the holder has not returned yet
	free()
	_, free = k.take(t.Context(), key, 0, time.Minute)
	free()
}
