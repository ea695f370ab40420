package mcp_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
)

// R-E02: post_response of a tool comes once per executed call, also in a
// batch (R-M13), and not for errors.
func TestPostResponse(t *testing.T) {
	var sent atomic.Int32
	bus := new(events.Bus)
	events.On(bus, func(context.Context, rpc.PostResponse) error { sent.Add(1); return nil })
	p := mount(t, setup{options: rpc.Options{Events: bus}})
	p.call("Depot.ping", `{}`)
	p.call("Depot.sell", `{}`)
	p.legacyCall("2025-11-25", "Depot.ping", `{}`)
	const member = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Depot.ping"}}`
	p.post(`[`+member+`,`+member+`]`, p.begin("2025-03-26")...)
	if err := p.exec.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := sent.Load(); n != 4 {
		t.Errorf("%d events, want 4", n)
	}
}

// R-C15, mcp row 14: in 2026-07-28 a disconnect cancels the call, in the
// session era it does not.
func TestDisconnect(t *testing.T) {
	for version, cancelled := range map[string]bool{"2026-07-28": true, "2025-11-25": false, "": false} {
		synctest.Test(t, func(t *testing.T) {
			release := make(chan struct{})
			waiter := rpc.Service{Name: "W", Groups: []string{"mcp"}, Methods: []rpc.Method{{Name: "wait", Func: func(ctx context.Context) error {
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-release:
					return nil
				}
			}}}}
			s := setup{services: []any{waiter}}
			if version == "" {
				s.edge = standsAlone.edge
			}
			p := mount(t, s)
			body, headers := modern("tools/call", `"name":"W.wait"`, "Mcp-Name: W.wait")
			if !cancelled {
				body, headers = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"W.wait"}}`, nil
				if version != "" { // else without a session
					headers = p.begin(version)
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan string)
			go func() { done <- p.postIn(ctx, body, headers...).Body.String() }()
			synctest.Wait()
			cancel()
			synctest.Wait()
			select {
			case got := <-done:
				if !cancelled || !strings.Contains(got, `"isError":true`) {
					t.Errorf("%s: ended with %s", version, got)
				}
			default:
				if cancelled {
					t.Errorf("%s: the call goes on", version)
				}
				close(release)
				<-done
			}
		})
	}
}
