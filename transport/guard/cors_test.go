package guard_test

import (
	"strings"
	"testing"

	"github.com/facet-rpc/facet/transport/guard"
)

func cut(s string) (before, after string, ok bool) { return strings.Cut(s, " ") }

// R-S03, case E12 (netdata/netdata#22258, modelcontextprotocol/typescript-sdk#764,
// hauptsacheNet/typo3-mcp-server#115, cameronrye/openzim-mcp#93): the preflight
// carries no token and is answered before it is asked for.
func TestPreflight(t *testing.T) {
	policy := twoTokens()
	policy.Origins = []string{"https://app.example"}
	engine := mounted(t, policy, calls, sessions)
	const asked = "authorization, content-type, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, mcp-param-region, " +
		"mcp-param-x_y.z, last-event-id, accept-language, idempotency-key, rpc-token"
	w := serve(engine, request("OPTIONS", "/mcp", "", "Origin: https://app.example",
		"Access-Control-Request-Method: DELETE", "Access-Control-Request-Headers: "+asked))
	check(t, w, answer{204, 0, "Access-Control-Allow-Headers: " + asked})
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin":  "https://app.example",
		"Access-Control-Allow-Methods": "POST, DELETE, OPTIONS",
		"Access-Control-Max-Age":       "600",
		"Vary":                         "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if w.Body.Len() > 0 {
		t.Errorf("a body: %s", w.Body)
	}
	for name, bad := range map[string]string{
		"too long": strings.Repeat("x", 4000), "not names": "x\", <script>", "empty": "",
	} {
		w := serve(engine, request("OPTIONS", "/mcp", "", "Origin: https://app.example",
			"Access-Control-Request-Method: POST", "Access-Control-Request-Headers: "+bad))
		if got := w.Header().Get("Access-Control-Allow-Headers"); w.Code != 204 || got != "" {
			t.Errorf("%s: %d, echoed %q", name, w.Code, got)
		}
	}

	w = serve(engine, request("POST", "/rpc", "{}", "Origin: https://app.example", "RPC-Token: all-secret"))
	check(t, w, answer{200, 0, "Access-Control-Allow-Origin: https://app.example"})
	for _, name := range []string{"Mcp-Session-Id", "Content-Language", "Idempotency-Replayed", "ETag", "WWW-Authenticate", "Retry-After"} {
		if !strings.Contains(w.Header().Get("Access-Control-Expose-Headers"), name) {
			t.Errorf("the page cannot read %s", name)
		}
	}
	w = serve(engine, request("POST", "/rpc", "{}", "Origin: https://app.example"))
	check(t, w, answer{401, -32401, "Access-Control-Allow-Origin: https://app.example"})
}

// case F03 (rs/cors#197, gin-contrib/cors#31, julienhmmt/vcv#74,
// stephenberry/glaze#2644): no wildcard at all.
func TestWildcardOrigin(t *testing.T) {
	for _, origin := range []string{"*", "h*", "https://*.example", "null", "https://app.example/", "app.example"} {
		err := mountError(t, guard.Policy{Open: true, Origins: []string{origin}}, calls)
		if !strings.Contains(err, "Origins[0]") || !strings.Contains(err, "https://app.example") {
			t.Errorf("%q: %s", origin, err)
		}
	}
}
