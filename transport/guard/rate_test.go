package guard_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/cache/rediscache"
	"github.com/facet-rpc/facet/transport/guard"
)

// batches is calls whose handler charges for the further members that the
// header Members asks for, as an edge does.
var batches = edge{route: calls.route, serve: func(w http.ResponseWriter, r *http.Request, v *guard.Visit) {
	n, _ := strconv.Atoi(r.Header.Get("Members"))
	if v.Charge(w, r, n-1) {
		guard.Answer(w, http.StatusOK, []byte(`"ran"`))
	}
}}

// limited is twoTokens with a rate.
func limited(perSecond float64, burst int) guard.Policy {
	p := twoTokens()
	p.Rate = guard.Rate{PerSecond: perSecond, Burst: burst}
	return p
}

const (
	asAll     = "RPC-Token: all-secret"
	asDefault = "RPC-Token: default-secret"
)

// step is a batch after some time.
type step struct {
	after   time.Duration
	token   string
	members int
	retry   string // Retry-After of 429; empty: 200; "-": 429 without
}

// R-S04, R-S05, R-C03, R-C06: each step is a request after some time; a batch
// is paid as a whole or not at all.
func TestRate(t *testing.T) {
	for _, c := range []struct {
		name  string
		rate  guard.Rate
		steps []step
	}{
		{"single calls", guard.Rate{PerSecond: 0.5, Burst: 2}, []step{
			{0, asAll, 1, ""}, {0, asAll, 1, ""}, {0, asAll, 1, "2"},
			{0, asDefault, 1, ""}, // a bucket of its own
			{1500 * time.Millisecond, asAll, 1, "1"},
			{500 * time.Millisecond, asAll, 1, ""}, {0, asAll, 1, "2"},
			{time.Hour, asAll, 1, ""}, {0, asAll, 1, ""}, {0, asAll, 1, "2"}, // never more than the burst
		}},
		{"batches", guard.Rate{PerSecond: 1, Burst: 5}, []step{
			{0, asAll, 5, ""}, {0, asAll, 1, "1"},
			{3 * time.Second, asAll, 4, "2"}, // 1 was paid at the door, 2 are left, 4 are needed the next time
			{0, asAll, 2, ""}, {0, asAll, 1, "1"},
			{time.Minute, asAll, 6, "-"}, // never
			{0, asAll, 4, ""},
		}},
		{"the burst is PerSecond, rounded up", guard.Rate{PerSecond: 2.5}, []step{{0, asAll, 3, ""}, {0, asAll, 1, "1"}}},
		{"no rate", guard.Rate{}, []step{{0, asAll, 100_000, ""}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				engine := mounted(t, limited(c.rate.PerSecond, c.rate.Burst), batches)
				for i, s := range c.steps {
					time.Sleep(s.after) // the bubble's clock
					w := serve(engine, request("POST", "/rpc", "{}", s.token, "Members: "+strconv.Itoa(s.members)))
					want := answer{429, -32429, "Retry-After: " + strings.TrimPrefix(s.retry, "-")}
					if s.retry == "" {
						want = answer{200, 0, "Retry-After: "}
					}
					check(t, w, want)
					if t.Failed() {
						t.Fatalf("step %d", i+1)
					}
				}
			})
		})
	}
}

// R-S04: without an ID it is the address that pays, and of IPv6 the network
// that one customer has.
func TestRateByAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := guard.Policy{Open: true, Rate: guard.Rate{PerSecond: 1}}
		engine := mounted(t, open, calls)
		for _, c := range []struct {
			addr string
			want int
		}{
			{"192.0.2.1:1000", 200}, {"192.0.2.1:2000", 429}, {"[::ffff:192.0.2.1]:1000", 429},
			{"192.0.2.2:1000", 200},
			{"[2001:db8::1]:1000", 200}, {"[2001:db8::ffff:2]:1000", 429}, {"[2001:db8:0:1::1]:1000", 200},
			{"[fe80::1%eth0]:1000", 200}, {"[fe80::2%eth1]:1000", 429},
			{"@", 200}, {"", 429},
		} {
			r := request("POST", "/rpc", "{}", "X-Forwarded-For: 198.51.100.7", "Forwarded: for=198.51.100.8")
			r.RemoteAddr = c.addr
			if w := serve(engine, r); w.Code != c.want {
				t.Errorf("%q: %d, want %d", c.addr, w.Code, c.want)
			}
		}
	})
}

// R-S04, R-S05: what is refused before is not charged, and the rate is told
// before the media type.
func TestRateInTheOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy := limited(1, 2)
		policy.Origins = []string{"https://app.example"}
		engine := mounted(t, policy, calls, sessions)
		for _, c := range []struct {
			method, path string
			headers      []string
			want         answer
		}{
			{"POST", "/mcp", []string{asDefault}, answer{403, -32403, ""}},
			{"PUT", "/rpc", []string{asDefault}, answer{405, -32600, ""}},
			{"OPTIONS", "/rpc", []string{asDefault}, answer{204, 0, ""}},
			{"POST", "/rpc", []string{asDefault, "Content-Type: text/plain"}, answer{415, -32600, ""}},
			{"POST", "/rpc/v2", []string{asDefault}, answer{200, 0, ""}}, // one bucket for all paths
			{"POST", "/rpc", []string{asDefault, "Content-Type: text/plain", "Origin: https://app.example"}, answer{429, -32429,
				"Access-Control-Expose-Headers: Mcp-Session-Id, Idempotency-Replayed, Content-Language, ETag, WWW-Authenticate, Retry-After"}},
		} {
			check(t, serve(engine, request(c.method, c.path, "{}", c.headers...)), c.want)
		}
	})
}

func TestLimitFaults(t *testing.T) {
	for _, c := range []struct {
		change func(*guard.Policy)
		want   string
	}{
		{func(p *guard.Policy) { p.Rate.Burst = 5 }, "Rate is 0 calls"},
		{func(p *guard.Policy) { p.Rate = guard.Rate{PerSecond: -1} }, "Rate is -1 calls"},
		{func(p *guard.Policy) { p.Rate = guard.Rate{PerSecond: 1, Burst: -1} }, "burst of -1"},
		{func(p *guard.Policy) { p.Rate = guard.Rate{PerSecond: 0.001, Burst: 1e6} }, "in 11574 days"},
		{func(p *guard.Policy) { p.Rate = guard.Rate{Shared: spent{}} }, "Rate is 0 calls"},
		{func(p *guard.Policy) { p.Rate = guard.Rate{PerSecond: 1, Shared: (*rediscache.Pool)(nil)} }, "Rate.Shared is a nil *rediscache.Pool"},
		{func(p *guard.Policy) { p.Concurrent = -1 }, "Concurrent is -1"},
	} {
		p := guard.Policy{Open: true}
		c.change(&p)
		err := guard.Mount(nil, executor(t), p, calls)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// BenchmarkRate is what the rate and the slots add to BenchmarkGuard's
// token/empty.
func BenchmarkRate(b *testing.B) {
	policy := limited(1e6, 1e6)
	policy.Concurrent = 10
	nothing := edge{route: calls.route, serve: func(http.ResponseWriter, *http.Request, *guard.Visit) {}}
	engine := mounted(b, policy, nothing)
	r := onLoopback(request("POST", "/rpc", "", "Host: 127.0.0.1:8080", "Authorization: Bearer default-secret"))
	w := &sink{http.Header{}}
	b.ReportAllocs()
	for b.Loop() {
		clear(w.header)
		engine.ServeHTTP(w, r)
	}
}
