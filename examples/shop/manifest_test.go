package main_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestManifest: who has nothing but the manifest and a token is connected, and
// sees the tools as the client needs them. R-M16, R-M19
func TestManifest(t *testing.T) {
	p := start(t, "-token", "secret")
	for manifest, tools := range map[string]string{
		"/mcp/manifest/claude.json":          "Catalog_search Catalog_product Catalog_categories Orders_get Orders_list",
		"/mcp/manifest/vscode.json":          "Catalog_search Catalog_product Catalog_categories Orders_get Orders_list",
		"/mcp/manifest/gemini.json":          "Catalog.search Catalog.product Catalog.categories Orders.get Orders.list",
		"/mcp/internal/manifest/claude.json": "",
	} {
		url := p.fetchURL(t, manifest)
		client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1.0.0"}, nil)
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
			Endpoint: url, HTTPClient: &http.Client{Transport: withToken("secret")},
		}, nil)
		if err != nil {
			t.Fatalf("%s: %v", url, err)
		}
		var names []string
		for tool, err := range session.Tools(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, tool.Name)
		}
		if got := strings.Join(names, " "); tools != "" && got != tools || got == "" {
			t.Errorf("%s: %s, want %s", url, got, tools)
		}
		if tools != "" {
			called(t, session, names[0], map[string]any{"query": "matcha"}, `"name":"Ceremonial matcha"`, false)
			called(t, session, "Catalog.search", map[string]any{"query": "matcha"}, `"name":"Ceremonial matcha"`, false)
			called(t, session, names[0], map[string]any{"limit": 0}, `"/limit"`, true) // for the model to read
		}
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	}
	p.stop(t)
}

// fetchURL is the address in a manifest, which needs no token.
func (p *program) fetchURL(t *testing.T, path string) string {
	t.Helper()
	res, err := http.Get(p.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	doc, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(doc, &all); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", res.StatusCode, doc)
	}
	for _, key := range []string{"mcpServers", "servers"} {
		servers, _ := all[key].(map[string]any)
		for _, s := range servers {
			for _, member := range []string{"url", "httpUrl"} {
				if url, ok := s.(map[string]any)[member].(string); ok {
					return url
				}
			}
		}
	}
	t.Fatalf("no URL in %s", doc)
	return ""
}
