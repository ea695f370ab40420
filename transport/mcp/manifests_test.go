package mcp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/facet-rpc/facet/transport/mcp/manifest"
	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// site is several MCP edges of one program.
func site(t testing.TB, policy guard.Policy, app rpc.App, edges ...guard.Edge) http.Handler {
	t.Helper()
	engine := gin.New()
	if err := mountSite(t, engine, policy, app, edges...); err != nil {
		t.Fatal(err)
	}
	return engine
}

func mountSite(t testing.TB, router gin.IRouter, policy guard.Policy, app rpc.App, edges ...guard.Edge) error {
	t.Helper()
	if app.Name == "" {
		app = rpc.App{Name: "tea.shop", Title: "Tea shop", Version: "1.4.0", Description: "Sells tea.", Website: "https://shop.example"}
	}
	registry, err := rpc.NewRegistry(app, rpc.Service{Name: "A", Groups: []string{"mcp", "internal"}, Methods: []rpc.Method{
		{Name: "b", Func: func() string { return "b" }}, {Name: "c", Since: 2, Func: func() string { return "c" }},
	}})
	if err != nil {
		t.Fatal(err)
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return guard.Mount(router, exec, policy, edges...)
}

func get(h http.Handler, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = "127.0.0.1:8080"
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

const secret = "s3cret-that-nobody-sees"

func withToken() guard.Policy {
	return guard.Policy{Tokens: []guard.Token{{Secret: secret, Caller: rpc.Caller{Groups: []string{rpc.AnyGroup}}}}}
}

var internal = mcp.Edge{Path: "/mcp/internal", Group: "internal"}

// R-M16, R-S01: manifests are public, hold no secret, and lead to their own
// endpoint with the profile of their client.
func TestServedManifests(t *testing.T) {
	h := site(t, withToken(), rpc.App{}, mcp.Edge{}, internal)
	for path, want := range map[string][]string{
		"/mcp/manifest/claude.json":               {`"tea-shop": {`, `"http://127.0.0.1:8080/mcp?profile=claude"`, `"Bearer ${TEA_SHOP_TOKEN}"`},
		"/mcp/manifest/claude-desktop.json":       {`"mcp-remote"`, `"http://127.0.0.1:8080/mcp?profile=claude"`, "YOUR_TEA_SHOP_TOKEN"},
		"/mcp/manifest/cursor.json":               {`/mcp?profile=strict"`, "${env:TEA_SHOP_TOKEN}"},
		"/mcp/manifest/vscode.json":               {`/mcp?profile=strict"`, `"servers"`, "${input:tea-shop-token}", "Token of Tea shop"},
		"/mcp/manifest/gemini.json":               {`"httpUrl": "http://127.0.0.1:8080/mcp?profile=gemini"`},
		"/mcp/manifest/openai.json":               {`"server_label": "tea-shop"`, `/mcp?profile=openai"`, `"server_description": "Sells tea."`},
		"/mcp/manifest/codex.toml":                {"[mcp_servers.tea-shop]\nurl = \"http://127.0.0.1:8080/mcp?profile=openai\"\nbearer_token_env_var = \"TEA_SHOP_TOKEN\"\n"},
		"/mcp/manifest/codex.json":                {"[mcp_servers.tea-shop]"},
		"/mcp/manifest/windsurf.json":             {`"serverUrl"`, `/mcp?profile=strict"`},
		"/mcp/manifest/zed.json":                  {`"context_servers"`, `/mcp?profile=strict"`},
		"/mcp/v2/manifest/claude.json":            {`"tea-shop-v2": {`, `/mcp/v2?profile=claude"`, "TEA_SHOP_TOKEN"},
		"/mcp/internal/manifest/claude.json":      {`"tea-shop-internal": {`, `/mcp/internal?profile=claude"`},
		"/mcp/internal/v2/manifest/windsurf.json": {`"tea-shop-internal-v2"`, `/mcp/internal/v2?profile=strict"`, "TEA_SHOP_INTERNAL_TOKEN"},
	} {
		w := get(h, path)
		media := "application/json"
		if strings.Contains(path, "codex") {
			media = "application/toml"
		}
		if w.Code != 200 || w.Header().Get("Content-Type") != media || w.Header().Get("ETag") == "" {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
		for _, s := range want {
			if !strings.Contains(w.Body.String(), s) {
				t.Errorf("%s: no %s in %s", path, s, w.Body)
			}
		}
		if strings.Contains(w.Body.String(), secret) {
			t.Errorf("%s tells the secret", path)
		}
		if again := get(h, path, "If-None-Match: "+w.Header().Get("ETag")); again.Code != 304 || again.Body.Len() > 0 {
			t.Errorf("%s: %d for its ETag", path, again.Code)
		}
	}
}

// R-M16: what is no manifest is 404 with those that are; the index lists all
// with the commands of those clients that have one.
func TestManifestIndex(t *testing.T) {
	h := site(t, withToken(), rpc.App{}, mcp.Edge{Manifests: []mcp.Manifest{
		{Name: "acme.yaml", Type: "application/yaml", Profile: mcp.Gemini, Write: func(s manifest.Server) []byte {
			return []byte("server: " + s.Name + "\nurl: " + s.URL + "\ntoken: " + s.Token + "\n")
		}},
		{Name: "zed.json", Write: func(s manifest.Server) []byte { return []byte(`{"zed":"` + s.URL + `"}`) }},
	}})
	w := get(h, "/mcp/manifest/netscape.json")
	const known = "acme.yaml, claude-desktop.json, claude.json, codex.toml, cursor.json, gemini.json, openai.json, vscode.json, windsurf.json, zed.json"
	if w.Code != 404 || !strings.Contains(w.Body.String(), known) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for _, path := range []string{"/mcp/v9/manifest/claude.json", "/mcp/v9/server.json", "/mcp/v9/manifest", "/mcp/manifest/claude.json/x"} {
		if w := get(h, path); w.Code != 404 {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if w := get(h, "/mcp/v2/manifest/acme.yaml"); w.Header().Get("Content-Type") != "application/yaml" ||
		w.Body.String() != "server: tea-shop-v2\nurl: http://127.0.0.1:8080/mcp/v2?profile=gemini\ntoken: TEA_SHOP_TOKEN\n" {
		t.Errorf("%v %s", w.Header(), w.Body)
	}
	if w := get(h, "/mcp/manifest/zed.json"); w.Body.String() != `{"zed":"http://127.0.0.1:8080/mcp"}` {
		t.Errorf("one's own does not replace another: %s", w.Body)
	}
	var index struct {
		Manifests []struct{ Client, URL, File, Profile, Command string }
	}
	if err := json.Unmarshal(get(h, "/mcp/manifest").Body.Bytes(), &index, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range index.Manifests {
		names = append(names, m.URL[strings.LastIndexByte(m.URL, '/')+1:])
		if w := get(h, strings.TrimPrefix(m.URL, "http://127.0.0.1:8080")); w.Code != 200 {
			t.Errorf("%s: %d", m.URL, w.Code)
		}
		if m.Client == "Claude Code" && m.Command !=
			`claude mcp add --transport http tea-shop 'http://127.0.0.1:8080/mcp?profile=claude' --header "Authorization: Bearer $TEA_SHOP_TOKEN"` {
			t.Error(m.Command)
		}
		if m.Client == "Codex" && m.Command != `codex mcp add tea-shop --url 'http://127.0.0.1:8080/mcp?profile=openai' --bearer-token-env-var TEA_SHOP_TOKEN` {
			t.Error(m.Command)
		}
	}
	slices.Sort(names)
	if strings.Join(names, ", ") != known {
		t.Errorf("%v", names)
	}
}

// Faults of one's own manifests are told at mount.
func TestWrongManifests(t *testing.T) {
	write := func(manifest.Server) []byte { return nil }
	err := mountSite(t, gin.New(), withToken(), rpc.App{}, mcp.Edge{Manifests: []mcp.Manifest{
		{Name: "a/b", Write: write}, {Name: "acme.json"}, {Name: "b.json", Profile: "netscape", Write: write},
	}})
	for _, want := range []string{`Manifests[0].Name is "a/b"`, "Manifests[1], acme.json, has no Write", `Manifests[2], b.json, asks for the profile "netscape"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %s in %v", want, err)
		}
	}
}

// Who needs no token is told of none: an open program, and one whose clients
// get theirs by OAuth. A prefix and the public URL are part of the address,
// and an edge that is strict for all asks for nothing more.
func TestManifestAddress(t *testing.T) {
	token := regexp.MustCompile(`(?i)token|authorization`)
	for _, c := range []struct {
		name    string
		policy  guard.Policy
		edge    mcp.Edge
		url     string
		token   bool
		headers []string
	}{
		{"open", guard.Policy{Open: true}, mcp.Edge{}, `"http://127.0.0.1:8080/api/mcp?profile=strict"`, false, nil},
		{"public", guard.Policy{Open: true, PublicURL: "https://shop.example/base/"}, mcp.Edge{}, `"https://shop.example/base/api/mcp?profile=strict"`, false, nil},
		{"strict for all", withToken(), mcp.Edge{Profile: mcp.Strict}, `"http://127.0.0.1:8080/api/mcp"`, true, nil},
		{"another path", withToken(), mcp.Edge{Path: "/agents/mcp", Profile: mcp.Claude}, `"http://127.0.0.1:8080/api/agents/mcp?profile=strict"`, true, nil},
		{"a proxy that nobody trusts", withToken(), mcp.Edge{}, `"http://127.0.0.1:8080/api/mcp?profile=strict"`, true,
			[]string{"X-Forwarded-Host: evil.example", "X-Forwarded-Proto: https"}},
		{"a proxy that is trusted", behindProxy(), mcp.Edge{}, `"https://shop.example/api/mcp?profile=strict"`, true,
			[]string{"X-Forwarded-Host: shop.example", "X-Forwarded-Proto: https"}},
		{"tokens by OAuth", byOAuth(), mcp.Edge{}, `"http://127.0.0.1:8080/api/mcp?profile=strict"`, false, nil},
	} {
		engine := gin.New()
		if err := mountSite(t, engine.Group("/api"), c.policy, rpc.App{}, c.edge, metadata{}); err != nil {
			t.Fatal(err)
		}
		path := "/api" + c.edge.Path
		if c.edge.Path == "" {
			path = "/api/mcp"
		}
		w := get(engine, path+"/manifest/cursor.json", c.headers...)
		if !strings.Contains(w.Body.String(), c.url) || token.MatchString(w.Body.String()) != c.token {
			t.Errorf("%s: %d %s", c.name, w.Code, w.Body)
		}
	}
}

func behindProxy() guard.Policy {
	p := withToken()
	p.Proxies = []string{"192.0.2.1"} // where httptest asks from
	return p
}

func byOAuth() guard.Policy {
	return guard.Policy{
		Verifier:  func(context.Context, string) (*rpc.Caller, error) { return nil, guard.ErrToken },
		Challenge: &guard.Challenge{Metadata: "/metadata"},
	}
}

// metadata stands for the edge of the OAuth package.
type metadata struct{}

func (metadata) Routes(*guard.Site) ([]guard.Route, error) {
	return []guard.Route{{
		Edge: "oauth", Path: "/metadata", Document: true, Group: "mcp", Public: true, Methods: []string{http.MethodGet},
		Handler: func(*guard.Door) guard.Handler {
			return func(w http.ResponseWriter, _ *http.Request, _ *guard.Visit) { w.WriteHeader(http.StatusNoContent) }
		},
	}}, nil
}

// R-M15: an endpoint that is off takes its documents with it, the others stay;
// an access policy is not asked about what is public.
func TestDocumentsOfWhatIsOff(t *testing.T) {
	var off atomic.Bool
	policy := withToken()
	policy.Available = func(e *rpc.Endpoint) bool { return !off.Load() || e.Version != 2 || e.Group != "mcp" }
	policy.Allow = func(_ *rpc.Caller, e *rpc.Endpoint) bool { return e.Group != "mcp" }
	h := site(t, policy, rpc.App{}, mcp.Edge{Manifests: []mcp.Manifest{{Name: "own.json", Write: func(manifest.Server) []byte { return []byte("{}") }}}}, internal)
	for _, state := range []bool{false, true, false} {
		off.Store(state)
		for _, below := range []string{"/server.json", "/manifest", "/manifest/claude.json", "/manifest/own.json"} {
			for path, want := range map[string]int{"/mcp": 200, "/mcp/v2": 200, "/mcp/internal/v2": 200} {
				if below == "/manifest/own.json" && strings.Contains(path, "internal") || state && path == "/mcp/v2" {
					want = 404
				}
				if w := get(h, path+below); w.Code != want {
					t.Errorf("off %t: %s: %d, want %d", state, path+below, w.Code, want)
				}
			}
		}
		r := httptest.NewRequest(http.MethodPost, "/mcp/v2", strings.NewReader(`{}`))
		r.Header.Set("Authorization", "Bearer "+secret)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if want := map[bool]int{false: 403, true: 404}[state]; w.Code != want {
			t.Errorf("off %t: POST /mcp/v2: %d, want %d", state, w.Code, want)
		}
	}
}

// Policy.Documents decides for these as for all documents; who must come with
// a token is held against the access policy.
func TestDocumentsByToken(t *testing.T) {
	policy := withToken()
	policy.Documents = guard.ByToken
	policy.Allow = func(_ *rpc.Caller, e *rpc.Endpoint) bool { return e.Version == 1 }
	h := site(t, policy, rpc.App{}, mcp.Edge{})
	for _, path := range []string{"/mcp/server.json", "/mcp/manifest", "/mcp/manifest/zed.json"} {
		if w := get(h, path); w.Code != 401 {
			t.Errorf("%s: %d", path, w.Code)
		}
		if w := get(h, path, "Authorization: Bearer "+secret); w.Code != 200 {
			t.Errorf("%s with the token: %d %s", path, w.Code, w.Body)
		}
		later := strings.Replace(path, "/mcp", "/mcp/v2", 1)
		if w := get(h, later, "Authorization: Bearer "+secret); w.Code != 403 {
			t.Errorf("%s against the access policy: %d", later, w.Code)
		}
	}
}

// serverSchema is the schema of server.json that the registry publishes.
func serverSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	file, err := os.Open("manifest/testdata/registry/server.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	doc, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(manifest.Schema, doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile(manifest.Schema)
}
