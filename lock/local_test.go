package lock_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/facet-rpc/facet/lock"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hold gets key of l, which must be free.
func hold(t *testing.T, l *lock.Local, key string) (free func()) {
	t.Helper()
	_, free, held, err := l.Lock(t.Context(), key, 0, 0)
	if !held || err != nil {
		t.Fatalf("%q: held %v, err %v; want it free", key, held, err)
	}
	return free
}

func forgotten(t *testing.T, l *lock.Local) {
	t.Helper()
	if n := l.Keys(); n != 0 {
		t.Errorf("%d keys are remembered that nobody holds or waits for", n)
	}
}

func TestHeldByAnother(t *testing.T) { // R-L01
	for _, tc := range []struct {
		rule  string
		wait  time.Duration
		freed time.Duration // when the holder frees it; 0: never
		ends  time.Duration // when ctx ends; 0: never
		held  bool
		err   error
		took  time.Duration
	}{
		{rule: "no wait fails at once"},
		{rule: "negative wait too", wait: -time.Second},
		{rule: "held for the whole wait", wait: time.Second, took: time.Second},
		{rule: "freed in time", wait: time.Second, freed: time.Second / 2, held: true, took: time.Second / 2},
		{rule: "freed too late", wait: time.Second, freed: 2 * time.Second, took: time.Second},
		{rule: "ctx ends while waiting", wait: time.Second, ends: time.Second / 2, err: context.DeadlineExceeded, took: time.Second / 2},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var l lock.Local
				free := hold(t, &l, "k")
				if tc.freed != 0 {
					time.AfterFunc(tc.freed, free)
				}
				ctx, cancel := t.Context(), func() {}
				if tc.ends != 0 {
					ctx, cancel = context.WithTimeout(ctx, tc.ends)
				}
				defer cancel()
				start := time.Now()
				lease, got, held, err := l.Lock(ctx, "k", tc.wait, 0)
				if held != tc.held || err != tc.err || time.Since(start) != tc.took {
					t.Errorf("held %v, err %v after %v; want %v, %v after %v", held, err, time.Since(start), tc.held, tc.err, tc.took)
				}
				if (lease != nil) != held || (got != nil) != held {
					t.Errorf("lease %v and free given: %v, held: %v", lease, got != nil, held)
				}
				if held {
					got()
				}
				free()
				forgotten(t, &l)
			})
		})
	}
}

func TestKeysAreSeparate(t *testing.T) {
	var l lock.Local
	a, b := hold(t, &l, "a"), hold(t, &l, "b")
	if n := l.Keys(); n != 2 {
		t.Errorf("%d keys, want 2", n)
	}
	a()
	b()
	forgotten(t, &l)
}

func TestAnEndedContextGetsNothing(t *testing.T) {
	var l lock.Local
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, free, held, err := l.Lock(ctx, "k", time.Hour, 0); free != nil || held || err != context.Canceled {
		t.Errorf("held %v, err %v", held, err)
	}
	forgotten(t, &l)
}

func TestFreeTwice(t *testing.T) { // R-L02: only by its owner
	var l lock.Local
	first := hold(t, &l, "k")
	first()
	second := hold(t, &l, "k")
	first() // late: the key is another's now
	if _, _, held, _ := l.Lock(t.Context(), "k", 0, 0); held {
		t.Error("a second call of free took the key from its next holder")
	}
	second()
	second()
	forgotten(t, &l)
}

func TestLease(t *testing.T) { // R-L02
	synctest.Test(t, func(t *testing.T) {
		var l lock.Local
		start := time.Now()
		lease, free, _, _ := l.Lock(t.Context(), "k", 0, time.Second)
		if lease.Err() != nil {
			t.Fatalf("ended at once: %v", lease.Err())
		}
		<-lease.Done()
		if time.Since(start) != time.Second {
			t.Errorf("ended after %v, want a second", time.Since(start))
		}
		if !errors.Is(context.Cause(lease), lock.ErrLost) || lease.Err() != context.DeadlineExceeded {
			t.Errorf("err %v, cause %v", lease.Err(), context.Cause(lease))
		}
		if _, _, held, _ := l.Lock(t.Context(), "k", time.Hour, 0); held {
			t.Error("given to another while its holder has not freed it")
		}
		free()
		hold(t, &l, "k")()

		ctx, cancel := context.WithCancelCause(t.Context())
		lease, free, _, _ = l.Lock(ctx, "k", 0, time.Second)
		gone := errors.New("client is gone")
		cancel(gone)
		synctest.Wait()
		if context.Cause(lease) != gone {
			t.Errorf("cause %v, want that of ctx", context.Cause(lease))
		}
		free()

		lease, free, _, _ = l.Lock(t.Context(), "k", 0, time.Hour)
		free() // or its timer would stay
		if lease.Err() != context.Canceled {
			t.Errorf("after free: %v", lease.Err())
		}

		lease, free, _, _ = l.Lock(t.Context(), "k", 0, 0)
		if lease != t.Context() {
			t.Error("without a hold time the lease is not ctx itself")
		}
		free()
		forgotten(t, &l)
	})
}

func TestFirstComeFirstServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l lock.Local
		free := hold(t, &l, "k")
		var order, want []int
		for i := range 20 {
			want = append(want, i)
			go func() {
				_, free, held, err := l.Lock(t.Context(), "k", time.Hour, 0)
				if !held || err != nil {
					t.Errorf("%d: held %v, err %v", i, held, err)
					return
				}
				order = append(order, i) // guarded by the lock under test
				free()
			}()
			synctest.Wait()
		}
		free()
		synctest.Wait()
		if !slices.Equal(order, want) {
			t.Errorf("order %v", order)
		}
		forgotten(t, &l)
	})
}

// The key is freed in the same moment in which the first in the queue gives up:
// whoever wins, the second gets it.
func TestNoLostWakeUp(t *testing.T) {
	for _, tc := range []struct {
		rule   string
		wait   time.Duration // of the one that gives up
		moment func(cancel, free func())
	}{
		{"ctx ends, then freed", time.Hour, func(cancel, free func()) { cancel(); free() }},
		{"freed, then ctx ends", time.Hour, func(cancel, free func()) { free(); cancel() }},
		{"wait is over", time.Second, func(_, free func()) { <-time.After(time.Second); free() }},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			for range 200 {
				synctest.Test(t, func(t *testing.T) {
					var l lock.Local
					freeFirst := hold(t, &l, "k")
					ctx, cancel := context.WithCancel(t.Context())
					go func() {
						if _, free, held, _ := l.Lock(ctx, "k", tc.wait, 0); held {
							free()
						}
					}()
					synctest.Wait()
					go func() {
						_, free, held, err := l.Lock(t.Context(), "k", time.Minute, 0)
						if !held || err != nil {
							t.Errorf("held %v, err %v", held, err)
							return
						}
						free()
					}()
					synctest.Wait()
					tc.moment(cancel, freeFirst)
					synctest.Wait()
					cancel()
					forgotten(t, &l)
				})
				if t.Failed() {
					return
				}
			}
		})
	}
}

func TestMutualExclusion(t *testing.T) {
	var l lock.Local
	var counts [10]int // each guarded by its key; -race looks too
	var wg sync.WaitGroup
	for i := range 1000 {
		wg.Go(func() {
			k := i % len(counts)
			_, free, held, err := l.Lock(t.Context(), strconv.Itoa(k), time.Minute, time.Minute)
			if !held || err != nil {
				t.Errorf("held %v, err %v", held, err)
				return
			}
			defer free()
			counts[k]++
		})
	}
	wg.Wait()
	for k, n := range counts {
		if n != 100 {
			t.Errorf("key %d: %d, want 100", k, n)
		}
	}
	forgotten(t, &l)
}
