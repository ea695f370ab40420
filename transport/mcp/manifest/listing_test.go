package manifest_test

import (
	"os"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/transport/mcp/manifest"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// registrySchema is the schema of server.json that the registry publishes.
func registrySchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	file, err := os.Open("testdata/registry/server.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	doc, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(manifest.Schema, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(manifest.Schema)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func shop() manifest.Listing {
	return manifest.Listing{
		Name: "example.shop/tea", Title: "Tea shop", Description: "Sells tea.", Version: "1.4.0",
		Website: "https://shop.example", URL: "https://shop.example/mcp", Token: true,
	}
}

// R-M16, case E15: modelcontextprotocol/registry#694, #703, #525. What is
// written is valid, and what the registry refuses is told with its field and
// how to mend it.
func TestListing(t *testing.T) {
	schema := registrySchema(t)
	long := strings.Repeat("ї", 100) // 200 bytes
	for _, c := range []struct {
		name   string
		change func(*manifest.Listing)
		fault  string // what Check says; empty: nothing
		valid  bool   // by the schema
	}{
		{"as it is", func(*manifest.Listing) {}, "", true},
		{"without what may be left out", func(l *manifest.Listing) { l.Title, l.Website, l.Token = "", "", false }, "", true},
		{"100 characters, not bytes", func(l *manifest.Listing) { l.Title, l.Description = long, long }, "", true},
		{"101 characters", func(l *manifest.Listing) { l.Description = long + "!" }, "description: has 101 characters; shorten it to 100", false},
		{"a title of 101", func(l *manifest.Listing) { l.Title = long + "!" }, "title: has 101 characters; shorten it to 100", false},
		{"a blank title", func(l *manifest.Listing) { l.Title = "  " }, "title: is blank", true},
		{"no description", func(l *manifest.Listing) { l.Description = "" }, "description: is empty", false},
		{"on GitHub", func(l *manifest.Listing) { l.Name = "io.github.acme/tea_shop.2" }, "", true},
		{"no namespace", func(l *manifest.Listing) { l.Name = "tea" }, `name: "tea" is not a reversed domain`, false},
		{"two slashes", func(l *manifest.Listing) { l.Name = "a.b/c/d" }, `name: "a.b/c/d"`, false},
		{"no domain", func(l *manifest.Listing) { l.Name = "tea/tea" }, `name: "tea/tea"`, true},
		{"a dash at the end", func(l *manifest.Listing) { l.Name = "io.github.acme/tea-" }, `name: "io.github.acme/tea-"`, true},
		{"two dots", func(l *manifest.Listing) { l.Name = "io..acme/tea" }, "name: ", true},
		{"letters of others", func(l *manifest.Listing) { l.Name = "io.github.acme/чай" }, "name: ", false},
		{"a long name", func(l *manifest.Listing) { l.Name = "io.github.acme/" + strings.Repeat("t", 190) }, "name: has 205 characters; shorten it to 200", false},
		{"no version", func(l *manifest.Listing) { l.Version = "" }, "version: is empty", true},
		{"a date", func(l *manifest.Listing) { l.Version = "2026.12.01-x86" }, "", true},
		{"with a v", func(l *manifest.Listing) { l.Version = "v1.0" }, "", true},
		{"latest", func(l *manifest.Listing) { l.Version = "latest" }, `version: "latest" is not one version`, true},
		{"from", func(l *manifest.Listing) { l.Version = ">=1.0.0" }, "version: ", true},
		{"caret", func(l *manifest.Listing) { l.Version = "^1.2" }, "version: ", true},
		{"wildcard", func(l *manifest.Listing) { l.Version = "1.2.x" }, "version: ", true},
		{"star", func(l *manifest.Listing) { l.Version = "1.*" }, "version: ", true},
		{"interval", func(l *manifest.Listing) { l.Version = "1.0 - 2.0" }, "version: ", true},
		{"either", func(l *manifest.Listing) { l.Version = "1.0 || 2.0" }, "version: ", true},
		{"a long version", func(l *manifest.Listing) { l.Version = strings.Repeat("1", 256) }, "version: has 256 characters", false},
		{"http", func(l *manifest.Listing) { l.Website = "http://shop.example" }, "websiteUrl: ", true},
		{"no URL", func(l *manifest.Listing) { l.Website = "https://" }, "websiteUrl: ", true},
		{"local", func(l *manifest.Listing) { l.URL = "http://localhost:8080/mcp" }, "remotes[0].url: ", true},
		{"local over TLS", func(l *manifest.Listing) { l.URL = "https://127.0.0.1/mcp" }, "remotes[0].url: ", true},
	} {
		l := shop()
		c.change(&l)
		got := ""
		if err := l.Check(); err != nil {
			got = err.Error()
		}
		if c.fault == "" && got != "" || !strings.Contains(got, c.fault) {
			t.Errorf("%s: %q, want %q", c.name, got, c.fault)
		}
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(l.JSON())))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); (err == nil) != c.valid {
			t.Errorf("%s: by the schema: %v", c.name, err)
		}
	}
}

// All faults are told at once.
func TestAllFaults(t *testing.T) {
	err := (manifest.Listing{Title: " ", Website: "x"}).Check()
	for _, field := range []string{"name: ", "title: ", "description: ", "version: ", "websiteUrl: ", "remotes[0].url: "} {
		if err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("no %s in %v", field, err)
		}
	}
}
