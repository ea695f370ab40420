package guard_test

import (
	"crypto/tls"
	"net/http"
	"testing"

	"github.com/facet-rpc/facet/transport/guard"
)

func guard0() guard.Policy { return guard.Policy{Open: true} }

// R-S03, case F01 (modelcontextprotocol/go-sdk#760, econumo/econumo#149,
// mark3labs/mcp-go#921).
func TestHost(t *testing.T) {
	public := guard.Policy{Open: true, PublicURL: "https://shop.example"}
	listed := guard.Policy{Open: true, Hosts: []string{"shop.example", "API.example:8443", "[2001:db8::1]"}}
	for _, c := range []struct {
		name   string
		policy guard.Policy
		host   string
		remote bool // not on a loopback listener
		want   int
	}{
		{"name", guard0(), "localhost", false, 200},
		{"case", guard0(), "LocalHost:8080", false, 200},
		{"IPv4", guard0(), "127.0.0.1:8080", false, 200},
		{"all of 127/8", guard0(), "127.8.9.1", false, 200},
		{"IPv6", guard0(), "[::1]:8080", false, 200},
		{"foreign", guard0(), "evil.com", false, 403},
		{"foreign that looks near", guard0(), "localhost.evil.com", false, 403},
		{"an address in front", guard0(), "127.0.0.1.evil.com", false, 403},
		{"none", guard0(), "", false, 403},
		{"other address", guard0(), "192.168.0.7", false, 403},
		{"all zeros", guard0(), "0.0.0.0:8080", false, 403},
		{"IPv6 in IPv4", guard0(), "[::ffff:127.0.0.1]", false, 403},
		{"zone", guard0(), "[::1%25lo]", false, 403},
		{"bare IPv6", guard0(), "::1", false, 403},
		{"open bracket", guard0(), "[::1", false, 403},
		{"brackets around nothing", guard0(), "[]", false, 403},
		{"junk port", guard0(), "localhost:80a", false, 403},
		{"two ports", guard0(), "localhost:80:90", false, 403},
		{"user", guard0(), "localhost:80@evil.com", false, 403},
		{"not on loopback", guard0(), "whatever.example", true, 200},

		{"PublicURL behind a proxy on loopback", public, "shop.example", false, 200},
		{"PublicURL with a port", public, "SHOP.example:443", false, 200},
		{"loopback besides PublicURL", public, "localhost:8080", false, 200},
		{"foreign besides PublicURL", public, "evil.com", false, 403},

		{"listed", listed, "shop.example", true, 200},
		{"listed, any port", listed, "Shop.Example:1234", false, 200},
		{"listed with its port", listed, "api.example:8443", true, 200},
		{"listed with another port", listed, "api.example:8444", true, 403},
		{"listed with a port, none given", listed, "api.example", true, 403},
		{"listed IPv6", listed, "[2001:db8::1]:80", true, 200},
		{"not listed", listed, "evil.com", true, 403},
		{"loopback is not listed", listed, "localhost", false, 403},
		{"a dot at the end", listed, "shop.example.", true, 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			engine := mounted(t, c.policy, calls)
			r := request(http.MethodPost, "/rpc", "{}", "Host: "+c.host)
			if !c.remote {
				r = onLoopback(r)
			}
			if w := serve(engine, r); w.Code != c.want {
				t.Errorf("Host %q: %d, want %d", c.host, w.Code, c.want)
			}
		})
	}
}

// R-S03, case F02 (pgEdge/pgedge-postgres-mcp#231,
// jeanibarz/knowledge-base-mcp-server#750): on every HTTP method.
func TestOrigin(t *testing.T) {
	policy := guard.Policy{Open: true, PublicURL: "https://shop.example/base/",
		Origins: []string{"https://app.example", "http://dev.example:3000", "https://ports.example:443", "vscode-webview://abc"}}
	engine := mounted(t, policy, calls, pages, sessions)
	for _, c := range []struct {
		name, origin, host string
		tls                bool
		want               int
		crossed            bool
	}{
		{"listed", "https://app.example", "localhost", false, 200, true},
		{"listed with the scheme's port", "https://app.example:443", "localhost", false, 200, true},
		{"listed that way", "https://ports.example", "localhost", false, 200, true},
		{"listed with a port", "http://dev.example:3000", "localhost", false, 200, true},
		{"listed of another scheme", "vscode-webview://abc", "localhost", false, 200, true},
		{"PublicURL's", "https://shop.example", "localhost", false, 200, true},
		{"same", "http://localhost:8080", "localhost:8080", false, 200, false},
		{"same with the scheme's port", "http://localhost", "localhost:80", false, 200, false},
		{"other scheme on loopback", "https://localhost", "localhost", false, 403, false},
		{"other scheme, same port", "https://127.0.0.1:8080", "127.0.0.1:8080", false, 403, false},
		{"other scheme than PublicURL's", "http://shop.example", "shop.example", false, 403, false},
		{"other port than PublicURL's", "https://shop.example:444", "shop.example", false, 403, false},
		{"same over TLS", "https://localhost", "localhost", true, 200, false},
		{"plain page, TLS program", "http://localhost", "localhost", true, 403, false},
		{"other port", "http://localhost:3000", "localhost:8080", false, 403, false},
		{"other scheme than listed", "http://app.example", "localhost", false, 403, false},
		{"subdomain", "https://x.app.example", "localhost", false, 403, false},
		{"suffix", "https://app.example.evil", "localhost", false, 403, false},
		{"foreign", "https://evil.example", "localhost", false, 403, false},
		{"null", "null", "localhost", false, 403, false},
		{"empty", "", "localhost", false, 403, false},
		{"with a path", "https://app.example/", "localhost", false, 403, false},
		{"with a user", "https://app.example@evil.example", "localhost", false, 403, false},
		{"a file", "file://", "localhost", false, 403, false},
		{"own host, no web scheme", "gopher://localhost", "localhost", false, 403, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, on := range []string{"POST /rpc", "GET /openrpc", "DELETE /mcp", "OPTIONS /rpc"} {
				method, path, _ := cut(on)
				r := onLoopback(request(method, path, "", "Host: "+c.host))
				r.Header["Origin"] = []string{c.origin}
				if c.tls {
					r.TLS = new(tls.ConnectionState)
				}
				w := serve(engine, r)
				want := c.want
				if want == 200 && method == "OPTIONS" {
					want = 204
				}
				if w.Code != want {
					t.Errorf("%s: %d, want %d", on, w.Code, want)
				}
				crossed := ""
				if c.crossed {
					crossed = c.origin
				}
				if got := w.Header().Get("Access-Control-Allow-Origin"); got != crossed {
					t.Errorf("%s: Access-Control-Allow-Origin %q, want %q", on, got, crossed)
				}
				if got := w.Header().Get("Access-Control-Allow-Credentials"); got != "" {
					t.Errorf("%s: Access-Control-Allow-Credentials %q", on, got)
				}
			}
		})
	}
	t.Run("behind a proxy", func(t *testing.T) { // without PublicURL the scheme is not known
		engine := mounted(t, guard0(), calls)
		for origin, want := range map[string]int{"https://shop.example": 200, "http://shop.example": 200, "gopher://shop.example": 403} {
			if w := serve(engine, request("POST", "/rpc", "{}", "Host: shop.example", "Origin: "+origin)); w.Code != want {
				t.Errorf("%s: %d, want %d", origin, w.Code, want)
			}
		}
	})
	t.Run("absent", func(t *testing.T) {
		if w := serve(engine, request("POST", "/rpc", "{}", "Host: localhost")); w.Code != 200 {
			t.Errorf("%d", w.Code)
		}
	})
	t.Run("two", func(t *testing.T) {
		r := request("POST", "/rpc", "{}", "Host: localhost", "Origin: https://app.example", "Origin: https://app.example")
		if w := serve(engine, r); w.Code != 403 {
			t.Errorf("%d", w.Code)
		}
	})
}

// The name that was admitted last is remembered; no other gets in by that.
func TestHostAfterAnother(t *testing.T) {
	engine := mounted(t, guard0(), calls)
	for _, c := range []struct {
		host string
		want int
	}{{"localhost:8080", 200}, {"localhost:8080", 200}, {"evil.com", 403}, {"LOCALHOST", 200}, {"evil.com", 403}, {"localhost:8080", 200}} {
		if w := serve(engine, onLoopback(request(http.MethodPost, "/rpc", "{}", "Host: "+c.host))); w.Code != c.want {
			t.Errorf("Host %q: %d, want %d", c.host, w.Code, c.want)
		}
	}
}
