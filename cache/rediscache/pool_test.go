package rediscache_test

import (
	"context"
	"testing"
	"time"

	"github.com/redis/rueidis"
	"go.uber.org/goleak"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/cache/rediscache"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
)

var (
	_ rpc.Store   = (*rediscache.Pool)(nil)
	_ rpc.Records = (*rediscache.Pool)(nil)
)

func TestMain(m *testing.M) {
	// rueidis sleeps a second in this one after it could not connect.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/redis/rueidis.(*call).DelayDo.func1"))
}

// open is a pool of one node on the server.
func open(tb testing.TB, server *rpctest.RedisServer) *rediscache.Pool {
	tb.Helper()
	pool, err := rediscache.Open(tb.Context(), server.URL)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(pool.Close)
	return pool
}

// admin is a plain client, to look at and set up the server.
func admin(tb testing.TB, server *rpctest.RedisServer) rueidis.Client {
	tb.Helper()
	client, err := rueidis.NewClient(rueidis.MustParseURL(server.URL))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(client.Close)
	return client
}

// TestConformance holds one process and Redis to one table.
func TestConformance(t *testing.T) {
	memory, err := cache.NewMemory(16 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	server := rpctest.Redis(t)
	t.Run("memory store", func(t *testing.T) { rpctest.TestStore(t, memory) })
	t.Run("memory records", func(t *testing.T) { rpctest.TestRecords(t, memory) })
	t.Run("redis store", func(t *testing.T) { rpctest.TestStore(t, open(t, server)) })
	t.Run("redis records", func(t *testing.T) { rpctest.TestRecords(t, open(t, server)) })
}

func TestOpenFaults(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx context.Context
		url string
	}{
		"no URL":        {t.Context(), "127.0.0.1:6379"},
		"other scheme":  {t.Context(), "http://:secret@127.0.0.1"},
		"nobody there":  {t.Context(), "redis://127.0.0.1:1"},
		"context ended": {ended, "redis://127.0.0.1:1"},
	} {
		began := time.Now()
		pool, err := rediscache.Open(c.ctx, c.url)
		if err == nil {
			pool.Close()
			t.Errorf("%s: no error", name)
			continue
		}
		t.Logf("%s: %v", name, err)
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%s: it took %v", name, took)
		}
	}
}
