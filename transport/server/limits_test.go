package server_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
)

// limited is a program whose limits are small, and what it told its hooks.
func limited(t *testing.T, policy guard.Policy) (engine *gin.Engine, told *[]string) {
	t.Helper()
	told = new([]string)
	bus := new(events.Bus)
	events.On(bus, func(_ context.Context, e rpc.Failed) error {
		*told = append(*told, "event "+e.Error.Kind())
		return nil
	})
	groups := []string{rpc.DefaultGroup, mcp.Group}
	registry, err := rpc.NewRegistry(rpc.App{Name: "test", Version: "1.0.0"}, rpc.Service{Name: "T", Groups: groups, Methods: []rpc.Method{
		{Name: "big", Func: func() string { return strings.Repeat("x", 2000) }},
	}})
	if err != nil {
		t.Fatal(err)
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{Events: bus})
	if err != nil {
		t.Fatal(err)
	}
	policy.Open, policy.MaxBody, policy.Gzip = true, 30_000, true
	policy.OnRefuse = func(_ string, status int, kind string) {
		*told = append(*told, fmt.Sprint("refused ", status, " ", kind))
	}
	engine = gin.New()
	if err := guard.Mount(engine, exec, policy, rpchttp.Edge{MaxResult: 1000}, mcp.Edge{MaxResult: 1000}); err != nil {
		t.Fatal(err)
	}
	return engine, told
}

// R-S04, R-C07: every limit on both edges that take calls: its status, its
// code, its header, and that one hook tells it, once: OnRefuse for what is
// refused before the body is understood, rpc.error afterwards.
func TestLimits(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	batch := func(n int) string { return "[" + strings.Repeat(ping+",", n-1) + ping + "]" }
	nested := `{"jsonrpc":"2.0","id":1,"method":"ping","params":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`
	call := map[string]string{
		"/rpc": `{"jsonrpc":"2.0","id":1,"method":"T.big"}`,
		"/mcp": `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"T.big"}}`,
	}
	burst := func(n int) func(*guard.Policy) {
		return func(p *guard.Policy) { p.Rate = guard.Rate{PerSecond: 0.001, Burst: n} }
	}
	for _, c := range []struct {
		name, body string // body "": the call of a method with a large answer
		encoding   string
		policy     func(*guard.Policy)
		times      int // the last is looked at
		slow       bool
		status     int
		code       string
		header     string // that must be there
		told       string
	}{
		{"body", strings.Repeat(" ", 30_001), "", nil, 1, false, 413, "-32600", "Connection", "refused 413 InvalidRequest"},
		{"not gzip", ping, "gzip", nil, 1, false, 400, "-32700", "Connection", "refused 400 ParseError"},
		{"encoding", ping, "br", nil, 1, false, 415, "-32600", "Accept-Encoding", "refused 415 InvalidRequest"},
		{"slow body", ping, "", nil, 1, true, 408, "-32408", "Connection", "refused 408 Timeout"},
		{"rate", ping, "", burst(1), 2, false, 429, "-32429", "Retry-After", "refused 429 RateLimit"},
		{"rate of a batch", batch(2), "", burst(3), 2, false, 429, "-32429", "Retry-After", "refused 429 RateLimit"},
		{"batch beyond the burst", batch(4), "", burst(3), 1, false, 429, "-32429", "", "refused 429 RateLimit"},
		{"batch", batch(101), "", nil, 1, false, 400, "-32600", "", "event InvalidRequest"},
		{"depth", nested, "", nil, 1, false, 400, "-32700", "", "event ParseError"},
		{"answer", "", "", nil, 1, false, 200, "-32603", "", "event ResponseTooLarge"},
	} {
		for _, path := range []string{"/rpc", "/mcp"} {
			t.Run(c.name+" "+path, func(t *testing.T) {
				var policy guard.Policy
				if c.policy != nil {
					c.policy(&policy)
				}
				engine, told := limited(t, policy)
				body := c.body
				if body == "" {
					body = call[path]
				}
				var w *httptest.ResponseRecorder
				for range c.times {
					*told = nil
					r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
					if c.slow {
						r = httptest.NewRequest(http.MethodPost, path, iotest.ErrReader(os.ErrDeadlineExceeded))
					}
					r.Header.Set("MCP-Protocol-Version", "2025-03-26") // which has batches
					if c.encoding != "" {
						r.Header.Set("Content-Encoding", c.encoding)
					}
					w = httptest.NewRecorder()
					engine.ServeHTTP(w, r)
				}
				text := strings.ReplaceAll(w.Body.String(), `\"`, `"`) // a tool's error is text
				if w.Code != c.status || !strings.Contains(text, `"code":`+c.code+`,`) {
					t.Errorf("%d %s, want %d %s", w.Code, w.Body, c.status, c.code)
				}
				if c.header != "" && w.Header().Get(c.header) == "" {
					t.Errorf("no header %s in %v", c.header, w.Header())
				}
				if len(*told) != 1 || (*told)[0] != c.told {
					t.Errorf("told %q, want %q once", *told, c.told)
				}
			})
		}
	}
}
