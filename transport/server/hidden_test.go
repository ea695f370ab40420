package server_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
)

// vault has a method that the test's caller may not see, or has it not.
func vault(t *testing.T, hidden bool) *gin.Engine {
	t.Helper()
	methods := []rpc.Method{{Name: "open", Func: func() string { return "opened" }}}
	if hidden {
		methods = append(methods, rpc.Method{Name: "sesame", Scopes: []string{"master"}, Func: func(struct {
			Key string `json:"key" validate:"min=3"`
		}) string {
			return "opened"
		}})
	}
	groups := []string{rpc.DefaultGroup, mcp.Group}
	registry, err := rpc.NewRegistry(rpc.App{Name: "vault", Version: "1.0.0"}, rpc.Service{Name: "Vault", Groups: groups, Methods: methods})
	if err != nil {
		t.Fatal(err)
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	engine := gin.New()
	policy := guard.Policy{Tokens: []guard.Token{{Secret: "good-token", Caller: rpc.Caller{ID: "a", Groups: groups}}}}
	if err := guard.Mount(engine, exec, policy, rpchttp.Edge{}, openrpc.Edge{}, mcp.Edge{}); err != nil {
		t.Fatal(err)
	}
	return engine
}

// work is how many allocations f makes, give or take one: pools lose things
// when the garbage is collected. Under the race detector it is not counted.
func work(f func()) float64 {
	if raceEnabled {
		return 0
	}
	least := testing.AllocsPerRun(20, f)
	for range 4 {
		least = min(least, testing.AllocsPerRun(20, f))
	}
	return least
}

// R-S05: a method that the caller may not see is answered as one that is not
// there, on every edge, in calls, lists and documents: the same bytes and
// headers, and work of the same class. The answers of a program with the hidden
// method are those of a program without it.
func TestHiddenIsMissing(t *testing.T) {
	with, without := vault(t, true), vault(t, false)
	const call = `{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}`
	for _, c := range []struct {
		on, body string
		headers  []string
	}{
		{"POST /rpc", fmt.Sprintf(call, "Vault.sesame", `{"key":"abc"}`), nil},
		{"POST /rpc", fmt.Sprintf(call, "Vault.sesame", `{"key":"a"}`), nil},
		{"POST /rpc", fmt.Sprintf(call, "Vault.sesame", `{"other":1}`), nil},
		{"POST /rpc", `{"jsonrpc":"2.0","method":"Vault.sesame","params":{"key":"abc"}}`, nil},
		{"POST /rpc", `[` + fmt.Sprintf(call, "Vault.sesame", `{"key":"abc"}`) + `,` + fmt.Sprintf(call, "ping", `{}`) + `]`, nil},
		{"POST /rpc", fmt.Sprintf(call, "rpc.discover", `{}`), nil},
		{"GET /openrpc", "", nil},
		{"POST /mcp", fmt.Sprintf(call, "tools/list", `{}`), []string{"MCP-Protocol-Version: 2025-06-18"}},
		{"POST /mcp", fmt.Sprintf(call, "tools/call", `{"name":"Vault.sesame","arguments":{"key":"abc"}}`), []string{"MCP-Protocol-Version: 2025-06-18"}},
		{"POST /mcp", fmt.Sprintf(call, "tools/call", `{"name":"Vault_sesame","arguments":{"key":"a"}}`), []string{"MCP-Protocol-Version: 2025-06-18"}},
	} {
		ask := func(engine *gin.Engine, body string) *httptest.ResponseRecorder {
			method, path, _ := strings.Cut(c.on, " ")
			r := httptest.NewRequest(method, path, strings.NewReader(body))
			r.Header.Set("RPC-Token", "good-token")
			r.Header.Set("Accept", "application/json, text/event-stream")
			for _, h := range c.headers {
				name, value, _ := strings.Cut(h, ": ")
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			engine.ServeHTTP(w, r)
			return w
		}
		hidden, missing := ask(with, c.body), ask(without, c.body)
		if hidden.Code != missing.Code || hidden.Body.String() != missing.Body.String() ||
			fmt.Sprint(hidden.Header()) != fmt.Sprint(missing.Header()) {
			t.Errorf("%s %s:\n%d %v %s\n%d %v %s", c.on, c.body, hidden.Code, hidden.Header(), hidden.Body, missing.Code, missing.Header(), missing.Body)
		}
		a := work(func() { ask(with, c.body) })
		b := work(func() { ask(without, c.body) })
		if a > b+1 || a < b-2 { // the name of a method that nobody knows is copied for the log
			t.Errorf("%s %s: %v allocations for what is hidden, %v for what is not there", c.on, c.body, a, b)
		}
	}
}
