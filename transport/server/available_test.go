package server_test

import (
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
)

// R-S05, R-M15: version 2 is turned off while the program runs. Its calls,
// documents, tools and manifests are answered as those of version 3, which
// never was, and no page or document of another version names it.
func TestVersionTurnedOff(t *testing.T) {
	groups := []string{rpc.DefaultGroup, mcp.Group}
	registry, err := rpc.NewRegistry(rpc.App{Name: "vault", Version: "1.0.0"}, rpc.Service{Name: "Vault", Groups: groups, Methods: []rpc.Method{
		{Name: "open", Func: func() string { return "opened" }},
		{Name: "close", Func: func() string { return "closed" }, Since: 2},
	}})
	if err != nil {
		t.Fatal(err)
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var off atomic.Bool
	engine := gin.New()
	policy := guard.Policy{Open: true, Available: func(e *rpc.Endpoint) bool { return e.Version != 2 || !off.Load() }}
	if err := guard.Mount(engine, exec, policy, rpchttp.Edge{}, openrpc.Edge{}, mcp.Edge{}); err != nil {
		t.Fatal(err)
	}
	ask := func(on string) (int, string) {
		method, path, _ := strings.Cut(on, " ")
		r := httptest.NewRequest(method, path, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		w := httptest.NewRecorder()
		engine.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	for _, turned := range []bool{false, true, false} {
		off.Store(turned)
		for _, on := range []string{"POST /rpc/v2", "GET /openrpc/v2", "POST /mcp/v2", "GET /mcp/v2/server.json"} {
			status, body := ask(on)
			never, of := ask(strings.Replace(on, "v2", "v3", 1))
			switch {
			case never != 404:
				t.Errorf("%s: version 3: %d %s", on, never, of)
			case turned && (status != never || body != of):
				t.Errorf("%s, off: %d %s, want %d %s", on, status, body, never, of)
			case !turned && status != 200:
				t.Errorf("%s, on: %d %s", on, status, body)
			}
		}
		for on, name := range map[string]string{"GET /openrpc/ui": `"name":"v2"`, "POST /rpc/v9": "v1, v2."} {
			if _, body := ask(on); strings.Contains(body, name) == turned {
				t.Errorf("off is %v: %s names version 2: %.300s", turned, on, body)
			}
		}
	}
}
