package mcp

import (
	"net/http"

	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// batchBound is how many members of a batch run at once.
const batchBound = 8

// batch answers an array of messages, which only version 2025-03-26 has
// (2025-03-26, basic, "Batching").
func (a *answer) batch(h http.Header) {
	protocol := versionHeaderOf(h)
	t := a.turn
	if modernBatch(protocol, t.reqs) || legacyVersion(protocol) != v20250326 {
		a.refuse(http.StatusBadRequest, invalidRequest("a batch is served in version 2025-03-26 only; send one message."))
		return
	}
	if stale(h) {
		a.refuse(http.StatusNotFound, unknownSession())
		return
	}
	for i := range t.reqs {
		if string(t.reqs[i].Method) == "initialize" {
			a.refuse(http.StatusBadRequest, invalidRequest("initialize must not be in a batch."))
			return
		}
	}
	members := make([]turn, len(t.reqs))
	jsonrpc.Run(t.ctx, len(members), batchBound, nil, func(_, i int) {
		members[i] = turn{server: t.server, ctx: t.ctx, visit: t.visit, version: v20250326}
		members[i].member(&t.reqs[i])
	})
	for i := range members {
		if m := &members[i]; len(m.out) > 0 {
			ready, end := m.rest()
			t.out = append(append(append(append(t.out, ','), m.out...), ready...), end...)
		}
	}
	if len(t.out) == 0 {
		a.accepted()
	} else {
		t.out[0] = '['
		t.out = append(t.out, ']')
		a.send()
		a.flush()
	}
	for i := range members {
		members[i].ran.Sent()
	}
}

// member answers one message of a batch, a notification with nothing.
func (t *turn) member(req *jsonrpc.Request) {
	if req.Notification() {
		return
	}
	t.id = req.ID
	if t.id == nil {
		t.id = []byte("null")
	}
	if req.Fault != nil {
		t.fail(public(req.Fault))
		return
	}
	t.params.read(req.Params)
	if string(req.Method) == "tools/call" && t.params.twice == "" {
		t.call()
		return
	}
	t.answerLegacy(req)
}
