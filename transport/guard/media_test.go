package guard_test

import (
	"testing"

	"github.com/facet-rpc/facet/transport/guard"
)

// R-C06, case A23 (ethereum/go-ethereum#18293, #26547,
// openethereum/parity-ethereum#10072, hoophq/hoop#1764, grafana/mcp-grafana#215).
func TestMediaTypes(t *testing.T) {
	engine := mounted(t, guard.Policy{Open: true}, calls, sessions)
	for _, c := range []struct {
		header   string
		rpc, mcp int
	}{
		{"", 200, 200}, // the request names none
		{"Content-Type: ", 200, 200},
		{"Content-Type: application/json", 200, 200},
		{"Content-Type: application/json; charset=UTF-8", 200, 200},
		{"Content-Type: application/json;charset=\"utf-8\"", 200, 200},
		{"Content-Type: Application/JSON", 200, 200},
		{"Content-Type: application/json; profile=x", 200, 200},
		{"Content-Type: application/json-rpc", 200, 415},
		{"Content-Type: application/json; charset=utf-16", 415, 415},
		{"Content-Type: application/json; charset=utf-8; charset=utf-16", 415, 415},
		{"Content-Type: text/plain", 415, 415},
		{"Content-Type: application/x-www-form-urlencoded", 415, 415},
		{"Content-Type: multipart/form-data; boundary=x", 415, 415},
		{"Content-Type: text/plain; application/json", 415, 415},
		{"Content-Type: application/json, text/plain", 415, 415},
		{"Content-Type: application/jsonp", 415, 415},
		{"Content-Type: <script>", 415, 415},
		{"Content-Encoding: identity", 200, 200},
		{"Content-Encoding: gzip", 415, 415},
		{"Content-Encoding: br", 415, 415},
		{"Content-Encoding: identity, gzip", 415, 415},
	} {
		for path, want := range map[string]int{"/rpc": c.rpc, "/mcp": c.mcp} {
			w := serve(engine, request("POST", path, "{}", c.header))
			if want == 415 {
				check(t, w, answer{415, -32600, ""})
			} else {
				check(t, w, answer{200, 0, ""})
			}
		}
	}
	t.Run("two types", func(t *testing.T) {
		r := request("POST", "/rpc", "{}", "Content-Type: application/json", "Content-Type: text/plain")
		check(t, serve(engine, r), answer{415, -32600, ""})
	})
	t.Run("a type without a body", func(t *testing.T) {
		check(t, serve(engine, request("DELETE", "/mcp", "", "Content-Type: text/plain")), answer{200, 0, ""})
		check(t, serve(engine, request("POST", "/mcp", "", "Content-Type: text/plain")), answer{415, -32600, ""})
	})
}
