package mcp_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/facet-rpc/facet/rpc"
)

// waiter has a tool that runs until it is cancelled or released, and tells
// progress first.
func waiter(release <-chan struct{}) rpc.Service {
	return rpc.Service{Name: "W", Groups: []string{"mcp"}, Methods: []rpc.Method{{Name: "wait", Func: func(ctx context.Context) error {
		rpc.Progress(ctx, 1, 2, "waiting")
		select {
		case <-ctx.Done():
			rpc.Progress(ctx, 2, 2, "too late")
			return ctx.Err()
		case <-release:
			return nil
		}
	}}}}
}

func cancelOf(id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"changed my mind"}}`
}

// R-C15, mcp L13: in the session era a notification cancels a call of the same
// session, and the request ends without an answer.
func TestCancel(t *testing.T) {
	for _, c := range []struct {
		name      string
		id, named string // of the call, and as the notification has it
		token     string // of progress
		accept    string
		other     bool // the notification comes in another session
		status    int  // 0: the call goes on
		kind      string
		events    int
	}{
		{name: "a number", id: `7`, named: `7`, status: 200, kind: "text/event-stream"},
		{name: "a string", id: `"a"`, named: `"a"`, status: 200, kind: "text/event-stream"},
		{name: "a string written otherwise", id: `"a\u0062"`, named: `"ab"`, status: 200, kind: "text/event-stream"},
		{name: "no stream is taken", id: `7`, named: `7`, accept: "application/json", status: 202},
		{name: "the stream has begun", id: `7`, named: `7`, token: `,"_meta":{"progressToken":1}`, status: 200, kind: "text/event-stream", events: 1},
		{name: "another id", id: `7`, named: `8`},
		{name: "a string is no number", id: `7`, named: `"7"`},
		{name: "another session", id: `7`, named: `7`, other: true},
		{name: "no id", id: `7`, named: `null`},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				p := mount(t, setup{services: []any{waiter(release)}})
				session, from := p.begin("2025-11-25"), p.begin("2025-11-25")
				if !c.other {
					from = session
				}
				done := make(chan *httptest.ResponseRecorder)
				go func() {
					headers := session
					if c.accept != "" {
						headers = append(headers, "Accept: "+c.accept)
					}
					done <- p.post(`{"jsonrpc":"2.0","id":`+c.id+`,"method":"tools/call","params":{"name":"W.wait"`+c.token+`}}`, headers...)
				}()
				synctest.Wait()
				if w := p.post(cancelOf(c.named), from...); w.Code != 202 || w.Body.Len() > 0 {
					t.Errorf("the notification: %d %s", w.Code, w.Body)
				}
				synctest.Wait()
				select {
				case w := <-done:
					if w.Code != c.status || w.Header().Get("Content-Type") != c.kind || len(eventsOf(w.Body.String())) != c.events || c.events == 0 && w.Body.Len() > 0 {
						t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
					}
				default:
					if c.status != 0 {
						t.Error("the call goes on")
					}
					close(release)
					<-done
				}
			})
		})
	}
}

// A cancelled member of a batch has no answer there.
func TestCancelInBatch(t *testing.T) { // mcp L10, L13
	synctest.Test(t, func(t *testing.T) {
		p := mount(t, setup{services: []any{waiter(nil)}})
		session := p.begin("2025-03-26")
		const wait = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"W.wait"}}`
		for body, want := range map[string]string{
			`[` + wait + `,{"jsonrpc":"2.0","id":2,"method":"ping"}]`: `[{"jsonrpc":"2.0","id":2,"result":{}}]`,
			`[` + wait + `]`: ``,
		} {
			done := make(chan string)
			go func() { done <- p.post(body, session...).Body.String() }()
			synctest.Wait()
			p.post(`[`+cancelOf(`1`)+`]`, session...)
			if got := <-done; got != want {
				t.Errorf("%s: %q", body, got)
			}
		}
	})
}

// A call that has ended is not cancelled by a late notification, nor one with
// its id after it. In 2026-07-28 the notification means nothing.
func TestLateCancel(t *testing.T) { // case D18
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{}, 1)
		p := mount(t, setup{services: []any{waiter(release)}})
		session := p.begin("2025-11-25")
		const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"W.wait"}}`
		release <- struct{}{}
		p.post(call, session...)
		p.post(cancelOf(`1`), session...)
		release <- struct{}{}
		if w := p.post(call, session...); w.Code != 200 || w.Body.Len() == 0 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		body, headers := modern("tools/call", `"name":"W.wait"`, "Mcp-Name: W.wait")
		done := make(chan *httptest.ResponseRecorder)
		go func() { done <- p.post(body, headers...) }()
		synctest.Wait()
		p.post(cancelOf(`1`), "MCP-Protocol-Version: 2026-07-28", session[1])
		release <- struct{}{}
		if w := <-done; w.Code != 200 || w.Body.Len() == 0 {
			t.Errorf("2026-07-28: %d %s", w.Code, w.Body)
		}
	})
}

// A client that uses an id again while it is in use can still cancel the
// later call, also when the earlier one has ended.
func TestCancelOfIDInUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		p := mount(t, setup{services: []any{waiter(release)}})
		session := p.begin("2025-11-25")
		done := make(chan *httptest.ResponseRecorder)
		for range 2 {
			go func() {
				done <- p.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"W.wait"}}`, session...)
			}()
			synctest.Wait() // they begin one after another
		}
		release <- struct{}{} // the earlier one: it waits the longest
		if w := <-done; !strings.Contains(w.Body.String(), `"isError":false`) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		p.post(cancelOf(`1`), session...)
		if w := <-done; w.Body.Len() != 0 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}
