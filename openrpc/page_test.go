package openrpc_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json"
)

// mostPage is the most bytes of the page in gzip: nothing else is loaded.
const mostPage = 60_000

// R-O03, R-S01: the page is there for everybody, at the path of its edge.
func TestPageRoute(t *testing.T) {
	h := serve(t, "")
	for _, row := range []struct {
		method, path string
		want         int
	}{
		{"GET", "/openrpc/ui", 200},
		{"HEAD", "/openrpc/ui", 200},
		{"POST", "/openrpc/ui", 405},
		{"GET", "/openrpc/ui/v2", 404},
		{"GET", "/openrpc", 401},
	} {
		w := ask(h, row.method, row.path)
		if w.Code != row.want {
			t.Errorf("%s %s: %d, want %d", row.method, row.path, w.Code, row.want)
		}
		if row.method == "HEAD" && w.Body.Len() > 0 {
			t.Errorf("HEAD has a body of %d bytes", w.Body.Len())
		}
	}
}

// R-O03: nothing is loaded, run or sent that the page did not bring itself.
func TestPageHeaders(t *testing.T) {
	w := ask(serve(t, ""), "GET", "/openrpc/ui")
	for name, want := range map[string]string{
		"Content-Type":           "text/html; charset=utf-8",
		"Content-Language":       "en",
		"X-Content-Type-Options": "nosniff",
		"Referrer-Policy":        "no-referrer",
		"Cache-Control":          "no-cache",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if !strings.Contains(strings.Join(w.Header().Values("Vary"), ","), "Accept-Encoding") {
		t.Errorf("Vary: %q", w.Header().Values("Vary"))
	}
	page := w.Body.String()
	want := []string{
		"default-src 'none'", "script-src " + hashOf(t, page, `<script type="module">`, "</script>"),
		"style-src " + hashOf(t, page, "<style>", "</style>"), "connect-src 'self'", "img-src data:",
		"base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
		"require-trusted-types-for 'script'", "trusted-types 'none'",
	}
	if got := w.Header().Get("Content-Security-Policy"); got != strings.Join(want, "; ") {
		t.Errorf("Content-Security-Policy:\n got %s\nwant %s", got, strings.Join(want, "; "))
	}
	if found := regexp.MustCompile(`(?i)\s(on[a-z]+|style)=["']|\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|new Function)\b|(?:src|href)="https?:`).FindString(page); found != "" {
		t.Errorf("the page has %q", found)
	}
	if !strings.Contains(page, `<html lang="en">`) {
		t.Error("the page does not say that it is English")
	}
}

// hashOf is the CSP source of the element between two tags.
func hashOf(t *testing.T, page, open, end string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, open)
	text, _, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("the page has no %s", open)
	}
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// R-O03: 304 in either encoding, each with a tag of its own.
func TestPageAnswers(t *testing.T) {
	h := serve(t, "")
	plain := ask(h, "GET", "/openrpc/ui")
	for _, row := range []struct {
		accept string
		zipped bool
	}{
		{"gzip", true}, {"gzip, deflate, br", true}, {"br;q=1, GZIP;q=0.5", true}, {"*", true},
		{"", false}, {"br", false}, {"gzip;q=0", false}, {"gzip;q=0, *", false}, {"gzip;q=much", false}, {"*;q=0", false},
	} {
		w := ask(h, "GET", "/openrpc/ui", "Accept-Encoding: "+row.accept)
		tag := w.Header().Get("ETag")
		if got := w.Header().Get("Content-Encoding") == "gzip"; w.Code != 200 || got != row.zipped {
			t.Errorf("%q: %d, gzip %t", row.accept, w.Code, got)
			continue
		}
		if (tag == plain.Header().Get("ETag")) == row.zipped || len(tag) < 10 {
			t.Errorf("%q: ETag %s", row.accept, tag)
		}
		if row.zipped && !bytes.Equal(unzipped(t, w.Body), plain.Body.Bytes()) {
			t.Errorf("%q: another page", row.accept)
		}
		again := ask(h, "GET", "/openrpc/ui", "Accept-Encoding: "+row.accept, "If-None-Match: "+tag)
		if again.Code != 304 || again.Body.Len() > 0 || again.Header().Get("ETag") != tag {
			t.Errorf("%q: %d with %d bytes for who has the page", row.accept, again.Code, again.Body.Len())
		}
	}
}

func unzipped(t *testing.T, r io.Reader) []byte {
	t.Helper()
	z, err := gzip.NewReader(r)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// R-O03
func TestPageSize(t *testing.T) {
	w := ask(serve(t, ""), "GET", "/openrpc/ui", "Accept-Encoding: gzip")
	t.Logf("%d bytes", w.Body.Len())
	if w.Body.Len() > mostPage {
		t.Errorf("%d bytes, at most %d", w.Body.Len(), mostPage)
	}
}

var settingsOf = regexp.MustCompile(`(?s)<script type="application/json" id="settings">(.*?)</script>`)

// documentsOf is what the page was told to show.
func documentsOf(t *testing.T, page string) []openrpc.PageDocument {
	t.Helper()
	found := settingsOf.FindStringSubmatch(page)
	if found == nil {
		t.Fatal("the page has no settings")
	}
	var s struct {
		Documents []openrpc.PageDocument `json:"documents"`
	}
	if err := json.Unmarshal([]byte(found[1]), &s); err != nil {
		t.Fatal(err)
	}
	return s.Documents
}

// R-O03: the page knows the versions and groups, wherever they are mounted,
// by addresses that hold behind a proxy which adds a prefix.
func TestPageDocuments(t *testing.T) {
	engine := gin.New()
	err := guard.Mount(engine.Group("/api"), newExecutor(t), guard.Policy{Tokens: tokens},
		rpchttp.Edge{Path: "/call"}, openrpc.Edge{Path: "/about/docs"}, openrpc.Edge{Path: "/inner", Group: "internal"})
	if err != nil {
		t.Fatal(err)
	}
	v1 := openrpc.PageDocument{Name: "v1", URL: "../../about/docs", RPC: "../../call", Group: rpc.DefaultGroup, Version: 1, Token: true}
	got := documentsOf(t, ask(engine, "GET", "/api/about/docs/ui").Body.String())
	if len(got) < 3 || !same(got[0], v1) {
		t.Fatalf("got %+v", got)
	}
	if want := (openrpc.PageDocument{Name: "v2", URL: "../../about/docs/v2", RPC: "../../call/v2", Group: rpc.DefaultGroup, Version: 2, Token: true}); !same(got[1], want) {
		t.Errorf("got %+v, want %+v", got[1], want)
	}
	if want := (openrpc.PageDocument{Name: "internal.v1", URL: "../../inner", Group: "internal", Version: 1, Token: true}); !same(got[2], want) {
		t.Errorf("got %+v, want %+v", got[2], want)
	}
	if own := documentsOf(t, ask(engine, "GET", "/api/inner/ui").Body.String()); own[0].Group != "internal" || own[0].Name != "v1" {
		t.Errorf("the page of internal begins with %+v", own[0])
	}
}

func same(a, b openrpc.PageDocument) bool {
	return a.Name == b.Name && a.URL == b.URL && a.RPC == b.RPC && a.Group == b.Group && a.Version == b.Version && a.Token == b.Token
}

// A page of its own for documents from elsewhere: origins that it must reach
// are in its policy, and its texts cannot leave the element they stand in.
func TestNewPage(t *testing.T) {
	page, err := openrpc.NewPage(`</title><script>alert(1)</script>{{settings}}`,
		openrpc.PageDocument{Name: "</script><b>", URL: "https://docs.example/pets.json?x=1", RPC: "http://127.0.0.1:9000/rpc"},
		openrpc.PageDocument{Name: "local", URL: "/pets.json"})
	if err != nil {
		t.Fatal(err)
	}
	w := ask(page, "GET", "/anywhere")
	if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "connect-src 'self' https://docs.example http://127.0.0.1:9000;") {
		t.Errorf("Content-Security-Policy: %s", csp)
	}
	body := w.Body.String()
	if strings.Count(body, "<script") != 2 || strings.Count(body, "</script>") != 2 || strings.Contains(body, "<b>") {
		t.Error("a title or a name became markup")
	}
	if got := documentsOf(t, body); got[0].Name != "</script><b>" || got[1].URL != "/pets.json" {
		t.Errorf("settings: %+v", got)
	}
	if w := ask(page, http.MethodPost, "/anywhere"); w.Code != 405 || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d %s", w.Code, w.Header())
	}
}

func TestNewPageRefuses(t *testing.T) {
	for _, row := range []struct {
		documents []openrpc.PageDocument
		want      string
	}{
		{nil, "needs at least one document"},
		{[]openrpc.PageDocument{{URL: "/a"}}, "give each a name"},
		{[]openrpc.PageDocument{{Name: "a", URL: "/a"}, {Name: "a", URL: "/b"}}, "give each a name"},
		{[]openrpc.PageDocument{{Name: "a"}}, "has no URL"},
		{[]openrpc.PageDocument{{Name: "a", URL: "file:///etc/passwd"}}, "not an http or https URL"},
		{[]openrpc.PageDocument{{Name: "a", URL: "/a", RPC: "ws://x/rpc"}}, "not an http or https URL"},
		{[]openrpc.PageDocument{{Name: "a", URL: "http://x;y/a"}}, "not an http or https URL"},
		{[]openrpc.PageDocument{{Name: "a", URL: "https://*/a"}}, "not an http or https URL"},
		{[]openrpc.PageDocument{{Name: "a", URL: "://"}}, "missing protocol scheme"},
	} {
		if _, err := openrpc.NewPage("t", row.documents...); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%+v: %v, want %q", row.documents, err, row.want)
		}
	}
}
