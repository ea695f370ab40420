package main

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"go.uber.org/zap"
)

// secret is the token of the callers of a closed site.
const secret = "qmXw2mT7t0Vb9cGzPe4LrUaYd3kNs6Jh"

// open lets everybody in, closed those who send the secret.
var (
	open   = guard.Policy{Open: true}
	closed = guard.Policy{Tokens: []guard.Token{{Secret: secret, Caller: rpc.Caller{ID: "matrix", Groups: []string{"mcp"}}}}}
)

// site serves the tools on a loopback port and remembers what the last request
// of a client said of itself.
type site struct {
	url     string
	handler http.Handler
	mu      sync.Mutex
	version string
	session string
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.version, s.session = r.Header.Get("Mcp-Protocol-Version"), r.Header.Get("Mcp-Session-Id")
	s.mu.Unlock()
	s.handler.ServeHTTP(w, r)
}

// said is what the last request said of itself.
func (s *site) said() (version, session string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version, s.session
}

// serve serves the tools until the test ends.
func serve(t *testing.T, policy guard.Policy) *site {
	t.Helper()
	pool, err := cache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	engine, exec, err := assemble(pool, zap.NewNop(), policy)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &site{url: "http://" + l.Addr().String() + "/mcp", handler: engine}
	server := &http.Server{Handler: s, ReadHeaderTimeout: time.Second}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() {
		_ = server.Close()
		if err := exec.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		pool.Close()
	})
	return s
}

// after is how a session is answered whose client has left.
func (s *site) after(t *testing.T, token, session string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Mcp-Session-Id": {session}, "Authorization": {"Bearer " + token}}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	return resp.StatusCode
}
