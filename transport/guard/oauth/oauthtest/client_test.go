package oauthtest

import (
	"net/http"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth/extauth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// mcp row 74: the official client begins without a token, finds the metadata
// by the challenge and the server by the metadata, gets a real token and calls.
func TestOfficialClient(t *testing.T) {
	i := newIssuer(t)
	url := program(t, i)
	plain := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(plain.CloseIdleConnections)
	handler, err := extauth.NewClientCredentialsHandler(&extauth.ClientCredentialsHandlerConfig{
		Credentials: &oauthex.ClientCredentials{
			ClientID: "agent", ClientSecretAuth: &oauthex.ClientSecretAuth{ClientSecret: agentSecret},
		},
		HTTPClient: plain,
	})
	if err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url + "/mcp", HTTPClient: plain, OAuthHandler: handler}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
	}
	if !slices.Contains(names, "Depot.who") || slices.Contains(names, "Depot.wipe") {
		t.Errorf("tools %q", names)
	}
	answer, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "Depot.who"})
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := answer.Content[0].(*mcp.TextContent); !ok || answer.IsError || text.Text != `"agent"` && text.Text != "agent" {
		t.Errorf("%+v", answer.Content[0])
	}
}
