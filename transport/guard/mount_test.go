package guard_test

import (
	"context"
	stderrors "errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/gin-gonic/gin"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// mountError is the text of a Mount that must fail and register nothing.
func mountError(t *testing.T, policy guard.Policy, edges ...guard.Edge) string {
	t.Helper()
	engine := gin.New()
	err := guard.Mount(engine, executor(t), policy, edges...)
	if err == nil {
		t.Fatal("mounted")
	}
	if n := len(engine.Routes()); n > 0 {
		t.Errorf("%d routes are registered after %v", n, err)
	}
	return err.Error()
}

// with is an edge with a changed route.
func with(e edge, change func(*guard.Route)) edge {
	change(&e.route)
	return e
}

// R-S01, R-S02, case F07 (tadata-org/fastapi_mcp#324): what cannot be right is
// refused, and the text says how to mend it.
func TestMountFaults(t *testing.T) {
	one := guard.Policy{Tokens: []guard.Token{{Secret: "s3cret"}}}
	token := func(secrets ...string) guard.Policy {
		var p guard.Policy
		for i, s := range secrets {
			p.Tokens = append(p.Tokens, guard.Token{Secret: s, Caller: rpc.Caller{ID: fmt.Sprint(i)}})
		}
		return p
	}
	verifier := guard.Verifier(nil)
	for _, c := range []struct {
		name   string
		policy guard.Policy
		edges  []guard.Edge
		want   string
	}{
		{"zero policy", guard.Policy{}, nil, "guard: the policy lets nobody in; give Tokens, a TokenSource or a Verifier, or say Open: true if everybody may call"},
		{"a nil Verifier", guard.Policy{Verifier: verifier}, nil, "lets nobody in"},
		{"empty list of tokens", guard.Policy{Tokens: []guard.Token{}}, nil, "lets nobody in"},
		{"open with tokens", guard.Policy{Open: true, Tokens: one.Tokens}, nil, "guard: the policy has Tokens and Open; keep one of them"},
		{"open with documents by token", guard.Policy{Open: true, Documents: guard.ByToken}, nil, "Documents is ByToken, but an Open policy has no tokens"},
		{"unknown access", guard.Policy{Open: true, Documents: 7}, nil, "Documents is 7; it is ByRoute, ForAll or ByToken"},
		{"empty secret", token(""), nil, "guard: Tokens[0].Secret is empty; was its environment variable set?"},
		{"blank secret", token("ok", " \t"), nil, "Tokens[1].Secret is empty"},
		{"secret with a space", token("s3cret s3cret"), nil, "Tokens[0].Secret has a space"},
		{"secret twice", token("s3cret", "other", "s3cret"), nil, "guard: Tokens[2].Secret was given to another token already"},
		{"callers without ID", guard.Policy{Tokens: []guard.Token{{Secret: "s3cret"}, {Secret: "t"}}}, nil, "Tokens[0].Caller has no ID"},
		{"header", guard.Policy{Open: true, Header: "RPC Token"}, nil, `Header "RPC Token" is not a header's name`},
		{"header in use", guard.Policy{Open: true, Header: "authorization"}, nil, "Header is Authorization"},
		{"body limit", guard.Policy{Open: true, MaxBody: -1}, nil, "MaxBody is -1"},
		{"huge body limit", guard.Policy{Open: true, MaxBody: 1 << 62}, nil, "up to 2 GiB"},
		{"hosts", guard.Policy{Open: true, Hosts: []string{"https://shop.example"}}, nil, `Hosts[0] is "https://shop.example"; write a name`},
		{"host wildcard", guard.Policy{Open: true, Hosts: []string{"*.example"}}, nil, "Hosts[0]"},
		{"no hosts", guard.Policy{Open: true, Hosts: []string{}}, nil, "Hosts is an empty list"},
		{"public URL", guard.Policy{Open: true, PublicURL: "shop.example"}, nil, "PublicURL must be an http or https URL"},
		{"public URL with a password", guard.Policy{Open: true, PublicURL: "https://u:s3cret@shop.example"}, nil, "PublicURL must be"},
		{"public URL with a query", guard.Policy{Open: true, PublicURL: "https://shop.example?x=s3cret"}, nil, "PublicURL must be"},

		{"no edges", one, []guard.Edge{}, "there is no edge to mount"},
		{"a nil edge", one, []guard.Edge{calls, nil}, "edge 2 is nil"},
		{"unknown group", one, []guard.Edge{with(calls, func(r *guard.Route) { r.Group = "intrenal" })},
			`guard: /rpc serves the group "intrenal", in which no method is published: put the group into Groups of a service or method, or give the edge another Group; the groups are default, internal`},
		{"a group nobody may enter", one, []guard.Edge{sessions},
			`guard: /mcp serves the group "internal", which no token may enter; give a token Caller.Groups with "internal" or leave the edge out`},
		{"equal paths", one, []guard.Edge{calls, with(pages, func(r *guard.Route) { r.Path = "/rpc" })},
			"guard: the path /rpc is served twice; give one of the edges another Path"},
		{"equal names", one, []guard.Edge{calls, with(calls, func(r *guard.Route) { r.Path = "/other" })},
			"guard: /rpc and /other are both named rpc.default.v1; one edge of a kind serves a group"},
		{"a path that hides a version", one, []guard.Edge{with(pages, func(r *guard.Route) { r.Path = "/rpc/v2" }), calls},
			"guard: the path /rpc/v2 hides version v2 of /rpc; give the edge another Path"},
		{"path", one, []guard.Edge{with(calls, func(r *guard.Route) { r.Path = "rpc" })}, `the path "rpc" must be like /rpc`},
		{"path with a slash at the end", one, []guard.Edge{with(calls, func(r *guard.Route) { r.Path = "/rpc/" })}, "must be like /rpc"},
		{"path with a wildcard", one, []guard.Edge{with(calls, func(r *guard.Route) { r.Path = "/:x" })}, "must be like /rpc"},
		{"incomplete route", one, []guard.Edge{with(calls, func(r *guard.Route) { r.Methods = nil })}, "needs Edge, Methods and Handler"},
		{"no handler made", one, []guard.Edge{with(calls, func(r *guard.Route) {
			r.Handler = func(*guard.Door) guard.Handler { return nil }
		})}, "made no handler for rpc.default.v1"},
		{"an edge that is not right", one, []guard.Edge{edge{err: stderrors.New("Names collide")}}, "guard: guard_test.edge: Names collide"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.edges == nil {
				c.edges = []guard.Edge{calls}
			}
			text := mountError(t, c.policy, c.edges...)
			if !strings.Contains(text, c.want) {
				t.Errorf("%s\nwant %s", text, c.want)
			}
			if strings.Contains(text, "s3cret") {
				t.Errorf("a secret is told: %s", text)
			}
		})
	}
}

// All faults are told at once.
func TestMountTellsAll(t *testing.T) {
	text := mountError(t, guard.Policy{Open: true, Tokens: []guard.Token{{}}, MaxBody: -1, Origins: []string{"*"}, PublicURL: ":"})
	if n := strings.Count(text, "\n") + 1; n != 6 {
		t.Errorf("%d faults:\n%s", n, text)
	}
	text = mountError(t, guard.Policy{MaxBody: -1}, nil, edge{err: stderrors.New("Names collide")},
		with(sessions, func(r *guard.Route) { r.Path = "mcp" }),
		with(calls, func(r *guard.Route) { r.Group = "intrenal" }))
	for _, want := range []string{"lets nobody in", "MaxBody is -1", "edge 1 is nil", "Names collide", `the path "mcp"`, `"intrenal"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not told:\n%s", want, text)
		}
	}
	if n := strings.Count(text, "\n") + 1; n != 6 {
		t.Errorf("%d faults:\n%s", n, text)
	}
	twice := with(calls, func(r *guard.Route) { r.Group = "x" })
	if text := mountError(t, guard.Policy{Open: true}, twice, with(twice, func(r *guard.Route) { r.Below = "/job" })); strings.Contains(text, "\n") {
		t.Errorf("one fault is told twice:\n%s", text)
	}
	text = mountError(t, guard.Policy{Open: true}, with(calls, func(r *guard.Route) { r.Group = "x" }), with(pages, func(r *guard.Route) { r.Group = "y" }))
	if n := strings.Count(text, "\n") + 1; n != 2 {
		t.Errorf("%d faults:\n%s", n, text)
	}
}

// What looks near to a fault and is none.
func TestMountIsNotTooStrict(t *testing.T) {
	defaultOnly := guard.Policy{Tokens: []guard.Token{{Secret: "s3cret"}}}
	publicPage := with(ui, func(r *guard.Route) { r.Group = "internal" })
	mounted(t, defaultOnly, publicPage) // no token is for the group, and none is needed
	below := with(ui, func(r *guard.Route) { r.Path = "/openrpc/ui/v2" })
	mounted(t, defaultOnly, ui, below) // a page has no versions to hide
	verified := guard.Policy{Verifier: func(context.Context, string) (*rpc.Caller, error) { return nil, guard.ErrToken }}
	mounted(t, verified, sessions) // nobody knows whom a Verifier lets in
}

func TestMountNeedsRouterAndExecutor(t *testing.T) {
	err := guard.Mount(nil, nil, guard.Policy{Open: true}, calls)
	if err == nil || !strings.Contains(err.Error(), "the router is nil") || !strings.Contains(err.Error(), "the executor is nil") {
		t.Errorf("%v", err)
	}
}

// A router that panics does not end the program.
func TestRouterConflict(t *testing.T) {
	engine := gin.New()
	engine.GET("/rpc", func(*gin.Context) {})
	err := guard.Mount(engine, executor(t), guard.Policy{Open: true}, calls)
	if err == nil || !strings.Contains(err.Error(), "/rpc") || !strings.Contains(err.Error(), "is the path taken by a route of your own?") {
		t.Errorf("%v", err)
	}
}

// The engine's settings are the application's.
func TestEngineIsLeftAlone(t *testing.T) {
	engine, fresh := gin.New(), gin.New()
	if err := guard.Mount(engine, executor(t), guard.Policy{Open: true}, calls, pages, sessions, ui); err != nil {
		t.Fatal(err)
	}
	if engine.HandleMethodNotAllowed != fresh.HandleMethodNotAllowed || engine.RedirectTrailingSlash != fresh.RedirectTrailingSlash ||
		engine.RedirectFixedPath != fresh.RedirectFixedPath || engine.ForwardedByClientIP != fresh.ForwardedByClientIP ||
		engine.UseRawPath != fresh.UseRawPath || len(engine.Handlers) != 0 {
		t.Error("a setting was changed")
	}
}

// Two edges of a kind serve two groups; a group of gin gives a prefix.
func TestMountTwice(t *testing.T) {
	core, logs := observer.New(zap.InfoLevel)
	engine := gin.New()
	internal := with(calls, func(r *guard.Route) { r.Path, r.Group = "/rpc/internal", "internal" })
	err := guard.Mount(engine.Group("/api"), executorWith(t, zap.New(core)), guard.Policy{Open: true}, calls, internal, ui)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/api/rpc": "rpc.default.v1", "/api/rpc/v2": "rpc.default.v2",
		"/api/rpc/internal": "rpc.internal.v1", "/api/rpc/internal/v4": "rpc.internal.v4",
	} {
		check(t, serve(engine, request("POST", path, "{}")), answer{200, 0, "Served-By: " + want})
	}
	entries := logs.FilterMessage("mounted").All()
	if len(entries) != 1 {
		t.Fatalf("%d entries of what was mounted", len(entries))
	}
	listing := fmt.Sprint(entries[0].ContextMap()["endpoints"])
	for _, want := range []string{"rpc.default.v1 POST /api/rpc ", "rpc.internal.v4 POST /api/rpc/internal/v4", "openrpc.default GET,HEAD /api/openrpc/ui (public)"} {
		if !strings.Contains(listing, want) {
			t.Errorf("%s\nmisses %s", listing, want)
		}
	}
	if logs.FilterLevelExact(zap.WarnLevel).Len() != 1 {
		t.Error("an open policy is not warned of")
	}
}

// builtins is an edge that brings methods.
type builtins struct {
	edge
	names []string
}

func (b builtins) Builtins(*guard.Site) []rpc.Method {
	var list []rpc.Method
	for _, n := range b.names {
		list = append(list, rpc.Method{Name: n, Func: func() string { return "x" }})
	}
	return list
}

// looker looks at the site while it is mounted.
type looker struct {
	edge
	look func(*guard.Site)
}

func (l looker) Routes(s *guard.Site) ([]guard.Route, error) {
	l.look(s)
	return l.edge.Routes(s)
}

// R-C12: every edge sees the built-ins of all, ping among them.
func TestBuiltins(t *testing.T) {
	var names []string
	first := looker{calls, func(s *guard.Site) {
		for _, b := range s.Builtins() {
			names = append(names, b.Name())
		}
	}}
	other := with(pages, func(r *guard.Route) { r.Path, r.Group = "/openrpc/internal", "internal" })
	mounted(t, guard.Policy{Open: true}, first, builtins{pages, []string{"rpc.discover"}}, builtins{other, []string{"rpc.discover"}})
	if want := []string{"ping", "rpc.discover"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
	text := mountError(t, guard.Policy{Open: true}, calls, builtins{pages, []string{"ping"}})
	if !strings.Contains(text, "brings the built-in ping, which is there already") {
		t.Error(text)
	}
}

// Documents say where clients reach the program.
func TestPublicURL(t *testing.T) {
	for _, c := range []struct {
		policy guard.Policy
		r      *http.Request
		want   string
	}{
		{guard.Policy{Open: true, PublicURL: "https://shop.example/base/"}, request("GET", "/", ""), "https://shop.example/base/api"},
		{guard.Policy{Open: true, PublicURL: "https://shop.example"}, nil, "https://shop.example/api"},
		{guard.Policy{Open: true}, request("GET", "/", "", "Host: localhost:8080"), "http://localhost:8080/api"},
		{guard.Policy{Open: true}, request("GET", "https://shop.example/", ""), "https://shop.example/api"},
		{guard.Policy{Open: true}, nil, ""},
	} {
		got := "?"
		e := looker{calls, func(s *guard.Site) { got = s.PublicURL(c.r) }}
		if err := guard.Mount(gin.New().Group("/api"), executor(t), c.policy, e); err != nil {
			t.Fatal(err)
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// An edge asks where another serves a version.
func TestSitePath(t *testing.T) {
	var site *guard.Site
	mounted(t, guard.Policy{Open: true}, looker{calls, func(s *guard.Site) { site = s }}, sessions, ui)
	for _, c := range []struct {
		edge, group string
		version     int
		want        string
	}{
		{"rpc", rpc.DefaultGroup, 1, "/rpc"},
		{"rpc", rpc.DefaultGroup, 4, "/rpc/v4"},
		{"rpc", rpc.DefaultGroup, 3, ""},
		{"mcp", "internal", 2, "/mcp/v2"},
		{"mcp", rpc.DefaultGroup, 1, ""},
		{"openrpc", rpc.DefaultGroup, 1, ""}, // a page has no version
	} {
		if got := site.Path(c.edge, c.group, c.version); got != c.want {
			t.Errorf("%s %s %d: %q, want %q", c.edge, c.group, c.version, got, c.want)
		}
	}
}
