package main_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// withToken sends the token with every request of an agent.
type withToken string

func (t withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(t))
	return http.DefaultTransport.RoundTrip(r)
}

// TestAgent: the official Go client of MCP lists and calls the shop's tools,
// in the era of sessions and in the one without. R-M01, R-M12
func TestAgent(t *testing.T) {
	p := start(t, "-token", "secret")
	for _, version := range []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} {
		t.Run(version, func(t *testing.T) {
			client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1.0.0"}, nil)
			session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
				Endpoint: p.url + "/mcp", HTTPClient: &http.Client{Transport: withToken("secret")},
			}, &mcp.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			if got := session.InitializeResult().ProtocolVersion; got != version {
				t.Errorf("version %s, want %s", got, version)
			}
			var names []string
			for tool, err := range session.Tools(t.Context(), nil) {
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, tool.Name)
			}
			want := []string{"Catalog.search", "Catalog.product", "Catalog.categories", "Orders.get", "Orders.list"}
			if !slices.Equal(names, want) {
				t.Errorf("tools %v, want %v", names, want)
			}
			called(t, session, "Catalog.search", map[string]any{"query": "matcha"}, `"name":"Ceremonial matcha"`, false)
			called(t, session, "Orders.get", map[string]any{"id": "o000009"}, `"exception":"NotFound"`, true)
			_, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "Catalog.search", Arguments: map[string]any{"limit": 0}})
			if err == nil || !strings.Contains(err.Error(), "Invalid params") {
				t.Errorf("wrong arguments: %v", err)
			}
		})
	}
	p.stop(t)
}

// called calls a tool and looks for want in the text of its answer.
func called(t *testing.T, session *mcp.ClientSession, tool string, args map[string]any, want string, failed bool) {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Errorf("%s: %v", tool, err)
		return
	}
	text, ok := res.Content[0].(*mcp.TextContent)
	if !ok || !strings.Contains(text.Text, want) || res.IsError != failed {
		t.Errorf("%s: %+v, error %t; want %s", tool, res.Content[0], res.IsError, want)
	}
}
