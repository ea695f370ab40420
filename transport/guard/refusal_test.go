package guard_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/facet-rpc/facet/transport/guard"
	"github.com/go-json-experiment/json"
)

// answer is what a row of the table expects; code 0 means no JSON-RPC error.
type answer struct {
	status, code int
	header       string // "Name: value" that must be there
}

// R-S01, R-S03, R-S05, R-M15: each row breaks one rule, and all that come later
// in the order, so the row shows which is told first.
func TestOrderOfRefusals(t *testing.T) {
	policy := twoTokens()
	policy.Hosts = []string{"shop.example"}
	policy.Origins = []string{"https://app.example"}
	engine := mounted(t, policy, echo, pages, sessions, ui)
	const (
		host    = "Host: shop.example"
		all     = "Authorization: Bearer all-secret"
		limited = "Authorization: Bearer default-secret"
		wrong   = "Authorization: Bearer wrong"
		text    = "Content-Type: text/plain"
		gzip    = "Content-Encoding: gzip"
		app     = "Origin: https://app.example"
		evil    = "Origin: https://evil.example"
		asks    = "Access-Control-Request-Method: POST"
	)
	for _, c := range []struct {
		name, method, path string
		headers            []string
		want               answer
	}{
		{"host", "PUT", "/rpc/v9", []string{"Host: evil.example", evil, wrong, text}, answer{403, -32403, ""}},
		{"origin", "PUT", "/rpc/v9", []string{host, evil, wrong, text}, answer{403, -32403, "Vary: Origin"}},
		{"preflight of a wrong host", "OPTIONS", "/rpc", []string{"Host: evil.example", app, asks}, answer{403, -32403, ""}},
		{"preflight of a wrong origin", "OPTIONS", "/rpc", []string{host, evil, asks}, answer{403, -32403, ""}},
		{"preflight before path and token", "OPTIONS", "/rpc/v9", []string{host, app, asks}, answer{204, 0, "Access-Control-Allow-Origin: https://app.example"}},
		{"OPTIONS of a missing version", "OPTIONS", "/rpc/v9", []string{host}, answer{404, -32601, ""}},
		{"version", "PUT", "/rpc/v9", []string{host, wrong, text}, answer{404, -32601, ""}},
		{"method", "PUT", "/rpc", []string{host, wrong, text}, answer{405, -32600, "Allow: POST, OPTIONS"}},
		{"no token", "POST", "/mcp", []string{host, text, gzip}, answer{401, -32401, "WWW-Authenticate: Bearer"}},
		{"wrong token", "POST", "/mcp", []string{host, wrong, text, gzip}, answer{403, -32403, ""}},
		{"group", "POST", "/mcp", []string{host, limited, text, gzip}, answer{403, -32403, ""}},
		{"media type", "POST", "/mcp", []string{host, all, text, gzip}, answer{415, -32600, ""}},
		{"encoding", "POST", "/mcp", []string{host, all, gzip}, answer{415, -32600, "Accept-Encoding: identity"}},
		{"body", "POST", "/rpc", []string{host, all, "Content-Length: 9000000"}, answer{413, -32600, "Connection: close"}},
		{"nothing", "POST", "/mcp", []string{host, all}, answer{200, 0, "Served-By: mcp.internal.v1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := request(c.method, c.path, "{}", c.headers...)
			if slices.Contains(c.headers, "Content-Length: 9000000") {
				r.ContentLength = 9_000_000
			}
			check(t, serve(engine, r), c.want)
		})
	}
}

// mcp row 9, mcp row 17: with NoID an id that is not known is
// left out, whoever refuses.
func TestNoID(t *testing.T) {
	policy := twoTokens()
	policy.MaxBody = 10
	quiet := with(echo, func(r *guard.Route) { r.NoID, r.Path, r.Edge = true, "/quiet", "quiet" })
	engine := mounted(t, policy, quiet, echo)
	const all = "Authorization: Bearer all-secret"
	for _, c := range []struct {
		method, path string
		headers      []string
		length       int64
		want         int
	}{
		{"POST", "", nil, 2, 401},
		{"POST", "", []string{"Authorization: Bearer wrong"}, 2, 403},
		{"POST", "", []string{"Origin: https://evil.example"}, 2, 403},
		{"POST", "/v9", nil, 2, 404},
		{"PUT", "", nil, 2, 405},
		{"POST", "", []string{all, "Content-Type: text/plain"}, 2, 415},
		{"POST", "", []string{all}, 11, 413},
		{"POST", "", []string{all}, 5, 400}, // it breaks off
	} {
		for path, id := range map[string]string{"/quiet": "", "/rpc": `"id":null,`} {
			r := request(c.method, path+c.path, "{}", c.headers...)
			if r.ContentLength = c.length; c.want == 400 {
				r.Body = io.NopCloser(iotest.ErrReader(io.ErrUnexpectedEOF))
			}
			w := serve(engine, r)
			if w.Code != c.want || !strings.HasPrefix(w.Body.String(), `{"jsonrpc":"2.0",`+id+`"error":`) {
				t.Errorf("%s %s %q: %d %s", c.method, path, c.headers, w.Code, w.Body)
			}
		}
	}
}

// check holds an answer against what is wanted, and against what holds for
// every refusal.
func check(t *testing.T, w *httptest.ResponseRecorder, want answer) {
	t.Helper()
	if w.Code != want.status {
		t.Errorf("status %d, want %d; body %s", w.Code, want.status, w.Body)
	}
	if name, value, ok := strings.Cut(want.header, ": "); ok && w.Header().Get(name) != value {
		t.Errorf("%s: %q, want %q", name, w.Header().Get(name), value)
	}
	if want.code == 0 {
		return
	}
	var body struct {
		JSONRPC string `json:"jsonrpc"`
		ID      any    `json:"id"`
		Error   struct {
			Code    int            `json:"code"`
			Message string         `json:"message"`
			Data    map[string]any `json:"data"`
		} `json:"error"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &body, json.RejectUnknownMembers(true)); err != nil {
		t.Fatalf("body %q: %v", w.Body, err)
	}
	if body.JSONRPC != "2.0" || body.ID != nil || body.Error.Code != want.code || body.Error.Message == "" || body.Error.Data["exception"] == nil {
		t.Errorf("body %s, want code %d", w.Body, want.code)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "X-Content-Type-Options": "nosniff",
		"Cache-Control": "no-store",
	} {
		if got := w.Header().Get(name); got != value {
			t.Errorf("%s: %q, want %q", name, got, value)
		}
	}
}

// case A25 (openethereum/parity-ethereum#1114, higress-group/wasm-go#46): every
// HTTP method on every kind of edge.
func TestEveryMethodOnEveryEdge(t *testing.T) {
	engine := mounted(t, twoTokens(), calls, pages, sessions, ui)
	for _, c := range []struct {
		path, allow string
		served      []string
	}{
		{"/rpc", "POST, OPTIONS", []string{"POST"}},
		{"/rpc/v1", "POST, OPTIONS", []string{"POST"}},
		{"/rpc/v4", "POST, OPTIONS", []string{"POST"}},
		{"/openrpc", "GET, HEAD, OPTIONS", []string{"GET", "HEAD"}},
		{"/openrpc/ui", "GET, HEAD, OPTIONS", []string{"GET", "HEAD"}},
		{"/mcp", "POST, DELETE, OPTIONS", []string{"POST", "DELETE"}},
	} {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "TRACE", "OPTIONS"} {
			t.Run(method+" "+c.path, func(t *testing.T) {
				w := serve(engine, request(method, c.path, "", "RPC-Token: all-secret"))
				switch {
				case method == "OPTIONS":
					check(t, w, answer{204, 0, "Allow: " + c.allow})
				case slices.Contains(c.served, method):
					check(t, w, answer{200, 0, ""})
				case method == "HEAD":
					check(t, w, answer{405, 0, "Allow: " + c.allow})
				default:
					check(t, w, answer{405, -32600, "Allow: " + c.allow})
				}
				if (method == "HEAD" || method == "OPTIONS") && w.Header().Get("Served-By") == "" && w.Body.Len() > 0 {
					t.Errorf("a body: %s", w.Body)
				}
			})
		}
	}
}

// R-C11, R-M15: v<n> without leading zeros, and nothing else, is a version.
func TestVersions(t *testing.T) {
	engine := mounted(t, guard0(), calls, pages, ui)
	for path, want := range map[string]string{
		"/rpc": "rpc.default.v1", "/rpc/v1": "rpc.default.v1", "/rpc/v2": "rpc.default.v2", "/rpc/v4": "rpc.default.v4",
		"/rpc/v3": "", "/rpc/v5": "", "/rpc/v0": "", "/rpc/v01": "", "/rpc/1": "", "/rpc/V1": "", "/rpc/v": "",
		"/rpc/v-1": "", "/rpc/v+1": "", "/rpc/v1.0": "", "/rpc/v99999999999999999999": "", "/rpc/x": "", "/rpc/v1%20": "",
	} {
		w := serve(engine, request(http.MethodPost, path, "{}"))
		if want == "" {
			check(t, w, answer{404, -32601, ""})
			if !strings.Contains(w.Body.String(), "v1, v2, v4") {
				t.Errorf("%s: the versions served are not told: %s", path, w.Body)
			}
		} else if got := w.Header().Get("Served-By"); got != want {
			t.Errorf("%s is served by %q, want %q", path, got, want)
		}
	}
	if got := serve(engine, request("GET", "/openrpc/ui", "")).Header().Get("Served-By"); got != "openrpc.default" {
		t.Errorf("the page is served by %q", got)
	}
}
