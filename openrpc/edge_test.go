package openrpc_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

var tokens = []guard.Token{
	{Secret: "anna", Caller: rpc.Caller{ID: "anna"}},
	{Secret: "olena", Caller: rpc.Caller{ID: "olena", Groups: []string{rpc.AnyGroup}, Scopes: []string{"audit"}}},
}

// serve mounts the depot's documents; public is the Policy's PublicURL.
func serve(t testing.TB, public string) http.Handler {
	t.Helper()
	exec := newExecutor(t)
	engine := gin.New()
	err := guard.Mount(engine, exec, guard.Policy{PublicURL: public, Tokens: tokens},
		rpchttp.Edge{}, openrpc.Edge{})
	if err != nil {
		t.Fatal(err)
	}
	return rpctest.WatchSecrets(t, "planted-cookie").Handler(engine)
}

// ask sends a request with headers given as "Name: value".
func ask(h http.Handler, method, url string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, url, nil)
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	r.Header.Set("Cookie", "session=planted-cookie")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

const anna, olena = "RPC-Token: anna", "RPC-Token: olena"

// methodsOf lists the names of a document's methods.
func methodsOf(t *testing.T, doc []byte) []string {
	t.Helper()
	var d struct {
		Methods []struct {
			Name string `json:"name"`
		} `json:"methods"`
	}
	if err := json.Unmarshal(doc, &d); err != nil {
		t.Fatalf("%v in %s", err, doc)
	}
	var names []string
	for _, m := range d.Methods {
		names = append(names, m.Name)
	}
	return names
}

// R-O01
func TestDocumentPerVersion(t *testing.T) {
	h := serve(t, "")
	for path, want := range map[string]string{
		"/openrpc":    "Depot.search Depot.tree Depot.attach Depot.take Depot.drop Depot.count Depot.any",
		"/openrpc/v1": "Depot.search Depot.tree Depot.attach Depot.take Depot.drop Depot.count Depot.any",
		"/openrpc/v2": "Depot.find Depot.tree Depot.attach Depot.take Depot.drop Depot.count Depot.any",
	} {
		w := ask(h, "GET", path, anna)
		if w.Code != 200 || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %s", path, w.Code, w.Header())
			continue
		}
		if got := strings.Join(methodsOf(t, w.Body.Bytes()), " "); got != want {
			t.Errorf("%s:\n got %s\nwant %s", path, got, want)
		}
		if found := problems(t, w.Body.Bytes()); found != nil {
			t.Errorf("%s: %q", path, found)
		}
	}
}

// R-S01: a document needs the token. R-S05: what is not there is 404.
func TestWhoMayRead(t *testing.T) {
	h := serve(t, "")
	for _, row := range []struct {
		method, path, token string
		want                int
	}{
		{"GET", "/openrpc", "X: -", 401},
		{"GET", "/openrpc", "RPC-Token: wrong", 403},
		{"GET", "/openrpc/v3", anna, 404},
		{"GET", "/openrpc/v0", anna, 404},
		{"POST", "/openrpc", anna, 405},
		{"HEAD", "/openrpc", anna, 200},
	} {
		if w := ask(h, row.method, row.path, row.token); w.Code != row.want {
			t.Errorf("%s %s as %q: %d, want %d", row.method, row.path, row.token, w.Code, row.want)
		}
	}
	if allow := ask(h, "POST", "/openrpc", anna).Header().Get("Allow"); !strings.Contains(allow, "GET") {
		t.Errorf("Allow: %q", allow)
	}
}

// R-O01: nothing of a hidden method is in the document, neither its name nor
// its types, and each caller gets their own document from the same address.
func TestOnlyWhatTheCallerMaySee(t *testing.T) {
	h := serve(t, "")
	for range 2 { // the second round is from the cache
		for _, path := range []string{"/openrpc", "/openrpc?pretty"} {
			if doc := ask(h, "GET", path, anna).Body.String(); strings.Contains(strings.ToLower(doc), "audit") || strings.Contains(doc, "Secret") {
				t.Errorf("%s tells of what Anna may not see:\n%s", path, doc)
			}
			doc := ask(h, "GET", path, olena).Body.String()
			if !strings.Contains(doc, `"Depot.audit"`) || !strings.Contains(doc, `"Secret"`) {
				t.Errorf("%s does not show Olena Depot.audit and its result", path)
			}
			if strings.Contains(doc, "Depot.backup") {
				t.Errorf("%s shows a method of another group", path)
			}
		}
	}
}

// R-O01
func TestETag(t *testing.T) {
	h := serve(t, "")
	first := ask(h, "GET", "/openrpc", anna)
	tag := first.Header().Get("ETag")
	if len(tag) < 10 || tag[0] != '"' {
		t.Fatalf("ETag %q is not strong", tag)
	}
	for _, row := range []struct {
		path, header string
		want         int
	}{
		{"/openrpc", tag, 304},
		{"/openrpc", "W/" + tag, 304},
		{"/openrpc", `"other", ` + tag, 304},
		{"/openrpc", "*", 304},
		{"/openrpc", `"other"`, 200},
		{"/openrpc", "junk", 200},
		{"/openrpc?pretty", tag, 200},
		{"/openrpc?info", tag, 200},
		{"/openrpc/v2", tag, 200},
	} {
		for _, method := range []string{"GET", "HEAD"} {
			w := ask(h, method, row.path, anna, "If-None-Match: "+row.header)
			if w.Code != row.want || w.Code == 304 && (w.Body.Len() > 0 || w.Header().Get("ETag") != tag) {
				t.Errorf("%s %s If-None-Match %s: %d, %d bytes, ETag %s; want %d", method, row.path, row.header,
					w.Code, w.Body.Len(), w.Header().Get("ETag"), row.want)
			}
		}
	}
	if ask(h, "GET", "/openrpc", olena).Header().Get("ETag") == tag {
		t.Error("two documents have one ETag")
	}
	if ask(serve(t, ""), "GET", "/openrpc", anna).Header().Get("ETag") != tag {
		t.Error("another start of the same program has another ETag")
	}
	if got := first.Header().Get("Cache-Control"); got != "private, no-cache" {
		t.Errorf("Cache-Control %q", got)
	}
	head := ask(h, "HEAD", "/openrpc", anna)
	if head.Body.Len() != 0 || head.Header().Get("Content-Length") != first.Header().Get("Content-Length") {
		t.Errorf("HEAD: %d bytes, %v", head.Body.Len(), head.Header())
	}
}

// R-O01
func TestInfoAndPretty(t *testing.T) {
	h := serve(t, "https://depot.example")
	const want = `{"openrpc":"1.3.2","info":{"title":"The depot","version":"1.2.3","description":"Keeps goods.",` +
		`"x-group":"default","x-version":2},"externalDocs":{"url":"https://depot.example"},` +
		`"servers":[{"url":"https://depot.example/rpc/v2"}]}`
	if got := ask(h, "GET", "/openrpc/v2?info", anna).Body.String(); got != want {
		t.Errorf("?info\n got %s\nwant %s", got, want)
	}
	pretty := ask(h, "GET", "/openrpc?pretty", anna).Body.Bytes()
	if !strings.HasPrefix(string(pretty), "{\n\t\"openrpc\": ") {
		t.Errorf("?pretty: %.80s", pretty)
	}
	compact := jsontext.Value(pretty)
	if err := compact.Compact(); err != nil {
		t.Fatal(err)
	}
	if string(compact) != ask(h, "GET", "/openrpc", anna).Body.String() {
		t.Error("?pretty says something else")
	}
}

// R-O01
func TestLanguage(t *testing.T) {
	h := serve(t, "")
	english := ask(h, "GET", "/openrpc", anna, "Accept-Language: en").Body.String()
	w := ask(h, "GET", "/openrpc", anna, "Accept-Language: uk")
	ukrainian := w.Body.String()
	for _, text := range []string{`"summary":"Порахувати"`, `"description":"Рахує."`, `"description":"Ключ"`} {
		if !strings.Contains(ukrainian, text) || strings.Contains(english, text) {
			t.Errorf("%s is not where it belongs", text)
		}
	}
	if problems(t, w.Body.Bytes()) != nil {
		t.Errorf("%q", problems(t, w.Body.Bytes()))
	}
}

// R-O01
func TestServerURL(t *testing.T) {
	here := serve(t, "") // one program that two hosts lead to
	for _, row := range []struct{ public, url, want string }{
		{"https://depot.example", "http://127.0.0.1:8080/openrpc", "https://depot.example/rpc"},
		{"https://depot.example/", "http://127.0.0.1:8080/openrpc/v2", "https://depot.example/rpc/v2"},
		{"", "http://127.0.0.1:8080/openrpc", "http://127.0.0.1:8080/rpc"},
		{"", "http://localhost:8080/openrpc/v1", "http://localhost:8080/rpc"},
		{"", "https://localhost/openrpc", "https://localhost/rpc"},
	} {
		var d struct {
			Servers []struct {
				URL string `json:"url"`
			} `json:"servers"`
		}
		h := here
		if row.public != "" {
			h = serve(t, row.public)
		}
		w := ask(h, "GET", row.url, anna)
		if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		if len(d.Servers) != 1 || d.Servers[0].URL != row.want {
			t.Errorf("PublicURL %q, %s: %v, want %s", row.public, row.url, d.Servers, row.want)
		}
	}
}

// Each group's document names the edge that serves the group, below whatever
// prefix the router has; without such an edge it names no server.
func TestServerOfGroup(t *testing.T) {
	engine := gin.New()
	err := guard.Mount(engine.Group("/api"), newExecutor(t), guard.Policy{Tokens: tokens},
		openrpc.Edge{}, openrpc.Edge{Path: "/docs/internal", Group: "internal"}, openrpc.Edge{Path: "/docs/agents", Group: "mcp"},
		rpchttp.Edge{Path: "/calls"}, rpchttp.Edge{Path: "/inside", Group: "internal"})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/api/openrpc":       `"servers":[{"url":"http://example.com/api/calls"}]`,
		"/api/openrpc/v2":    `"servers":[{"url":"http://example.com/api/calls/v2"}]`,
		"/api/docs/internal": `"servers":[{"url":"http://example.com/api/inside"}]`,
		"/api/docs/agents":   `"x-group":"mcp","x-version":1},"externalDocs":{"url":"https://depot.example"},"methods"`,
	} {
		if w := ask(engine, "GET", path, olena); w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d, no %s in %.300s", path, w.Code, want, w.Body)
		}
	}
	if w := ask(engine, "GET", "/api/docs/internal", anna); w.Code != 403 {
		t.Errorf("Anna is in no group but the default one and gets %d", w.Code)
	}
}

// R-C12
func TestDiscover(t *testing.T) {
	h := serve(t, "https://depot.example")
	discover := func(h http.Handler, path, token string, headers ...string) string {
		r := httptest.NewRequest("POST", path, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}`))
		for _, line := range append(headers, token) {
			name, value, _ := strings.Cut(line, ": ")
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Body.String()
	}
	for _, version := range []string{"", "/v1", "/v2"} {
		for _, token := range []string{anna, olena} {
			for _, language := range []string{"en", "uk"} {
				header := "Accept-Language: " + language
				want := `{"jsonrpc":"2.0","id":1,"result":` + ask(h, "GET", "/openrpc"+version, token, header).Body.String() + `}`
				if got := discover(h, "/rpc"+version, token, header); got != want {
					t.Errorf("/rpc%s as %s in %s:\n got %.300s\nwant %.300s", version, token, language, got, want)
				}
			}
		}
	}
	// Nothing says where the program is reached: no server is made up.
	nowhere := serve(t, "")
	for path, method := range map[string]string{"/rpc": "Depot.search", "/rpc/v2": "Depot.find"} {
		doc := discover(nowhere, path, anna)
		if strings.Contains(doc, `"servers"`) || !strings.Contains(doc, method) {
			t.Errorf("%s without PublicURL: %.300s", path, doc)
		}
	}
	if strings.Contains(ask(h, "GET", "/openrpc", olena).Body.String(), "rpc.discover") {
		t.Error("rpc.discover lists itself")
	}
}
