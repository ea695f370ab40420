package mcp

import (
	"net/http"
	"slices"
	"sync/atomic"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// batchBound is how many members of a batch run at once.
const batchBound = 8

// batch answers an array of messages, which only version 2025-03-26 has
// (2025-03-26, basic, "Batching").
func (a *answer) batch(h http.Header) {
	protocol := versionHeaderOf(h)
	t := a.turn
	switch {
	case modernBatch(protocol, t.reqs):
		a.refuse(http.StatusBadRequest, onlyOne())
	case slices.ContainsFunc(t.reqs, func(r jsonrpc.Request) bool { return string(r.Method) == "initialize" }):
		a.refuse(http.StatusBadRequest, invalidRequest("initialize must not be in a batch."))
	case !a.enter(h, protocol, false):
	case t.version != v20250326:
		a.refuse(http.StatusBadRequest, onlyOne())
	default:
		a.members(t.runMembers())
	}
}

func onlyOne() *rpcerrors.Error {
	return invalidRequest("a batch is served in version 2025-03-26 only; send one message.")
}

// runMembers answers each message of a batch by itself, as far as the answers
// fit into what may be sent together.
func (t *turn) runMembers() []turn {
	members := make([]turn, len(t.reqs))
	var size atomic.Int64 // of the answers so far, in bytes
	jsonrpc.Run(t.ctx, len(members), batchBound, nil, func(_, i int) {
		m := &members[i]
		*m = turn{server: t.server, ctx: t.ctx, visit: t.visit, view: t.view, version: t.version, session: t.session}
		m.member(&t.reqs[i])
		n := int64(len(m.out) + len(m.ready) + len(",}"))
		if size.Add(n) > t.sizes.Response {
			size.Add(-n)
			m.tooLarge(t.sizes.ResponseTooLarge())
		}
	})
	return members
}

// members sends the answers of a batch as an array, from where they lie.
func (a *answer) members(members []turn) {
	var parts [][]byte
	separator := []byte{'['}
	for i := range members {
		if m := &members[i]; len(m.out) > 0 {
			ready, end := m.rest()
			parts = append(parts, separator, m.out, ready, end)
			separator = []byte{','}
		}
	}
	parts = append(parts, []byte{']'})
	a.awaited = slices.ContainsFunc(members, func(t turn) bool { return t.ran.Awaited() })
	switch {
	case len(parts) == 1:
		a.accepted()
	case a.stream:
		a.sendEvent(parts...)
	default:
		a.write(parts...)
	}
	for i := range members {
		members[i].ran.Sent()
	}
}

// member answers one message of a batch, a notification with nothing.
func (t *turn) member(req *jsonrpc.Request) {
	if req.Notification() {
		t.params.read(req.Params)
		t.note(req)
		return
	}
	t.id, t.method = req.ID, req.Method
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
