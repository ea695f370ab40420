package mcp

import (
	"bytes"
	"context"
	"errors"
	"sync"

	"github.com/facet-rpc/facet/rpc/scan"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// errCancelled is why the context of a cancelled call ended.
var errCancelled = errors.New("mcp: the client cancelled the call")

// running are the calls that this process makes for sessions, so that
// notifications/cancelled can end one (2025-11-25, utilities, cancellation).
// The client's notification may reach another process, which then ignores it,
// as the protocol allows: the call goes on and its answer is sent.
type running struct {
	mu    sync.Mutex
	calls map[runningKey]*runningCall
}

type runningKey struct{ session, id string }

type runningCall struct {
	in     *running
	key    runningKey
	cancel context.CancelCauseFunc
}

// begin lets a call be cancelled until its end is told. That the client
// disconnects does not cancel it.
func (r *running) begin(ctx context.Context, session string, id []byte) (context.Context, *runningCall) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	c := &runningCall{r, runningKey{session, idText(id)}, cancel}
	r.mu.Lock()
	if r.calls == nil {
		r.calls = map[runningKey]*runningCall{}
	}
	r.calls[c.key] = c
	r.mu.Unlock()
	return ctx, c
}

func (c *runningCall) end() {
	c.in.mu.Lock()
	if c.in.calls[c.key] == c { // a client may use an id twice
		delete(c.in.calls, c.key)
	}
	c.in.mu.Unlock()
	c.cancel(nil)
}

// cancel ends a call, if it runs here.
func (r *running) cancel(session string, id []byte) {
	r.mu.Lock()
	c := r.calls[runningKey{session, idText(id)}]
	r.mu.Unlock()
	if c != nil {
		c.cancel(errCancelled)
	}
}

// idText is a raw id as it compares: strings without escapes.
func idText(id []byte) string {
	if len(id) > 1 && id[0] == '"' && bytes.IndexByte(id, '\\') >= 0 {
		return `"` + string(scan.Unquote(id[1:len(id)-1])) + `"`
	}
	return string(id)
}

// note does what a notification of the session era asks for.
func (t *turn) note(req *jsonrpc.Request) {
	if string(req.Method) != "notifications/cancelled" || t.session == "" {
		return
	}
	if id := t.params.requestID; len(id) > 0 && t.params.twice == "" {
		t.running.cancel(t.session, id)
	}
}
