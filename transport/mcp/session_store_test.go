package mcp_test

import (
	"context"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/cache/rediscache"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
)

// case E14: modelcontextprotocol/go-sdk#822. A session works at every process,
// outlives the one that began it, and a store that is down is no end of it.
func TestSessionAtEveryProcess(t *testing.T) {
	redis := rpctest.Redis(t)
	process := func() *program {
		pool, err := rediscache.Open(t.Context(), redis.URL)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(pool.Close)
		return mount(t, setup{options: rpc.Options{Records: pool}})
	}
	one, two := process(), process()
	session := one.begin("2025-11-25")
	if err := one.exec.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w := two.post(listTools, session...); w.Code != 200 {
		t.Errorf("elsewhere: %d %s", w.Code, w.Body)
	}
	redis.Kill()
	for name, w := range map[string]*httptest.ResponseRecorder{
		"a call":     two.post(listTools, session...),
		"a note":     two.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, session...),
		"initialize": two.post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`),
		"DELETE":     two.end(session...),
	} {
		if w.Code != 503 || !strings.Contains(w.Body.String(), "-32503") || w.Header().Get("Mcp-Session-Id") != "" {
			t.Errorf("%s without Redis: %d %s", name, w.Code, w.Body)
		}
	}
	if w := two.call("Depot.ping", `{}`); w.Code != 200 {
		t.Errorf("2026-07-28 without Redis: %d", w.Code)
	}
	redis.Start()
	status := 0
	for range 100 { // the pool finds Redis again
		if status = two.post(listTools, session...).Code; status == 200 {
			break
		}
	}
	if status != 200 {
		t.Errorf("with Redis again: %d", status)
	}
	if w := two.end(session...); w.Code != 204 {
		t.Errorf("the end: %d", w.Code)
	}
}

// ledger counts what happens to the records of a pool.
type ledger struct {
	rpc.Records
	mu                  sync.Mutex
	gets, puts, touches int
	largest             int // bytes of a key with its record
}

func (l *ledger) over(t *testing.T) *ledger {
	pool, err := cache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	l.Records = pool
	return l
}

func (l *ledger) count(n *int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	*n++
}

func (l *ledger) Get(ctx context.Context, key string) ([]byte, bool, error) {
	if strings.HasPrefix(key, "mcp.session:") {
		l.count(&l.gets)
	}
	return l.Records.Get(ctx, key)
}

func (l *ledger) Put(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	l.count(&l.puts)
	l.mu.Lock()
	l.largest = max(l.largest, len(key)+len(value))
	l.mu.Unlock()
	return l.Records.Put(ctx, key, slices.Clone(value), ttl)
}

func (l *ledger) Touch(ctx context.Context, key string, ttl time.Duration) (bool, error) {
	l.count(&l.touches)
	return l.Records.Touch(ctx, key, ttl)
}
