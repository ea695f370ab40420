package mcp_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// listen serves p on a loopback port until the test ends and returns its URL.
func listen(t *testing.T, p *program) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: p, ReadHeaderTimeout: time.Second}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	return "http://" + l.Addr().String()
}

// R-M18: the official client lists and calls in both eras.
func TestOfficialClient(t *testing.T) {
	url := listen(t, mount(t, setup{})) + "/mcp"
	for asked, want := range map[string]string{
		"":           "2026-07-28",
		"2026-07-28": "2026-07-28",
		"2025-11-25": "2025-11-25",
		"2025-06-18": "2025-06-18",
		"2025-03-26": "2025-03-26",
		"2024-11-05": "2024-11-05",
	} {
		t.Run("asks for "+asked, func(t *testing.T) {
			plain := &http.Transport{}
			defer plain.CloseIdleConnections()
			client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
			session, err := client.Connect(t.Context(),
				&sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: plain}},
				&sdk.ClientSessionOptions{ProtocolVersion: asked})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := session.Close(); err != nil {
					t.Error(err)
				}
			}()
			checkSession(t, session, want)
		})
	}
}

func checkSession(t *testing.T, session *sdk.ClientSession, version string) {
	t.Helper()
	ctx := t.Context()
	started := session.InitializeResult()
	if started.ProtocolVersion != version || started.ServerInfo.Name != "depot" || started.Instructions != "Keeps goods." {
		t.Errorf("%+v", started)
	}
	if has := session.ID() != ""; has != (version < "2026-07-28") {
		t.Errorf("session id %q", session.ID())
	}
	tools, err := session.ListTools(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(tools.Tools) != 12 || tools.Tools[0].Name != "Depot.find" {
		t.Errorf("%d tools, first %+v", len(tools.Tools), tools.Tools[0])
	}
	found := callTool(ctx, t, session, "Depot.find", map[string]any{"query": "tea"})
	if found.IsError || !strings.Contains(textOf(found), `"price":9007199254740993`) {
		t.Errorf("%+v", found)
	}
	if has := found.StructuredContent != nil; has != (version >= "2025-06-18") {
		t.Errorf("structured content: %v", found.StructuredContent)
	}
	if sold := callTool(ctx, t, session, "Depot.sell", nil); !sold.IsError || !strings.Contains(textOf(sold), "Only 3 left.") {
		t.Errorf("%+v", sold)
	}
	if _, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "Depot.none"}); err == nil || !strings.Contains(err.Error(), "Unknown tool: Depot.none") {
		t.Errorf("%v", err)
	}
	if _, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "Depot.find"}); err == nil || !strings.Contains(err.Error(), "Invalid params") {
		t.Errorf("%v", err)
	}
	picture := callTool(ctx, t, session, "Depot.picture", nil)
	if image, ok := picture.Content[1].(*sdk.ImageContent); !ok || string(image.Data) != "\x01\x02\x03" {
		t.Errorf("%+v", picture.Content)
	}
	if version < "2026-07-28" {
		if err := session.Ping(ctx, nil); err != nil {
			t.Error(err)
		}
	}
}

func callTool(ctx context.Context, t *testing.T, session *sdk.ClientSession, name string, arguments map[string]any) *sdk.CallToolResult {
	t.Helper()
	params := &sdk.CallToolParams{Name: name}
	if arguments != nil {
		params.Arguments = arguments
	}
	result, err := session.CallTool(ctx, params)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return result
}

func textOf(r *sdk.CallToolResult) string {
	if text, ok := r.Content[0].(*sdk.TextContent); ok {
		return text.Text
	}
	return ""
}
