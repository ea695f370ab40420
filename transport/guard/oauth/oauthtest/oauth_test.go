package oauthtest

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/guard/oauth"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	gin.SetMode(gin.ReleaseMode)
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) { http.DefaultClient.CloseIdleConnections() }))
}

// depot says who calls; wiping needs a scope.
type depot struct{}

func (depot) Who(ctx context.Context) string { return rpc.CallFrom(ctx).Caller.ID }

func (depot) Wipe() string { return "wiped" }

// program is Depot behind the issuer's tokens, on a loopback port. The scope
// depot:use opens both groups.
func program(t *testing.T, i *issuer) string {
	t.Helper()
	listener := httptest.NewUnstartedServer(nil)
	url := "http://" + listener.Listener.Addr().String()
	i.store.audience = url + "/mcp"
	server, err := oauth.New(t.Context(), oauth.Options{
		Issuer: i.URL, Audience: []string{url + "/mcp"}, Client: i.Client(),
		Groups:        map[string][]string{"depot:use": {rpc.DefaultGroup, mcp.Group}},
		Introspection: &oauth.Introspection{URL: i.URL + "/oauth/introspect", ClientID: asker, Secret: askerSecret},
	})
	if err != nil {
		t.Fatal(err)
	}
	registry, err := rpc.NewRegistry(rpc.App{Name: "depot", Version: "1.0.0"}, rpc.Service{
		Name: "Depot", Groups: []string{rpc.DefaultGroup, mcp.Group}, Methods: []rpc.Method{
			{Name: "who", Func: depot{}.Who},
			{Name: "wipe", Func: depot{}.Wipe, Scopes: []string{"depot:wipe"}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	engine := gin.New()
	engine.RedirectTrailingSlash = false
	err = guard.Mount(engine, exec, guard.Policy{PublicURL: url, Verifier: server.Verify, Challenge: server.Challenge()}, rpchttp.Edge{}, mcp.Edge{}, oauth.Metadata{Servers: []string{i.URL}})
	if err != nil {
		t.Fatal(err)
	}
	listener.Config.Handler = engine
	listener.Start()
	t.Cleanup(listener.Close)
	return url
}

// call posts a JSON-RPC call with the token.
func call(t *testing.T, url, token, method string) (int, string, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/rpc", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text), answer.Header.Get("WWW-Authenticate")
}

// R-S01: real tokens, JWT and opaque, over /rpc.
func TestRealTokens(t *testing.T) {
	i := newIssuer(t)
	url := program(t, i)
	metadata := `resource_metadata="` + url + `/.well-known/oauth-protected-resource"`
	for _, c := range []struct {
		name, client    string
		scopes          []string
		method          string
		status          int
		want, challenge string
	}{
		{"JWT", "agent", []string{"depot:use"}, "Depot.who", 200, `"result":"agent"`, ""},
		{"opaque", "opaque", []string{"depot:use"}, "Depot.who", 200, `"result":"opaque"`, ""},
		{"JWT, hidden", "agent", []string{"depot:use"}, "Depot.wipe", 200, `"code":-32601`, ""},
		{"JWT, all scopes", "agent", []string{"depot:use", "depot:wipe"}, "Depot.wipe", 200, `"result":"wiped"`, ""},
		{"opaque, all scopes", "opaque", []string{"depot:use", "depot:wipe"}, "Depot.wipe", 200, `"result":"wiped"`, ""},
		{"JWT, no group", "agent", []string{"depot:wipe"}, "Depot.who", 403, `"code":-32403`, `Bearer error="insufficient_scope", scope="depot:use", ` + metadata},
		{"opaque, no group", "opaque", nil, "Depot.who", 403, `"code":-32403`, `Bearer error="insufficient_scope", scope="depot:use", ` + metadata},
		{"no token", "", nil, "Depot.who", 401, `"code":-32401`, `Bearer scope="depot:use", ` + metadata},
	} {
		t.Run(c.name, func(t *testing.T) {
			token := ""
			if c.client != "" {
				token = i.token(t, c.client, c.scopes...)
			}
			status, text, challenge := call(t, url, token, c.method)
			if status != c.status || !strings.Contains(text, c.want) || challenge != c.challenge {
				t.Errorf("%d %s\n%s", status, text, challenge)
			}
		})
	}
}

// A token of the same server for another program, an expired one and a revoked
// one are invalid_token; without the server nobody knows.
func TestRealTokensRefused(t *testing.T) {
	i := newIssuer(t)
	url := program(t, i)
	good := i.token(t, "agent", "depot:use")
	invalid := func(name, token string) {
		t.Helper()
		status, text, challenge := call(t, url, token, "Depot.who")
		if status != http.StatusUnauthorized || !strings.Contains(text, `"code":-32403`) || !strings.HasPrefix(challenge, `Bearer error="invalid_token", `) {
			t.Errorf("%s: %d %s %s", name, status, text, challenge)
		}
	}
	mine := i.store.audience
	i.store.audience = "https://other.example/mcp"
	invalid("another audience", i.token(t, "agent", "depot:use"))
	i.store.audience, i.store.life = mine, -time.Hour
	invalid("expired", i.token(t, "agent", "depot:use"))
	i.store.life = 0
	i.store.mu.Lock()
	i.store.revoked = true
	i.store.mu.Unlock()
	invalid("revoked", i.token(t, "opaque", "depot:use"))
	opaque := i.token(t, "opaque", "depot:use")
	i.Close()
	if status, text, _ := call(t, url, good, "Depot.who"); status != 200 {
		t.Errorf("with keys at hand: %d %s", status, text)
	}
	if status, text, challenge := call(t, url, opaque, "Depot.who"); status != http.StatusServiceUnavailable || challenge != "" {
		t.Errorf("server down: %d %s %s", status, text, challenge)
	}
}
