package guard_test

import (
	"context"
	stderrors "errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/gin-gonic/gin"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// R-S01, case F05 (afreidah/s3-orchestrator#66, vavallee/bindery#2138,
// asternic/wuzapi#294).
func TestStaticTokens(t *testing.T) {
	engine := mounted(t, twoTokens(), calls)
	const missing, invalid = 401, 403
	for _, c := range []struct {
		name    string
		headers []string
		want    int
		caller  string
	}{
		{"bearer", []string{"Authorization: Bearer all-secret"}, 200, "all"},
		{"second token", []string{"Authorization: Bearer default-secret"}, 200, "default"},
		{"scheme's case", []string{"Authorization: bEARER all-secret"}, 200, "all"},
		{"spaces", []string{"Authorization: Bearer   all-secret"}, 200, "all"},
		{"header", []string{"RPC-Token: all-secret"}, 200, "all"},
		{"header's case", []string{"rpc-token: all-secret"}, 200, "all"},
		{"both, the same", []string{"RPC-Token: all-secret", "Authorization: Bearer all-secret"}, 200, "all"},
		{"both, two callers", []string{"RPC-Token: all-secret", "Authorization: Bearer default-secret"}, invalid, ""},
		{"both, one wrong", []string{"RPC-Token: all-secret", "Authorization: Bearer wrong"}, invalid, ""},
		{"twice, one wrong", []string{"Authorization: Bearer wrong", "Authorization: Bearer all-secret"}, invalid, ""},
		{"none", nil, missing, ""},
		{"empty", []string{"RPC-Token: "}, missing, ""},
		{"empty bearer", []string{"Authorization: Bearer "}, missing, ""},
		{"only the scheme", []string{"Authorization: Bearer"}, missing, ""},
		{"another scheme", []string{"Authorization: Basic all-secret"}, missing, ""},
		{"no scheme", []string{"Authorization: all-secret"}, missing, ""},
		{"another scheme besides", []string{"Authorization: Basic eDp5", "RPC-Token: all-secret"}, 200, "all"},
		{"prefix", []string{"RPC-Token: all-secre"}, invalid, ""},
		{"longer", []string{"RPC-Token: all-secrets"}, invalid, ""},
		{"case", []string{"RPC-Token: All-secret"}, invalid, ""},
		{"NUL", []string{"RPC-Token: all-secret\x00"}, invalid, ""},
		{"very long", []string{"RPC-Token: all-secret" + strings.Repeat("x", 10_000)}, invalid, ""},
		{"two in one", []string{"RPC-Token: all-secret, all-secret"}, invalid, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := serve(engine, request("POST", "/rpc", "{}", c.headers...))
			switch c.want {
			case missing:
				check(t, w, answer{401, -32401, "WWW-Authenticate: Bearer"})
			case invalid:
				check(t, w, answer{403, -32403, ""})
			default:
				check(t, w, answer{200, 0, "Served-To: " + c.caller})
			}
			if strings.Contains(w.Body.String(), "secre") {
				t.Errorf("the answer repeats the token: %s", w.Body)
			}
		})
	}
}

// R-S01: the header's name is the application's, a long secret works.
func TestTokenHeader(t *testing.T) {
	long := strings.Repeat("long-", 100)
	engine := mounted(t, guard.Policy{Header: "x-shop-key", Tokens: []guard.Token{{Secret: long}}}, calls)
	check(t, serve(engine, request("POST", "/rpc", "{}", "X-Shop-Key: "+long)), answer{200, 0, ""})
	check(t, serve(engine, request("POST", "/rpc", "{}", "X-Shop-Key: "+long+"x")), answer{403, -32403, ""})
	check(t, serve(engine, request("POST", "/rpc", "{}", "X-Shop-Key: "+long[:256])), answer{403, -32403, ""})
	check(t, serve(engine, request("POST", "/rpc", "{}", "RPC-Token: "+long)), answer{401, -32401, ""})
}

// R-S01: what the caller of a token is does not change after Mount.
func TestTokensAreCopied(t *testing.T) {
	policy := twoTokens()
	engine := mounted(t, policy, sessions)
	policy.Tokens[0].Caller.Groups[0] = "none"
	check(t, serve(engine, request("POST", "/mcp", "{}", "RPC-Token: all-secret")), answer{200, 0, ""})
}

// R-S01: a token of another group is 403 on that edge.
func TestGroups(t *testing.T) {
	engine := mounted(t, guard.Policy{Tokens: []guard.Token{
		{Secret: "d", Caller: rpc.Caller{ID: "default"}},
		{Secret: "i", Caller: rpc.Caller{ID: "internal", Groups: []string{"internal"}}},
		{Secret: "a", Caller: rpc.Caller{ID: "any", Groups: []string{rpc.AnyGroup}}},
	}}, calls, sessions)
	for _, c := range []struct {
		token, path string
		want        int
	}{
		{"d", "/rpc", 200}, {"d", "/mcp", 403},
		{"i", "/rpc", 403}, {"i", "/mcp", 200},
		{"a", "/rpc", 200}, {"a", "/mcp", 200},
	} {
		w := serve(engine, request("POST", c.path, "{}", "RPC-Token: "+c.token))
		if c.want == 403 {
			check(t, w, answer{403, -32403, ""})
		} else {
			check(t, w, answer{c.want, 0, ""})
		}
	}
}

// R-S01: the Verifier replaces the list of tokens.
func TestVerifier(t *testing.T) {
	core, logs := observer.New(zap.DebugLevel)
	exec := executorWith(t, zap.New(core))
	engine := gin.New()
	err := guard.Mount(engine, exec, guard.Policy{Verifier: func(ctx context.Context, token string) (*rpc.Caller, error) {
		switch token {
		case "good":
			return &rpc.Caller{ID: "good"}, nil
		case "stale":
			return nil, fmt.Errorf("expired: %w", guard.ErrToken)
		case "nobody":
			return nil, nil
		case "both":
			return &rpc.Caller{ID: "both"}, guard.ErrToken
		}
		return nil, stderrors.New("the user base is down")
	}}, calls)
	if err != nil {
		t.Fatal(err)
	}
	logs.TakeAll()
	for _, c := range []struct {
		token  string
		want   answer
		logged int
	}{
		{"good", answer{200, 0, "Served-To: good"}, 0},
		{"stale", answer{403, -32403, ""}, 0},
		{"both", answer{403, -32403, ""}, 0},
		{"nobody", answer{503, -32503, ""}, 1},
		{"down-secret", answer{503, -32503, ""}, 1},
		{"", answer{401, -32401, ""}, 0},
	} {
		w := serve(engine, request("POST", "/rpc", "{}", "RPC-Token: "+c.token))
		check(t, w, c.want)
		entries := logs.TakeAll()
		if len(entries) != c.logged {
			t.Errorf("%s: %d log entries", c.token, len(entries))
		}
		if text := fmt.Sprint(entries, w.Body); strings.Contains(text, "down-secret") || strings.Contains(w.Body.String(), "user base") {
			t.Errorf("told too much: %s", text)
		}
	}
}

// R-S01: who may read documents.
func TestDocuments(t *testing.T) {
	for _, c := range []struct {
		access       guard.Access
		openrpc, ui  int
		openrpcOwner string
	}{
		{guard.ByRoute, 401, 200, ""},
		{guard.ForAll, 200, 200, ""},
		{guard.ByToken, 401, 401, ""},
	} {
		policy := twoTokens()
		policy.Documents = c.access
		engine := mounted(t, policy, calls, pages, ui)
		for path, want := range map[string]int{"/openrpc": c.openrpc, "/openrpc/ui": c.ui} {
			if w := serve(engine, request("GET", path, "")); w.Code != want {
				t.Errorf("access %d, %s: %d, want %d", c.access, path, w.Code, want)
			}
			check(t, serve(engine, request("GET", path, "", "RPC-Token: wrong")), answer{403, -32403, ""})
			check(t, serve(engine, request("GET", path, "", "RPC-Token: all-secret")), answer{200, 0, "Served-To: all"})
		}
		check(t, serve(engine, request("POST", "/rpc", "{}")), answer{401, -32401, ""})
	}
}

// An open policy looks at no token: it has nothing to compare with.
func TestOpen(t *testing.T) {
	engine := mounted(t, guard.Policy{Open: true}, calls, sessions, pages)
	for _, header := range []string{"X: y", "RPC-Token: anything", "Authorization: Bearer anything"} {
		check(t, serve(engine, request("POST", "/rpc", "{}", header)), answer{200, 0, ""})
		check(t, serve(engine, request("POST", "/mcp", "{}", header)), answer{200, 0, ""})
		check(t, serve(engine, request(http.MethodGet, "/openrpc/v4", "", header)), answer{200, 0, ""})
	}
}

// R-S01: with a Challenge, tokens that differ are 400 (RFC 6750 section 3.1).
func TestChallenge(t *testing.T) {
	policy := guard.Policy{PublicURL: "https://shop.example"}
	challenged(&policy)
	policy.Challenge.Metadata = "/openrpc/ui"
	policy.Challenge.Scopes = func(string) []string { return []string{"use"} }
	engine := mounted(t, policy, calls, ui)
	const more = `scope="use", resource_metadata="https://shop.example/openrpc/ui"`
	for _, c := range []struct {
		headers []string
		want    answer
	}{
		{nil, answer{401, -32401, "Www-Authenticate: Bearer " + more}},
		{[]string{"RPC-Token: a"}, answer{401, -32403, `Www-Authenticate: Bearer error="invalid_token", ` + more}},
		{[]string{"RPC-Token: a", "Authorization: Bearer a"}, answer{401, -32403, `Www-Authenticate: Bearer error="invalid_token", ` + more}},
		{[]string{"RPC-Token: a", "Authorization: Bearer b"}, answer{400, -32600, `Www-Authenticate: Bearer error="invalid_request", ` + more}},
		{[]string{"Authorization: Bearer a", "Authorization: Bearer b"}, answer{400, -32600, `Www-Authenticate: Bearer error="invalid_request", ` + more}},
	} {
		check(t, serve(engine, request("POST", "/rpc", "{}", c.headers...)), c.want)
	}
}

// case E03 (modelcontextprotocol/go-sdk#578), case E10 (Repliers-io/mcp-server#14,
// agentic-community/mcp-gateway-registry#1357): who is not let in reaches no
// edge, so that no session is made, told, or found for him.
func TestNoSessionForWhoIsRefused(t *testing.T) {
	reached := 0
	hall := edge{route: sessions.route, serve: func(w http.ResponseWriter, _ *http.Request, _ *guard.Visit) {
		reached++
		w.Header().Set("Mcp-Session-Id", "s")
	}}
	engine := mounted(t, twoTokens(), hall)
	for _, c := range []struct {
		token  string
		status int
	}{{"X: y", 401}, {"RPC-Token: wrong", 403}, {asDefault, 403}} {
		for _, method := range []string{"POST", "DELETE"} {
			w := serve(engine, request(method, "/mcp", "{}", c.token, "Mcp-Session-Id: s"))
			if w.Code != c.status || reached > 0 || w.Header().Get("Mcp-Session-Id") != "" || strings.Contains(w.Body.String(), "ession") {
				t.Errorf("%s %s: %d %v %s", method, c.token, w.Code, w.Header(), w.Body)
			}
		}
	}
}
