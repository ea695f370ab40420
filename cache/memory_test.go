package cache_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/facet-rpc/facet/cache"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newPool(t testing.TB, opts ...cache.Option) *cache.Memory {
	t.Helper()
	m, err := cache.NewMemory(1<<20, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

// only is for calls whose error is a fault of the test.
func only[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestNewMemoryRefuses(t *testing.T) {
	for _, tc := range []struct {
		bytes int64
		opts  []cache.Option
		says  string
	}{
		{0, nil, "size of the results is 0 bytes"},
		{-1, nil, "size of the results is -1 bytes"},
		{1, []cache.Option{cache.MaxRecords(0)}, "MaxRecords is 0"},
		{1, []cache.Option{cache.MaxRecords(-5)}, "MaxRecords is -5"},
	} {
		m, err := cache.NewMemory(tc.bytes, tc.opts...)
		if m != nil || err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%d, %v: got %v, want %q", tc.bytes, tc.opts, err, tc.says)
		}
	}
	m, err := cache.NewMemory(math.MaxInt64) // a size without end is no reason to count without end
	must(t, err)
	m.Close()
}

func TestClosed(t *testing.T) {
	m := newPool(t)
	ctx := t.Context()
	must(t, m.Save(ctx, "k", []byte("v"), 0))
	must(t, m.Put(ctx, "k", []byte("v"), time.Hour))
	m.Close()
	m.Close()
	if _, ok, err := m.Load(ctx, "k"); ok || err != nil {
		t.Errorf("Load: %v, %v; want a miss", ok, err)
	}
	for name, err := range map[string]error{"Save": m.Save(ctx, "k", nil, 0), "Drop": m.Drop(ctx, "k")} {
		if err != nil {
			t.Errorf("%s: %v; want nothing", name, err)
		}
	}
	_, _, get := m.Get(ctx, "k")
	_, putIfAbsent := m.PutIfAbsent(ctx, "k", nil, 0)
	_, touch := m.Touch(ctx, "k", 0)
	_, incr := m.Incr(ctx, "k", time.Hour)
	_, del := m.Delete(ctx, "k")
	for name, err := range map[string]error{"Get": get, "PutIfAbsent": putIfAbsent, "Put": m.Put(ctx, "k", nil, time.Hour),
		"Touch": touch, "Incr": incr, "Delete": del} {
		if !errors.Is(err, cache.ErrClosed) {
			t.Errorf("%s: %v, want ErrClosed", name, err)
		}
	}
}

// A program that stops closes its pool under the last calls.
func TestCloseWhileInUse(t *testing.T) {
	m := newPool(t)
	ctx := context.Background()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 2000 {
				_ = m.Save(ctx, "k", []byte("v"), time.Minute)
				_, _, _ = m.Load(ctx, "k")
				_ = m.Put(ctx, "k", []byte("v"), time.Minute)
				_, _ = m.Delete(ctx, "k")
				_ = m.Drop(ctx, "k")
			}
		})
	}
	m.Close()
	wg.Wait()
}
