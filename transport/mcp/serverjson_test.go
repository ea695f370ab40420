package mcp_test

import (
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// listing is what tests look at in server.json.
type listing struct {
	Schema      string `json:"$schema"`
	Name        string
	Title       string
	Description string
	Version     string
	WebsiteURL  string
	Remotes     []struct {
		Type, URL string
		Headers   []struct{ Name, Value string }
	}
}

// R-M16, case E15: every endpoint has a server.json that the registry's schema
// takes, whatever the program says of itself.
func TestServerJSON(t *testing.T) {
	schema := serverSchema(t)
	long := strings.Repeat("Чай і чашки. ", 20)
	for _, c := range []struct {
		name   string
		policy guard.Policy
		app    rpc.App
		edge   mcp.Edge
		path   string
		want   listing
	}{
		{"as it is", withToken(), rpc.App{}, mcp.Edge{}, "/mcp", listing{
			Name: "local/tea-shop", Title: "Tea shop", Description: "Sells tea.", Version: "1.4.0", WebsiteURL: "https://shop.example",
		}},
		{"of version 2", guard.Policy{Open: true, PublicURL: "https://www.shop.example"}, rpc.App{}, mcp.Edge{}, "/mcp/v2", listing{
			Name: "example.shop.www/tea-shop-v2", Title: "Tea shop", Description: "Sells tea.", Version: "1.4.0", WebsiteURL: "https://shop.example",
		}},
		{"of another group", withToken(), rpc.App{}, internal, "/mcp/internal", listing{
			Name: "local/tea-shop-internal", Title: "Tea shop", Description: "Sells tea.", Version: "1.4.0", WebsiteURL: "https://shop.example",
		}},
		{"said by the edge", withToken(), rpc.App{}, mcp.Edge{
			Name: "leaves", Title: "Leaves", Description: "Sells leaves.", Version: "2", Website: "https://leaves.example",
		}, "/mcp", listing{Name: "local/leaves", Title: "Leaves", Description: "Sells leaves.", Version: "2", WebsiteURL: "https://leaves.example"}},
		{"said too long", withToken(), rpc.App{Name: "tea", Version: "1", Title: long, Description: long, Website: "http://shop.example"}, mcp.Edge{}, "/mcp", listing{
			Name: "local/tea", Title: strings.Repeat("Чай і чашки. ", 7) + "Чай і…", Description: strings.Repeat("Чай і чашки. ", 7) + "Чай і…", Version: "1",
		}},
		{"nothing said", withToken(), rpc.App{Name: "tea", Version: "1"}, mcp.Edge{}, "/mcp", listing{
			Name: "local/tea", Description: "Tools of tea.", Version: "1",
		}},
		{"published", published(), rpc.App{}, mcp.Edge{RegistryName: "io.github.acme/tea"}, "/mcp", listing{
			Name: "io.github.acme/tea", Title: "Tea shop", Description: "Sells tea.", Version: "1.4.0", WebsiteURL: "https://shop.example",
		}},
	} {
		h := site(t, c.policy, c.app, c.edge)
		w := get(h, c.path+"/server.json")
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(w.Body.String()))
		if err != nil {
			t.Fatalf("%s: %d %v", c.name, w.Code, err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		var got listing
		if err := json.Unmarshal(w.Body.Bytes(), &got, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(err)
		}
		if len(got.Remotes) != 1 || got.Remotes[0].Type != "streamable-http" || !strings.HasSuffix(got.Remotes[0].URL, c.path) ||
			(len(got.Remotes[0].Headers) == 1) == c.policy.Open {
			t.Errorf("%s: %+v", c.name, got.Remotes)
		}
		if got.Schema != "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json" {
			t.Error(got.Schema)
		}
		got.Schema, got.Remotes = "", nil
		if a, b := asText(t, got), asText(t, c.want); a != b {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, a, b)
		}
	}
}

func asText(t *testing.T, l listing) string {
	t.Helper()
	out, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func published() guard.Policy {
	p := withToken()
	p.PublicURL = "https://shop.example"
	return p
}

// R-M16: a RegistryName asks for publishing: then what the registry would
// refuse is a mount error, else nothing is.
func TestPublishing(t *testing.T) {
	long := rpc.App{Name: "tea", Version: "latest", Description: strings.Repeat("ї", 101)}
	err := mountSite(t, gin.New(), withToken(), long, mcp.Edge{RegistryName: "tea"})
	for _, want := range []string{
		`mcp: server.json of tea cannot be published: `, `name: "tea" is not a reversed domain`, "description: has 101 characters; shorten it to 100",
		`version: "latest" is not one version`, "remotes[0].url: ", "set Policy.PublicURL",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %s in %v", want, err)
		}
	}
	if err := mountSite(t, gin.New(), withToken(), long, mcp.Edge{}); err != nil {
		t.Error(err)
	}
	long.Version, long.Description = "1", strings.Repeat("ї", 100)
	if err := mountSite(t, gin.New(), published(), long, mcp.Edge{RegistryName: "example.shop/tea"}); err != nil {
		t.Error(err)
	}
}

// R-M16: the server says of itself in initialize and server/discover what
// server.json says.
func TestServerInfo(t *testing.T) {
	p := mount(t, setup{edge: mcp.Edge{Name: "leaves", Title: "Leaves", Description: "Sells leaves.", Version: "2", Website: "https://leaves.example", Instructions: "Ask."}})
	const info = `{"name":"leaves","title":"Leaves","version":"2","description":"Sells leaves.","websiteUrl":"https://leaves.example"}`
	body, headers := modern("server/discover", "")
	if w := p.post(body, headers...); !strings.Contains(w.Body.String(), info) || !strings.Contains(w.Body.String(), `"instructions":"Ask."`) {
		t.Errorf("%s", w.Body)
	}
	w := p.post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
	if !strings.Contains(w.Body.String(), info) || !strings.Contains(w.Body.String(), `"instructions":"Ask."`) {
		t.Errorf("%s", w.Body)
	}
}
