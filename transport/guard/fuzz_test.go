package guard_test

import (
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/transport/guard"
)

// FuzzAuthorization: whatever the headers hold, only a configured secret is
// let in, and only as what it stands for.
func FuzzAuthorization(f *testing.F) {
	engine := mounted(f, twoTokens(), calls)
	for _, s := range []string{"", "Bearer all-secret", "bearer  default-secret", "Bearer ", "Basic x", "all-secret", "Bearer all-secret\x00", "BearerX all-secret", "Bearer\tall-secret"} {
		f.Add(s, "")
		f.Add("", s)
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, authorization, header string) {
		r := request("POST", "/rpc", "{}")
		if authorization != "" {
			r.Header["Authorization"] = []string{authorization}
		}
		if header != "" {
			r.Header[http.CanonicalHeaderKey("RPC-Token")] = []string{header}
		}
		w := serve(engine, r)
		switch w.Code {
		case 200:
			secret := map[string]string{"all": "all-secret", "default": "default-secret"}[w.Header().Get("Served-To")]
			carried := strings.TrimSpace(header) == secret ||
				len(authorization) > 7 && strings.EqualFold(authorization[:7], "bearer ") && strings.TrimSpace(authorization[7:]) == secret
			if secret == "" || !carried {
				t.Errorf("admitted %q %q as %q", authorization, header, w.Header().Get("Served-To"))
			}
		case 401, 403:
		default:
			t.Errorf("%d for %q %q", w.Code, authorization, header)
		}
	})
}

// FuzzHost: on a loopback listener only this machine's names are let in, and
// only their own pages; judged by net and net/url, not by our own reader.
func FuzzHost(f *testing.F) {
	engine := mounted(f, guard.Policy{Open: true, Origins: []string{"https://app.example"}}, calls)
	for _, s := range []string{"localhost", "LOCALHOST:8080", "127.0.0.1:80", "[::1]:1", "evil.com", "127.0.0.1.evil.com", "[::1", "localhost:80@evil.com", "[::ffff:7f00:1]", "127.1", ""} {
		f.Add(s, "")
		f.Add(s, "http://"+s)
		f.Add(s, "https://app.example")
		f.Add(s, "null")
	}
	f.Fuzz(func(t *testing.T, host, origin string) {
		r := onLoopback(request("POST", "/rpc", "{}"))
		r.Host = host
		if origin != "" {
			r.Header["Origin"] = []string{origin}
		}
		w := serve(engine, r)
		if w.Code == 403 {
			return
		}
		if w.Code != 200 {
			t.Fatalf("%d for %q %q", w.Code, host, origin)
		}
		u, err := url.Parse("http://" + host)
		if err != nil || u.Host != host || !local(u.Hostname()) {
			t.Errorf("admitted the host %q", host)
		}
		if origin == "" || strings.EqualFold(origin, "https://app.example") || strings.EqualFold(origin, "https://app.example:443") {
			return
		}
		o, err := url.Parse(origin)
		if err != nil || !strings.EqualFold(o.Hostname(), u.Hostname()) || o.Path != "" || o.RawQuery != "" {
			t.Errorf("admitted the origin %q at %q", origin, host)
		}
	})
}

func local(name string) bool {
	ip := net.ParseIP(name)
	return strings.EqualFold(name, "localhost") || ip != nil && ip.IsLoopback()
}

// FuzzOrigin: of a program that is not on loopback only the listed origins,
// PublicURL's and the Host's own are let in, judged by net/url; the answer
// names an origin only as the request wrote it, and never with credentials.
func FuzzOrigin(f *testing.F) {
	policy := guard.Policy{Open: true, PublicURL: "https://shop.example", Origins: []string{"https://app.example", "http://dev.example:3000"}}
	engine := mounted(f, policy, calls)
	for _, s := range []string{"https://app.example", "https://APP.example:443", "http://dev.example:3000", "http://dev.example", "null", "", "https://shop.example", "http://shop.example", "http://own.example:8080", "https://own.example:8080", "https://app.example@evil.example", "https://app.example/", "https://app.example\x00", "https://[::1]"} {
		f.Add(s, "POST")
		f.Add(s, "OPTIONS")
	}
	f.Fuzz(func(t *testing.T, origin, method string) {
		r := request("POST", "/rpc", "{}", "Host: own.example:8080")
		r.Header["Origin"] = []string{origin}
		if method == "OPTIONS" {
			r.Method = method
			r.Header["Access-Control-Request-Method"] = []string{"POST"}
			r.Header["Access-Control-Request-Headers"] = []string{origin}
		}
		w := serve(engine, r)
		if got := w.Header().Get("Access-Control-Allow-Credentials"); got != "" {
			t.Errorf("credentials: %q", got)
		}
		if w.Code == 403 {
			if got := w.Header().Get("Access-Control-Allow-Origin"); got != "" {
				t.Errorf("refused and allowed: %q", got)
			}
			return
		}
		if w.Code != 200 && w.Code != 204 {
			t.Fatalf("%d for %q", w.Code, origin)
		}
		if got := w.Header().Get("Access-Control-Allow-Origin"); got != "" && got != origin {
			t.Errorf("%q is named for %q", got, origin)
		}
		u, err := url.Parse(origin)
		if err != nil || u.Path != "" || u.RawQuery != "" || u.User != nil || u.Fragment != "" || !welcome[strings.ToLower(u.Scheme)+"://"+withPort(u)] {
			t.Errorf("admitted %q", origin)
		}
	})
}

var welcome = map[string]bool{
	"https://app.example:443": true, "http://dev.example:3000": true, "https://shop.example:443": true,
	"http://own.example:8080": true, "https://own.example:8080": true,
}

// withPort is the authority with the port of the scheme when none is written.
func withPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
	}
	return strings.ToLower(u.Hostname()) + ":" + port
}
