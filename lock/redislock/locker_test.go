package redislock_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/redis/rueidis"
	"go.uber.org/goleak"

	"github.com/facet-rpc/facet/lock"
	"github.com/facet-rpc/facet/lock/redislock"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
)

var _ rpc.Locker = (*redislock.Locker)(nil)

func TestMain(m *testing.M) {
	// rueidis sleeps a second in this one after it could not connect.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/redis/rueidis.(*call).DelayDo.func1"))
}

// open is a locker of one node on the server.
func open(tb testing.TB, server *rpctest.RedisServer, ttl time.Duration) *redislock.Locker {
	tb.Helper()
	locks, err := redislock.New(redislock.Options{Redis: rueidis.MustParseURL(server.URL), TTL: ttl})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(locks.Close)
	return locks
}

// TestConformance holds one process and Redis to one table.
func TestConformance(t *testing.T) {
	t.Run("local", func(t *testing.T) { rpctest.TestLocker(t, new(lock.Local)) })
	t.Run("redis", func(t *testing.T) { rpctest.TestLocker(t, open(t, rpctest.Redis(t), 0)) })
}

func TestOpenFaults(t *testing.T) {
	server := rpctest.Redis(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx context.Context
		url string
	}{
		"no URL":        {t.Context(), "127.0.0.1:6379"},
		"nobody there":  {t.Context(), "redis://127.0.0.1:1"},
		"context ended": {ended, server.URL},
	} {
		if locks, err := redislock.Open(c.ctx, c.url); err == nil {
			locks.Close()
			t.Errorf("%s: no error", name)
		}
	}
	_, err := redislock.New(redislock.Options{Redis: rueidis.MustParseURL(server.URL), TTL: time.Millisecond})
	if err == nil || !strings.Contains(err.Error(), "TTL") {
		t.Errorf("a TTL of 1 ms: %v, want an error that names it", err)
	}
}

func TestClose(t *testing.T) {
	server := rpctest.Redis(t)
	locks, others := open(t, server, 0), open(t, server, 0)
	lease, free, held, err := locks.Lock(t.Context(), "k", 0, 0)
	if !held || err != nil {
		t.Fatalf("Lock = %t, %v", held, err)
	}
	waiting := make(chan error, 1)
	go func() {
		_, _, _, err := locks.Lock(t.Context(), "k", time.Minute, 0)
		waiting <- err
	}()
	locks.Close()
	locks.Close()
	<-lease.Done()
	if !errors.Is(context.Cause(lease), redislock.ErrLost) {
		t.Errorf("the cause of the end is %v, want ErrLost", context.Cause(lease))
	}
	if err := <-waiting; !errors.Is(err, redislock.ErrClosed) {
		t.Errorf("Lock that waited until Close: %v, want ErrClosed", err)
	}
	if _, _, held, err := locks.Lock(t.Context(), "k", 0, 0); held || !errors.Is(err, redislock.ErrClosed) {
		t.Errorf("Lock after Close = %t, %v; want ErrClosed", held, err)
	}
	_, freeOther, held, err := others.Lock(t.Context(), "k", 10*time.Second, 0)
	if !held || err != nil {
		t.Fatalf("Lock of another node after Close = %t, %v; want the lock", held, err)
	}
	freeOther()
	free()
}
