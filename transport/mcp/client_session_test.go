package mcp_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/mcp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// connect is a session of the official client.
func connect(t *testing.T, url, version string, options *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, options)
	session, err := client.Connect(t.Context(),
		&sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: transport}},
		&sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// R-M14, R-M18: the official client hears of progress in every version.
func TestOfficialClientProgress(t *testing.T) {
	url := listen(t, mount(t, setup{services: []any{workshop()}})) + "/mcp"
	for _, version := range everyVersion {
		steps := make(chan float64, 10)
		session := connect(t, url, version, &sdk.ClientOptions{
			ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
				if r.Params.ProgressToken == "mine" && r.Params.Total == 3 {
					steps <- r.Params.Progress
				}
			},
		})
		params := &sdk.CallToolParams{Name: "Workshop.build", Arguments: map[string]any{"steps": 3}}
		params.SetProgressToken("mine")
		result, err := session.CallTool(t.Context(), params)
		if err != nil || result.IsError || textOf(result) != "3" {
			t.Errorf("%s: %+v %v", version, result, err)
		}
		var got []float64
		for range 3 {
			select {
			case step := <-steps:
				got = append(got, step)
			case <-time.After(10 * time.Second):
			}
		}
		if !slices.Equal(got, []float64{1, 2, 3}) {
			t.Errorf("%s: progress %v", version, got)
		}
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	}
}

// R-C15, R-M18: the official client cancels a call by its context: in the
// session era with a notification, in 2026-07-28 by leaving. Its session goes
// on.
func TestOfficialClientCancels(t *testing.T) {
	began, ended := make(chan struct{}), make(chan error)
	wait := rpc.Method{Name: "wait", Func: func(ctx context.Context) error {
		began <- struct{}{}
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return ctx.Err()
	}}
	url := listen(t, mount(t, setup{services: []any{&Depot{}, rpc.Service{Name: "W", Groups: []string{"mcp"}, Methods: []rpc.Method{wait}}}})) + "/mcp"
	for _, version := range everyVersion {
		session := connect(t, url, version, nil)
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error)
		go func() {
			_, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "W.wait"})
			failed <- err
		}()
		<-began
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the client got %v", version, err)
		}
		if err := <-ended; err == nil {
			t.Errorf("%s: not cancelled", version)
		}
		if got := callTool(t.Context(), t, session, "Depot.ping", nil); textOf(got) != `"pong x"` {
			t.Errorf("%s: %+v", version, got)
		}
		if err := session.Close(); err != nil {
			t.Error(version, err)
		}
	}
}

// R-M12, R-M18: the official client ends its session when it closes, and
// notices one that has ended.
func TestOfficialClientEndsSession(t *testing.T) {
	p := mount(t, setup{})
	url := listen(t, p) + "/mcp"
	for _, version := range everyVersion[:4] {
		session := connect(t, url, version, nil)
		headers := []string{"Mcp-Session-Id: " + session.ID()}
		if w := p.post(listTools, headers...); w.Code != 200 {
			t.Errorf("%s: %d", version, w.Code)
		}
		if err := session.Close(); err != nil {
			t.Error(version, err)
		}
		if w := p.post(listTools, headers...); w.Code != 404 {
			t.Errorf("%s: after Close %d", version, w.Code)
		}
	}
	session := connect(t, url, "2025-11-25", nil)
	if w := p.end("Mcp-Session-Id: " + session.ID()); w.Code != 204 {
		t.Error(w.Code)
	}
	if _, err := session.ListTools(t.Context(), nil); !errors.Is(err, sdk.ErrSessionMissing) {
		t.Errorf("a session that has ended: %v", err)
	}
	_ = session.Close()
}

// mcp rows 25 and 26: the official client repeats arguments in headers, and
// takes every tool that asks for it.
func TestOfficialClientMirrors(t *testing.T) {
	session := connect(t, listen(t, mount(t, setup{services: []any{workshop()}}))+"/mcp", "2026-07-28", nil)
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 2 {
		t.Fatalf("%+v %v", tools, err)
	}
	for _, region := range []string{"eu", "Київ", " padded ", "=?base64?x?="} {
		got := callTool(t.Context(), t, session, "Workshop.order", map[string]any{
			"region": region, "part": map[string]any{"count": -7, "sharp": true},
		})
		if got.IsError || textOf(got) != `"`+region+`"` {
			t.Errorf("%q: %+v", region, got)
		}
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}

// Without sessions the official client works too.
func TestOfficialClientStandsAlone(t *testing.T) {
	url := listen(t, mount(t, setup{edge: mcp.Edge{SessionTTL: -1}})) + "/mcp"
	for _, version := range everyVersion {
		session := connect(t, url, version, nil)
		if got := callTool(t.Context(), t, session, "Depot.ping", nil); session.ID() != "" || textOf(got) != `"pong x"` {
			t.Errorf("%s: session %q, %+v", version, session.ID(), got)
		}
		if err := session.Close(); err != nil {
			t.Error(version, err)
		}
	}
}
