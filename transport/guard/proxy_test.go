package guard_test

import (
	"crypto/tls"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/facet-rpc/facet/transport/guard"
)

// proxied is an open policy behind two proxies.
func proxied() guard.Policy {
	return guard.Policy{Open: true, Proxies: []string{"10.0.0.0/8", "127.0.0.1", "2001:db8:ffff::/48", "::ffff:192.0.2.99"}}
}

// from is r as it comes from an address, with headers.
func from(addr string, r *http.Request) *http.Request {
	r.RemoteAddr = addr
	return r
}

// R-S04: who has no ID is known by the address that trusted proxies name. Each
// row has a burst of one call that the client 198.51.100.7 has spent already,
// so 429 says that it was taken for that client.
func TestAddressBehindProxies(t *testing.T) {
	const spent, other = 429, 200
	for _, c := range []struct {
		name, addr string
		headers    []string
		want       int
	}{
		{"named by a proxy", "10.0.0.1:1", []string{"X-Forwarded-For: 198.51.100.7"}, spent},
		{"with a port", "10.0.0.1:1", []string{"X-Forwarded-For: 198.51.100.7:4711"}, spent},
		{"in IPv6 notation", "10.0.0.1:1", []string{"X-Forwarded-For: ::ffff:198.51.100.7"}, spent},
		{"through two proxies", "10.0.0.1:1", []string{"X-Forwarded-For: 198.51.100.7, 10.0.0.2"}, spent},
		{"over two lines", "10.0.0.1:1", []string{"X-Forwarded-For: 198.51.100.7", "X-Forwarded-For: 10.0.0.2"}, spent},
		{"a proxy on IPv6", "[2001:db8:ffff::1]:1", []string{"X-Forwarded-For: 198.51.100.7"}, spent},
		{"a proxy in IPv6 notation", "[::ffff:10.0.0.1]:1", []string{"X-Forwarded-For: 198.51.100.7"}, spent},
		{"a proxy given in IPv6 notation", "192.0.2.99:1", []string{"X-Forwarded-For: 198.51.100.7"}, spent},
		{"Forwarded", "10.0.0.1:1", []string{"Forwarded: for=198.51.100.7"}, spent},
		{"Forwarded, quoted, with a port", "10.0.0.1:1", []string{`Forwarded: proto=https;For="198.51.100.7:80";by=10.0.0.1`}, spent},
		{"Forwarded through two", "10.0.0.1:1", []string{`Forwarded: for=198.51.100.7 , for="10.0.0.2"`}, spent},
		{"both, the same", "10.0.0.1:1", []string{"X-Forwarded-For: 198.51.100.7", "Forwarded: for=198.51.100.7"}, spent},
		{"both, one is junk", "10.0.0.1:1", []string{"X-Forwarded-For: 198.51.100.7", "Forwarded: for="}, spent},
		{"the last that is no proxy", "10.0.0.1:1", []string{"X-Forwarded-For: 203.0.113.1, 198.51.100.7"}, spent},

		{"who is no proxy says nothing", "192.0.2.1:1", []string{"X-Forwarded-For: 198.51.100.7", "Forwarded: for=198.51.100.7"}, other},
		{"a client's own entry is before the proxy's", "10.0.0.1:1", []string{"X-Forwarded-For: 198.51.100.7, 203.0.113.1"}, other},
		{"a client's own entry, Forwarded", "10.0.0.1:1", []string{"Forwarded: for=198.51.100.7, for=203.0.113.1"}, other},
		{"both, different: one is the client's", "10.0.0.1:1", []string{"X-Forwarded-For: 198.51.100.7", "Forwarded: for=203.0.113.1"}, other},
		{"junk behind it", "10.0.0.1:1", []string{"X-Forwarded-For: 198.51.100.7, unknown"}, other},
		{"a zone", "10.0.0.1:1", []string{"X-Forwarded-For: ::ffff:198.51.100.7%eth0"}, other},
		{"empty behind it", "10.0.0.1:1", []string{"X-Forwarded-For: 198.51.100.7,"}, other},
		{"a quote without end", "10.0.0.1:1", []string{`Forwarded: for="198.51.100.7`}, other},
		{"twice in one element", "10.0.0.1:1", []string{"Forwarded: for=198.51.100.7;for=198.51.100.7"}, other},
		{"too long", "10.0.0.1:1", []string{"X-Forwarded-For: " + strings.Repeat("x,", 3000) + "198.51.100.7"}, other},
		{"a unix socket", "@", []string{"X-Forwarded-For: 198.51.100.7"}, other},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				policy := proxied()
				policy.Rate = guard.Rate{PerSecond: 0.01, Burst: 1}
				engine := mounted(t, policy, batches)
				serve(engine, from("198.51.100.7:1", request("POST", "/rpc", "{}")))
				r := from(c.addr, request("POST", "/rpc", "{}", c.headers...))
				if w := serve(engine, r); w.Code != c.want {
					t.Errorf("%d, want %d", w.Code, c.want)
				}
			})
		})
	}
}

// R-S03, case F01: the host that a trusted proxy forwards is held to the rules
// of the Host header, which is not looked at then; but on loopback, where a
// page may have written the header itself, it must fit too.
func TestHostBehindProxies(t *testing.T) {
	listed, public := proxied(), proxied()
	listed.Hosts = []string{"shop.example"}
	public.PublicURL = "https://shop.example"
	const shop, evil = "X-Forwarded-Host: shop.example", "X-Forwarded-Host: evil.com"
	for _, c := range []struct {
		name     string
		policy   guard.Policy
		host     string
		header   string
		addr     string
		loopback bool
		want     int
	}{
		{"listed", listed, "backend:80", shop, "10.0.0.1:1", false, 200},
		{"listed, Forwarded", listed, "backend:80", `Forwarded: for=192.0.2.1;host="shop.example:443"`, "10.0.0.1:1", false, 200},
		{"not listed", listed, "shop.example", evil, "10.0.0.1:1", false, 403},
		{"not from a proxy", listed, "backend:80", shop, "192.0.2.1:1", false, 403},
		{"not from a proxy, ignored", listed, "shop.example", evil, "192.0.2.1:1", false, 200},
		{"junk is ignored", listed, "shop.example", "X-Forwarded-Host: a b", "10.0.0.1:1", false, 200},
		{"through two", listed, "backend:80", "X-Forwarded-Host: evil.com, shop.example", "10.0.0.1:1", false, 200},
		{"on loopback", public, "127.0.0.1:8080", shop, "127.0.0.1:1", true, 200},
		{"on loopback, both", public, "shop.example", shop, "127.0.0.1:1", true, 200},
		{"on loopback, rebound", public, "evil.com", shop, "127.0.0.1:1", true, 403},
		{"on loopback, rebound, to loopback", proxied(), "evil.com", "X-Forwarded-Host: localhost", "127.0.0.1:1", true, 403},
		{"on loopback, foreign", public, "localhost", evil, "127.0.0.1:1", true, 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			engine := mounted(t, c.policy, calls)
			r := from(c.addr, request("POST", "/rpc", "{}", "Host: "+c.host, c.header))
			if c.loopback {
				r = onLoopback(r)
			}
			if w := serve(engine, r); w.Code != c.want {
				t.Errorf("%d, want %d", w.Code, c.want)
			}
		})
	}
}

// R-S03, case F02: behind a trusted proxy a page's own origin is the host and
// the scheme that it forwards.
func TestOriginBehindProxies(t *testing.T) {
	engine := mounted(t, proxied(), calls)
	for _, c := range []struct {
		origin string
		header []string
		addr   string
		want   int
	}{
		{"https://shop.example", []string{"X-Forwarded-Proto: https", "X-Forwarded-Host: shop.example"}, "10.0.0.1:1", 200},
		{"http://shop.example", []string{"X-Forwarded-Proto: https", "X-Forwarded-Host: shop.example"}, "10.0.0.1:1", 403},
		{"https://backend", []string{"X-Forwarded-Proto: https", "X-Forwarded-Host: shop.example"}, "10.0.0.1:1", 403},
		{"https://backend", []string{"X-Forwarded-Proto: https"}, "10.0.0.1:1", 200},
		{"http://backend", []string{"X-Forwarded-Proto: https"}, "10.0.0.1:1", 403},
		{"http://backend", []string{"X-Forwarded-Proto: https"}, "192.0.2.1:1", 200}, // nobody knows
		{"https://shop.example", []string{"X-Forwarded-Host: shop.example"}, "192.0.2.1:1", 403},
	} {
		r := from(c.addr, request("POST", "/rpc", "{}", append(c.header, "Host: backend", "Origin: "+c.origin)...))
		if w := serve(engine, r); w.Code != c.want {
			t.Errorf("%s %q from %s: %d, want %d", c.origin, c.header, c.addr, w.Code, c.want)
		}
	}
}

// The public URL is that of the policy, else what trusted proxies say, else
// what the request addressed.
func TestPublicURLBehindProxies(t *testing.T) {
	var site *guard.Site
	told := edgeFunc(func(s *guard.Site) ([]guard.Route, error) { site = s; return calls.Routes(s) })
	mounted(t, proxied(), told)
	shop := []string{"X-Forwarded-Proto: https", "X-Forwarded-Host: shop.example"}
	for _, c := range []struct {
		addr    string
		headers []string
		tls     bool
		want    string
	}{
		{"10.0.0.1:1", shop, false, "https://shop.example"},
		{"10.0.0.1:1", []string{`Forwarded: for=192.0.2.1;proto=https;host="shop.example:444"`}, false, "https://shop.example:444"},
		{"10.0.0.1:1", []string{"X-Forwarded-For: 192.0.2.1, 10.0.0.2", "X-Forwarded-Proto: https, http", "X-Forwarded-Host: shop.example, inner"}, false, "https://shop.example"},
		{"10.0.0.1:1", []string{"X-Forwarded-For: 192.0.2.1, 10.0.0.2", "X-Forwarded-Proto: https"}, false, "https://backend"},
		{"10.0.0.1:1", []string{"X-Forwarded-Proto: http, https"}, false, "https://backend"},
		{"10.0.0.1:1", []string{"X-Forwarded-Proto: gopher", "X-Forwarded-Host: a/b"}, false, "http://backend"},
		{"10.0.0.1:1", []string{"X-Forwarded-Proto: https", "Forwarded: proto=http"}, false, "http://backend"}, // contradictory
		{"10.0.0.1:1", []string{"X-Forwarded-Proto: http"}, true, "http://backend"},
		{"192.0.2.1:1", shop, false, "http://backend"},
		{"192.0.2.1:1", nil, true, "https://backend"},
	} {
		r := from(c.addr, request("GET", "/rpc", "", append(c.headers, "Host: backend")...))
		if c.tls {
			r.TLS = new(tls.ConnectionState)
		}
		if got := site.PublicURL(r); got != c.want {
			t.Errorf("%q from %s: %s, want %s", c.headers, c.addr, got, c.want)
		}
	}
	policy := proxied()
	policy.PublicURL = "https://public.example/"
	mounted(t, policy, told)
	if got := site.PublicURL(from("10.0.0.1:1", request("GET", "/rpc", "", shop...))); got != "https://public.example" {
		t.Errorf("PublicURL: %s", got)
	}
	if got := site.PublicURL(nil); got != "https://public.example" {
		t.Errorf("PublicURL without a request: %s", got)
	}
}

func TestProxyFaults(t *testing.T) {
	for s, want := range map[string]string{
		"shop.example": "write an address or a network", "10.0.0.0/33": "write an address or a network", "": "write an address or a network",
		"fe80::1%eth0": "write an address or a network", "::ffff:10.0.0.0/104": "write an address or a network",
		"0.0.0.0/0": "which is everybody", "::/0": "which is everybody",
	} {
		if err := mountError(t, guard.Policy{Open: true, Proxies: []string{"10.0.0.1", s}}, calls); !strings.Contains(err, "Proxies[1]") || !strings.Contains(err, want) {
			t.Errorf("%q: %s", s, err)
		}
	}
}
