package guard_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
)

// switched is a policy whose endpoints can be turned off.
func switched(p guard.Policy) (guard.Policy, func(off ...string)) {
	var names atomic.Pointer[[]string]
	p.Available = func(e *rpc.Endpoint) bool {
		list := names.Load()
		return list == nil || !slices.Contains(*list, nameOf(e))
	}
	return p, func(off ...string) { names.Store(&off) }
}

func nameOf(e *rpc.Endpoint) string { return e.Group + ".v" + string(rune('0'+e.Version)) }

var everyMethod = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "TRACE", "OPTIONS"}

// R-S05, R-M15: what is not available is answered as what never was, byte for
// byte and header for header, on every edge, with every HTTP method and with
// any token; and the work is of the same class.
func TestUnavailableIsMissing(t *testing.T) {
	policy := twoTokens()
	policy.Available = func(e *rpc.Endpoint) bool { return e.Version != 2 }
	policy.Origins = []string{"https://app.example"}
	var doors []string
	policy.OnRefuse = func(door string, _ int, _ string) { doors = append(doors, door) }
	engine := mounted(t, policy, calls, pages, sessions, ui)
	for _, path := range []string{"/rpc", "/openrpc", "/mcp"} {
		for _, method := range everyMethod {
			for _, headers := range [][]string{
				nil, {asAll}, {"RPC-Token: wrong"}, {"Host: evil.example"}, {"Origin: https://evil.example"}, {"Origin: https://app.example", asAll},
				{"Origin: https://app.example", "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: mcp-param-a"},
				{asAll, "Content-Type: text/plain"},
			} {
				doors = doors[:0]
				off := serve(engine, request(method, path+"/v2", "{}", headers...))
				never := serve(engine, request(method, path+"/v3", "{}", headers...))
				same(t, method+" "+path, off, never)
				if len(doors) > 0 && (len(doors) != 2 || doors[0] != doors[1]) {
					t.Errorf("%s %s: counted for %q", method, path, doors)
				}
			}
		}
		off := work(func() { serve(engine, request("POST", path+"/v2", "{}", asAll)) })
		never := work(func() { serve(engine, request("POST", path+"/v3", "{}", asAll)) })
		if off > never+1 || off < never-1 {
			t.Errorf("%s: %v allocations for what is off, %v for what never was", path, off, never)
		}
	}
}

// work is how many allocations f makes, give or take one: pools lose things
// when the garbage is collected. Under the race detector it is not counted.
func work(f func()) float64 {
	if raceEnabled {
		return 0
	}
	least := testing.AllocsPerRun(20, f)
	for range 4 {
		least = min(least, testing.AllocsPerRun(20, f))
	}
	return least
}

// same holds two answers against each other.
func same(t *testing.T, what string, a, b *httptest.ResponseRecorder) {
	t.Helper()
	if a.Code != b.Code || a.Body.String() != b.Body.String() {
		t.Errorf("%s differs:\n%d %s\n%d %s", what, a.Code, a.Body, b.Code, b.Body)
	}
	if len(a.Header()) != len(b.Header()) {
		t.Errorf("%s: headers %v and %v", what, a.Header(), b.Header())
	}
	for name, values := range a.Header() {
		if !slices.Equal(values, b.Header()[name]) {
			t.Errorf("%s: %s %q and %q", what, name, values, b.Header()[name])
		}
	}
}

// R-S05, R-M15: an endpoint is turned off and on while the program runs, with
// its documents, and Site.Path knows.
func TestAvailability(t *testing.T) {
	var site *guard.Site
	keep := edgeFunc(func(s *guard.Site) ([]guard.Route, error) { site = s; return calls.Routes(s) })
	metadata := with(ui, func(r *guard.Route) { r.Path, r.Edge, r.Always = "/.well-known/x", "oauth", true })
	policy, turn := switched(guard0())
	engine := mounted(t, policy, keep, pages, sessions, ui, metadata)
	for _, c := range []struct {
		off                                     []string
		rpc, rpc2, openrpc, openrpc2, page, mcp int
		path                                    string
	}{
		{nil, 200, 200, 200, 200, 200, 200, "/rpc"},
		{[]string{"default.v1"}, 404, 200, 404, 200, 200, 200, ""},
		{[]string{"default.v2"}, 200, 404, 200, 404, 200, 200, "/rpc"},
		{[]string{"default.v1", "default.v2", "default.v4"}, 404, 404, 404, 404, 404, 200, ""},
		{[]string{"internal.v1"}, 200, 200, 200, 200, 200, 404, "/rpc"},
		{nil, 200, 200, 200, 200, 200, 200, "/rpc"},
	} {
		turn(c.off...)
		for on, want := range map[string]int{
			"POST /rpc": c.rpc, "POST /rpc/v2": c.rpc2, "GET /openrpc": c.openrpc, "GET /openrpc/v2": c.openrpc2,
			"GET /openrpc/ui": c.page, "POST /mcp": c.mcp, "GET /.well-known/x": 200,
		} {
			method, path, _ := cut(on)
			if w := serve(engine, request(method, path, "")); w.Code != want {
				t.Errorf("without %v: %s: %d, want %d", c.off, on, w.Code, want)
			}
		}
		if got := site.Path("rpc", rpc.DefaultGroup, 1); got != c.path {
			t.Errorf("without %v: Path %q, want %q", c.off, got, c.path)
		}
	}
	turn("default.v1", "default.v4")
	w := serve(engine, request("POST", "/rpc/v9", ""))
	if want := `"There is no such version here; served: v2."`; !contains(w, want) {
		t.Errorf("%s, want %s", w.Body, want)
	}
	turn("default.v1", "default.v2", "default.v4")
	if w := serve(engine, request("POST", "/rpc", "")); !contains(w, `"There is no such version here."`) {
		t.Errorf("%s", w.Body)
	}
}

type edgeFunc func(*guard.Site) ([]guard.Route, error)

func (f edgeFunc) Routes(s *guard.Site) ([]guard.Route, error) { return f(s) }

// R-S05, R-M15: one access policy for calls, documents and lists of all edges;
// it comes behind the token and its groups, and before the rate.
func TestAllow(t *testing.T) {
	policy := twoTokens()
	policy.Rate = guard.Rate{PerSecond: 0.001, Burst: 4}
	asked := 0
	policy.Allow = func(c *rpc.Caller, e *rpc.Endpoint) bool {
		asked++
		return c.ID != "default" || nameOf(e) == "default.v2"
	}
	engine := mounted(t, policy, calls, pages, sessions, ui)
	const wrong = "RPC-Token: wrong"
	for _, c := range []struct {
		on, token string
		want      answer
		asked     int
	}{
		{"POST /rpc/v9", asDefault, answer{404, -32601, ""}, 0},
		{"PUT /rpc", asDefault, answer{405, -32600, ""}, 0},
		{"POST /rpc", wrong, answer{403, -32403, ""}, 0},
		{"POST /mcp", asDefault, answer{403, -32403, ""}, 0}, // of another group
		{"POST /rpc", asDefault, answer{403, -32403, ""}, 1},
		{"GET /openrpc", asDefault, answer{403, -32403, ""}, 1},
		{"GET /openrpc/v4", asDefault, answer{403, -32403, ""}, 1},
		{"POST /rpc/v2", asDefault, answer{200, 0, ""}, 1},
		{"GET /openrpc/v2", asDefault, answer{200, 0, ""}, 1},
		{"GET /openrpc/ui", asDefault, answer{200, 0, ""}, 0}, // public
		{"POST /rpc/v2", asDefault, answer{200, 0, ""}, 1},
		{"POST /rpc/v2", asDefault, answer{429, -32429, ""}, 1}, // refusals before were not paid for
		{"POST /rpc", asDefault, answer{403, -32403, ""}, 1},    // and come before the rate
		{"POST /mcp/v2", asAll, answer{200, 0, ""}, 1},
	} {
		asked = 0
		method, path, _ := cut(c.on)
		check(t, serve(engine, request(method, path, "{}", c.token)), c.want)
		if asked != c.asked || t.Failed() {
			t.Fatalf("%s %s: asked %d times, want %d", c.on, c.token, asked, c.asked)
		}
	}

	// A page of all versions is for who may use one of them.
	policy.Documents, policy.Rate = guard.ByToken, guard.Rate{}
	policy.Tokens = append(policy.Tokens, guard.Token{Secret: "other", Caller: rpc.Caller{ID: "other"}})
	policy.Allow = func(c *rpc.Caller, e *rpc.Endpoint) bool { return c.ID == "default" && e.Version == 4 }
	engine = mounted(t, policy, ui)
	check(t, serve(engine, request("GET", "/openrpc/ui", "", asDefault)), answer{200, 0, ""})
	check(t, serve(engine, request("GET", "/openrpc/ui", "", "RPC-Token: other")), answer{403, -32403, ""})
}

// With Open it is everybody whom the access policy is asked about.
func TestAllowOfOpen(t *testing.T) {
	policy := guard.Policy{Open: true, Allow: func(c *rpc.Caller, e *rpc.Endpoint) bool { return c.ID == "" && e.Version == 1 }}
	engine := mounted(t, policy, calls)
	check(t, serve(engine, request(http.MethodPost, "/rpc", "{}")), answer{200, 0, ""})
	check(t, serve(engine, request(http.MethodPost, "/rpc/v2", "{}")), answer{403, -32403, ""})
}
