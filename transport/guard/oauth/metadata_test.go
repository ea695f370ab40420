package oauth_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/guard/oauth"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
)

// executor serves Depot.count in the groups default and mcp, and Depot.wipe,
// which needs a scope.
func executor(t testing.TB) *rpc.Executor {
	t.Helper()
	registry, err := rpc.NewRegistry(rpc.App{Name: "depot", Version: "1.0.0"}, rpc.Service{
		Name: "Depot", Groups: []string{rpc.DefaultGroup, mcp.Group}, Methods: []rpc.Method{
			{Name: "count", Func: func() int { return 7 }},
			{Name: "wipe", Func: func() int { return 0 }, Scopes: []string{"depot:wipe"}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return exec
}

// mounted is the program behind the policy, with the edges besides /rpc and /mcp.
func mounted(t testing.TB, policy guard.Policy, edges ...guard.Edge) *gin.Engine {
	t.Helper()
	engine := gin.New()
	engine.RedirectTrailingSlash = false
	if err := guard.Mount(engine, executor(t), policy, append([]guard.Edge{rpchttp.Edge{}, mcp.Edge{}}, edges...)...); err != nil {
		t.Fatal(err)
	}
	return engine
}

func ask(engine http.Handler, method, path, payload string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "https://shop.example"+path, strings.NewReader(payload))
	r.Header.Set("Accept", "application/json, text/event-stream")
	if payload != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	engine.ServeHTTP(w, r)
	return w
}

// mcp row 74: RFC 9728 metadata, public, below the well-known path of each
// resource and of the program, with one authorization server at least.
func TestMetadata(t *testing.T) {
	server := newServer(t, newIssuer(rsaKey()).options())
	engine := mounted(t, guard.Policy{PublicURL: "https://shop.example/", Verifier: server.Verify, Documents: guard.ByRoute},
		oauth.Metadata{Servers: []string{home}, Scopes: []string{"shop:read"}, Name: "Tea & more", Documentation: "https://shop.example/docs"})
	const rest = `,"authorization_servers":["https://login.example"],"scopes_supported":["shop:read"],"bearer_methods_supported":["header"],` +
		`"resource_name":"Tea & more","resource_documentation":"https://shop.example/docs"}`
	for path, want := range map[string]string{
		oauth.WellKnown:          `{"resource":"https://shop.example"` + rest,
		oauth.WellKnown + "/mcp": `{"resource":"https://shop.example/mcp"` + rest,
	} {
		w := ask(engine, http.MethodGet, path, "")
		if w.Code != 200 || w.Body.String() != want || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %v %s", path, w.Code, w.Header(), w.Body)
		}
		if w := ask(engine, http.MethodHead, path, ""); w.Code != 200 {
			t.Errorf("HEAD %s: %d", path, w.Code)
		}
		if w := ask(engine, http.MethodPost, path, "{}"); w.Code != 405 || w.Header().Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("POST %s: %d %v", path, w.Code, w.Header())
		}
	}
	for _, path := range []string{oauth.WellKnown + "/rpc", oauth.WellKnown + "/", oauth.WellKnown + "/mcp/v1"} {
		if w := ask(engine, http.MethodGet, path, ""); w.Code != 404 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// The paths are the program's; without PublicURL the request says where it is.
func TestMetadataOfPaths(t *testing.T) {
	server := newServer(t, newIssuer(rsaKey()).options())
	engine := mounted(t, guard.Policy{Verifier: server.Verify}, oauth.Metadata{Servers: []string{home}, Paths: []string{"/rpc", "/mcp", "/mcp/v1"}})
	for path, resource := range map[string]string{"": "", "/rpc": "/rpc", "/mcp": "/mcp", "/mcp/v1": "/mcp/v1"} {
		w := ask(engine, http.MethodGet, oauth.WellKnown+path, "")
		want := `{"resource":"https://shop.example` + resource + `","authorization_servers":["https://login.example"],"bearer_methods_supported":["header"]}`
		if w.Body.String() != want {
			t.Errorf("%s: %s", path, w.Body)
		}
	}
}

// mcp row 75: without OAuth clients that probe get a real 404, and no
// resource_metadata in the challenge.
func TestWithoutOAuth(t *testing.T) {
	engine := mounted(t, guard.Policy{Tokens: []guard.Token{{Secret: "secret", Caller: rpc.Caller{Groups: []string{rpc.AnyGroup}}}}})
	for _, path := range []string{oauth.WellKnown, oauth.WellKnown + "/mcp", oauth.WellKnown + "/rpc", "/.well-known/oauth-authorization-server"} {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions} {
			if w := ask(engine, method, path, "", "Origin: https://shop.example"); w.Code != 404 || strings.Contains(w.Body.String(), "<") {
				t.Errorf("%s %s: %d %s", method, path, w.Code, w.Body)
			}
		}
	}
	w := ask(engine, http.MethodPost, "/mcp", "{}")
	if got := w.Header().Get("WWW-Authenticate"); w.Code != 401 || got != "Bearer" {
		t.Errorf("%d %q", w.Code, got)
	}
}

func TestMetadataFaults(t *testing.T) {
	for want, m := range map[string]oauth.Metadata{
		"no Servers":     {},
		"empty path":     {Servers: []string{home}, Paths: []string{""}},
		"like /rpc":      {Servers: []string{home}, Paths: []string{"mcp/"}},
		"served twice":   {Servers: []string{home}, Paths: []string{"/mcp", "/mcp"}},
		"group \"none\"": {Servers: []string{home}, Group: "none"},
	} {
		err := guard.Mount(gin.New(), executor(t), guard.Policy{Open: true}, m)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
