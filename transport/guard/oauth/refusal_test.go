package oauth_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/guard/oauth"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/gin-gonic/gin"
)

// guarded is the program behind the issuer's tokens; the scopes depot:use and
// depot:tools open the group mcp.
func guarded(t testing.TB, i *issuer) *gin.Engine {
	t.Helper()
	o := i.options()
	o.Groups = map[string][]string{
		"depot:use": {rpc.DefaultGroup, mcp.Group}, "depot:tools": {mcp.Group}, "depot:all": {rpc.AnyGroup},
	}
	server := newServer(t, o)
	return mounted(t, guard.Policy{PublicURL: "https://shop.example", Verifier: server.Verify, Challenge: server.Challenge()},
		oauth.Metadata{Servers: []string{home}})
}

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// R-S01, mcp row 73, mcp row 74: what a client is told on each edge.
func TestRefusals(t *testing.T) {
	i := newIssuer(rsaKey())
	engine, closed := guarded(t, i), guarded(t, &issuer{down: true, requests: map[string]int{}})
	token := func(changes map[string]any) string {
		return "Authorization: Bearer " + rsaKey().sign(t, body(t, changes), nil)
	}
	const (
		root    = `resource_metadata="https://shop.example/.well-known/oauth-protected-resource"`
		tools   = `resource_metadata="https://shop.example/.well-known/oauth-protected-resource/mcp"`
		invalid = `error="invalid_token", `
		more    = `error="insufficient_scope", `
		calling = `scope="depot:use", `
		using   = `scope="depot:tools depot:use", `
	)
	for _, c := range []struct {
		name, path, header string
		status             int
		code, challenge    string
	}{
		{"calls, no token", "/rpc", "", 401, "-32401", calling + root},
		{"calls, version, no token", "/rpc/v1", "", 401, "-32401", calling + root},
		{"tools, no token", "/mcp", "", 401, "-32401", using + tools},
		{"tools, version, no token", "/mcp/v1", "", 401, "-32401", using + tools},
		{"tools, another scheme", "/mcp", "Authorization: Basic eDp5", 401, "-32401", using + tools},
		{"calls, garbage", "/rpc", "Authorization: Bearer x", 401, "-32403", invalid + calling + root},
		{"calls, in the other header", "/rpc", "RPC-Token: x", 401, "-32403", invalid + calling + root},
		{"tools, expired", "/mcp", token(map[string]any{"exp": 1}), 401, "-32403", invalid + using + tools},
		{"tools, another audience", "/mcp", token(map[string]any{"aud": "x"}), 401, "-32403", invalid + using + tools},
		{"calls, scope of tools", "/rpc", token(map[string]any{"scope": "depot:tools"}), 403, "-32403", more + calling + root},
		{"tools, no scope", "/mcp", token(map[string]any{"scope": ""}), 403, "-32403", more + using + tools},
		{"metadata, expired", oauth.WellKnown + "/mcp", token(map[string]any{"exp": 1}), 405, "-32600", ""},
		{"no such version", "/mcp/v9", "", 404, "-32601", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := ask(engine, http.MethodPost, c.path, ping, c.header)
			want := ""
			if c.challenge != "" {
				want = "Bearer " + c.challenge
			}
			if got := w.Header().Get("WWW-Authenticate"); w.Code != c.status || got != want || !strings.Contains(w.Body.String(), `"code":`+c.code+`,`) {
				t.Errorf("%d %s\n%s\nwant %s", w.Code, w.Body, got, want)
			}
		})
	}
	for _, c := range [][2]string{{"/rpc", "depot:use"}, {"/mcp", "depot:tools"}, {"/rpc", "depot:all"}} {
		w := ask(engine, http.MethodPost, c[0], `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, token(map[string]any{"scope": c[1]}))
		if w.Code >= 401 && w.Code <= 403 || w.Header().Get("WWW-Authenticate") != "" {
			t.Errorf("%s with %s: %d %s", c[0], c[1], w.Code, w.Body)
		}
	}
	w := ask(engine, http.MethodPost, "/rpc", ping, "RPC-Token: x", "Authorization: Bearer y")
	if got := w.Header().Get("WWW-Authenticate"); w.Code != http.StatusBadRequest || got != `Bearer error="invalid_request", `+calling+root {
		t.Errorf("two tokens: %d %s", w.Code, got)
	}
	w = ask(closed, http.MethodPost, "/mcp", ping, token(nil))
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("WWW-Authenticate") != "" {
		t.Errorf("the issuer is down: %d %s", w.Code, w.Body)
	}
}

// The header is made of what the program says, whatever the request does.
func TestChallengeRepeatsNothing(t *testing.T) {
	engine := guarded(t, newIssuer(rsaKey()))
	for _, path := range []string{`/mcp/v1?a="`, `/mcp/%22,x="y"`, `/mcp/v1"`, "/mcp/.."} {
		w := ask(engine, http.MethodPost, path, ping, "Host: evil.example")
		if got := w.Header().Get("WWW-Authenticate"); got != "" && !strings.HasSuffix(got, `resource_metadata="https://shop.example`+oauth.WellKnown+`/mcp"`) {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// A challenge that leads nowhere does not mount.
func TestChallengeFaults(t *testing.T) {
	server := newServer(t, newIssuer(rsaKey()).options())
	for want, p := range map[string]guard.Policy{
		"which no edge serves": {Verifier: server.Verify, Challenge: server.Challenge()},
		"there is no Verifier": {Open: true, Challenge: server.Challenge()},
	} {
		err := guard.Mount(gin.New(), executor(t), p, mcp.Edge{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Below a router group the metadata is where the challenge says it is.
func TestChallengeOfRouterGroup(t *testing.T) {
	server := newServer(t, newIssuer(rsaKey()).options())
	engine := gin.New()
	err := guard.Mount(engine.Group("/api"), executor(t), guard.Policy{Verifier: server.Verify, Challenge: server.Challenge()},
		mcp.Edge{}, oauth.Metadata{Servers: []string{home}})
	if err != nil {
		t.Fatal(err)
	}
	const at = "/api" + oauth.WellKnown + "/mcp"
	w := ask(engine, http.MethodPost, "/api/mcp/v1", ping)
	if got := w.Header().Get("WWW-Authenticate"); got != `Bearer resource_metadata="https://shop.example`+at+`"` {
		t.Error(got)
	}
	if w := ask(engine, http.MethodGet, at, ""); !strings.HasPrefix(w.Body.String(), `{"resource":"https://shop.example/api/mcp",`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// The metadata is there also when the endpoints of its group are not.
func TestMetadataStays(t *testing.T) {
	server := newServer(t, newIssuer(rsaKey()).options())
	engine := mounted(t, guard.Policy{Verifier: server.Verify, Available: func(*rpc.Endpoint) bool { return false }},
		oauth.Metadata{Servers: []string{home}})
	if w := ask(engine, http.MethodGet, oauth.WellKnown+"/mcp", ""); w.Code != http.StatusOK {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask(engine, http.MethodPost, "/mcp", ping); w.Code != http.StatusNotFound {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
