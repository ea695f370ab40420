package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// bearer sends a token, if there is one.
type bearer struct {
	token string
	next  *http.Transport
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return b.next.RoundTrip(r)
}

// dial is a session of the official Go client.
func dial(t *testing.T, url, token, version string, options *sdk.ClientOptions) (*sdk.ClientSession, error) {
	t.Helper()
	next := &http.Transport{}
	t.Cleanup(next.CloseIdleConnections)
	return sdk.NewClient(&sdk.Implementation{Name: "matrix", Version: "1"}, options).Connect(t.Context(),
		&sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer{token, next}}},
		&sdk.ClientSessionOptions{ProtocolVersion: version})
}

func connect(t *testing.T, url, token, version string, options *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	session, err := dial(t, url, token, version, options)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// goClient walks through everything with the official Go client.
func goClient(version string) func(t *testing.T, url, token string) walk {
	return func(t *testing.T, url, token string) walk {
		t.Helper()
		steps := make(chan string, 8)
		session, err := dial(t, url, token, version, &sdk.ClientOptions{
			ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
				steps <- fmt.Sprintf("%v/%v", r.Params.Progress, r.Params.Total)
			},
		})
		if err != nil {
			return walk{Refused: err.Error()}
		}
		got := walk{}
		tools, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range tools.Tools {
			got.Tools = strings.TrimSpace(got.Tools + " " + tool.Name)
		}
		goCalls(t, session, &got)
		got.Progress = strings.Join([]string{next(t, steps), next(t, steps), next(t, steps)}, " ")
		if err := session.Close(); err != nil {
			t.Error(err)
		}
		return got
	}
}

// goCalls makes the calls of a walk.
func goCalls(t *testing.T, session *sdk.ClientSession, got *walk) {
	t.Helper()
	call := func(name string, arguments map[string]any) *sdk.CallToolResult {
		result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return result
	}
	refusal := func(name string) string {
		_, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: map[string]any{}})
		if e, ok := errors.AsType[*jsonrpc.Error](err); ok {
			return fmt.Sprint(e.Code)
		}
		return fmt.Sprint(err)
	}
	got.Text = text(call("test_simple_text", nil))
	for _, block := range call("test_multiple_content_types", nil).Content {
		var of struct {
			Type string `json:"type"`
		}
		written, err := block.MarshalJSON()
		if err == nil {
			err = json.Unmarshal(written, &of)
		}
		if err != nil {
			t.Fatal(err)
		}
		got.Blocks = strings.TrimSpace(got.Blocks + " " + of.Type)
	}
	got.Echo = text(call("test_x_mcp_header", map[string]any{"region": region}))
	failed := call("test_error_handling", nil)
	got.Error = failure(t, failed.IsError, text(failed))
	got.Unknown = refusal("none")
	got.Arguments = refusal("test_x_mcp_header")
	params := &sdk.CallToolParams{Name: "test_tool_with_progress"}
	params.SetProgressToken("mine")
	if _, err := session.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
}

// next is the next step that a client heard of.
func next(t *testing.T, steps <-chan string) string {
	t.Helper()
	select {
	case step := <-steps:
		return step
	case <-time.After(10 * time.Second):
		t.Error("no progress")
		return ""
	}
}

func text(r *sdk.CallToolResult) string {
	if block, ok := r.Content[0].(*sdk.TextContent); ok {
		return block.Text
	}
	return ""
}
