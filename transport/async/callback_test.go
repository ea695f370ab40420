package async_test

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/transport/async"
)

// jobsFor are Jobs that may post to hosts.
func jobsFor(t testing.TB, w async.Webhooks) (*async.Jobs, error) {
	pool, err := cache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return async.New(async.Options{Records: pool, Webhooks: w})
}

// R-S06: which hosts a callback may name.
func TestHosts(t *testing.T) {
	for _, tt := range []struct{ host, callback string }{
		{"hooks.example", "https://hooks.example"},
		{"hooks.example", "https://HOOKS.example:443/a?b"},
		{"Hooks.Example:8443", "https://hooks.example:8443"},
		{"*.example", "https://a.example"},
		{"*.example", "https://a.b.example"},
		{"*.example:8443", "https://a.example:8443"},
		{"*", "https://a.b"},
		{"*:8443", "https://a.b:8443"},
		{"8.8.8.8", "https://8.8.8.8"},
		{"[2606:4700:0::1111]:8443", "https://[2606:4700::1111]:8443"},
		{"localhost", "https://localhost"},
		{"hooks.example", "!https://a.hooks.example"},
		{"hooks.example", "!https://hooks.example:8443"},
		{"hooks.example:8443", "!https://hooks.example"},
		{"*.example", "!https://example"},
		{"*.example", "!https://aexample"},
		{"*.example", "!https://a.example.net"},
		{"*.example", "!https://a.example:8443"},
		{"*", "!https://a.b:8443"},
		{"*", "!https://localhost"},
		{"*", "!https://8.8.8.8"},
		{"::ffff:8.8.8.8", "!https://[::ffff:8.8.8.8]"},
		{"*.8", "!https://8.8.8.8"},
	} {
		j, err := jobsFor(t, async.Webhooks{Hosts: []string{"other.example", tt.host}, Secrets: []string{secret}})
		if err != nil {
			if tt.host != "*.8" {
				t.Errorf("%s: %v", tt.host, err)
			}
			continue
		}
		callback, refused := strings.CutPrefix(tt.callback, "!")
		if problem := j.Permit(callback); (problem != "") != refused {
			t.Errorf("%s, %s: %q", tt.host, callback, problem)
		}
	}
}

// New tells all that is wrong with the options, and no secret.
func TestNewRefuses(t *testing.T) {
	_, err := async.New(async.Options{Keep: -1, Webhooks: async.Webhooks{Timeout: -1, Secrets: []string{"whsec_hush"}}})
	for _, want := range []string{"Records is nil", "Keep", "Hosts is empty", "secret 1", "Timeout"} {
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hush") {
			t.Errorf("got %v, want %s in it", err, want)
		}
	}
	for _, host := range []string{"", "*example", "a.*.b", "https://a.b", "a b", "127.1", "**", "*."} {
		if _, err := jobsFor(t, async.Webhooks{Hosts: []string{host}, Secrets: []string{secret}}); err == nil || !strings.Contains(err.Error(), "Hosts[0]") {
			t.Errorf("%q: %v", host, err)
		}
	}
	if _, err := jobsFor(t, async.Webhooks{Hosts: []string{"*"}, Secrets: []string{secret}, SecretsOf: func(string) []string { return nil }}); err == nil {
		t.Error("Secrets and SecretsOf")
	}
	if _, err := jobsFor(t, async.Webhooks{Hosts: []string{"*"}}); err == nil {
		t.Error("no secret")
	}
}

// Whatever is written as a callback: one that may be used has a host that
// other readers of URLs see too, and that is no address in disguise.
func FuzzCallback(f *testing.F) {
	for _, form := range forms {
		f.Add(form.url)
	}
	f.Add("https://a.hooks.example:443/p?q=%23")
	j, err := jobsFor(f, async.Webhooks{Hosts: []string{"*"}, Secrets: []string{secret}, Plain: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if j.Permit(text) != "" {
			return
		}
		u, err := url.Parse(text)
		if err != nil || u.User != nil || u.Fragment != "" || u.Scheme != "https" && u.Scheme != "http" {
			t.Fatalf("%q: %+v, %v", text, u, err)
		}
		host := u.Hostname()
		if _, err := netip.ParseAddr(host); err == nil || !strings.Contains(host, ".") || strings.HasSuffix(host, ".") {
			t.Errorf("%q has host %q", text, host)
		}
		// A reader who cuts at the first of these sees the same authority.
		rest := text[strings.Index(text, "://")+3:]
		if end := strings.IndexAny(rest, "/?#"); end >= 0 {
			rest = rest[:end]
		}
		if rest != u.Host || strings.ContainsAny(rest, "@\\%[]") {
			t.Errorf("%q: host %q, authority %q", text, u.Host, rest)
		}
	})
}
