package guard

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// FuzzForwarded: whatever the headers hold, an address is only taken that is
// written in them, a scheme only http or https, a host only one that a URL
// takes as it is; and nothing from who is no proxy.
func FuzzForwarded(f *testing.F) {
	for _, s := range [][4]string{
		{"198.51.100.7", "https", "shop.example", ""},
		{"198.51.100.7, 10.0.0.2", "https, http", "shop.example, inner:80", ""},
		{"unknown, [2001:db8::1]:80", "HTTPS", "shop.example\"", `for=_hidden, for="[2001:db8::1]:80";proto=https;host="shop.example:443"`},
		{"", "", "", `for=198.51.100.7;by=10.0.0.1;proto=http;host=a.example, for=10.0.0.2`},
		{",,", "gopher", "a b", `for="198.51.100.7`},
		{"::ffff:198.51.100.7%eth0", "", "[::1]", `for="\198.51.100.7";;`},
		{strings.Repeat("1.1.1.1,", 600), "http", "a@b", "For=1.1.1.1;for=1.1.1.2"},
	} {
		f.Add(s[0], s[1], s[2], s[3])
	}
	trusted := proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:ffff::/48")}
	f.Fuzz(func(t *testing.T, xff, proto, host, forwarded string) {
		header := http.Header{}
		for name, value := range map[string]string{"X-Forwarded-For": xff, "X-Forwarded-Proto": proto, "X-Forwarded-Host": host, "Forwarded": forwarded} {
			if value != "" {
				header[name] = []string{value}
			}
		}
		r := &http.Request{Header: header, RemoteAddr: "192.0.2.1:1000", Host: "own.example"}
		if c := trusted.client(r); c != (client{addr: netip.MustParseAddr("192.0.2.1")}) {
			t.Errorf("a stranger is believed: %+v", c)
		}
		r.RemoteAddr = "10.0.0.1:1000"
		c := trusted.client(r)
		if c.addr != netip.MustParseAddr("10.0.0.1") && !written(c.addr, xff+","+forwarded) {
			t.Errorf("the address %v is in none of %q, %q", c.addr, xff, forwarded)
		}
		if c.addr.Zone() != "" || c.addr.Is4In6() {
			t.Errorf("the address %v is not plain", c.addr)
		}
		if c.scheme != "" && c.scheme != "http" && c.scheme != "https" {
			t.Errorf("the scheme %q", c.scheme)
		}
		if c.host == "" {
			return
		}
		u, err := url.Parse("https://" + c.host + "/rpc")
		if err != nil || u.Host != c.host || u.Path != "/rpc" || u.User != nil || strings.ContainsAny(c.host, "\"<>\\ ,;") {
			t.Errorf("the host %q: %v, %v", c.host, u, err)
		}
	})
}

// written reports whether the address stands in text, in any spelling.
func written(addr netip.Addr, text string) bool {
	text = strings.ReplaceAll(text, `\`, "")
	for _, part := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(`,;=" 	`, c) }) {
		at, err := netip.ParseAddrPort(part)
		if err == nil && at.Addr().Unmap() == addr {
			return true
		}
		one, err := netip.ParseAddr(strings.Trim(part, "[]"))
		if err == nil && one.Unmap() == addr {
			return true
		}
	}
	return false
}
