package rpchttp

import (
	"context"
	"net/http"
	"slices"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// batch is a batch in progress. Each worker appends the answers of its members
// to a buffer of its own, each with a comma before it: answers that lie next to
// each other are sent in one piece.
type batch struct {
	server   *server
	ctx      context.Context
	visit    *guard.Visit
	requests []jsonrpc.Request
	refs     *references // nil without any

	members []member
	buffers [][]byte // by worker
	pieces  [][]byte
	room    budget // for answers
}

// member is what became of one request.
type member struct {
	begun      bool
	worker     int
	start, end int    // of the answer in the worker's buffer; equal: none
	large      []byte // the result if it is large; its place is before end-1
	response   rpc.Response
}

// serveBatch answers an array of requests with an array of answers in the same
// order, or with nothing if all were notifications.
func (s *server) serveBatch(w http.ResponseWriter, r *http.Request, v *guard.Visit, x *exchange, requests []jsonrpc.Request) {
	if r.Header["Idempotency-Key"] != nil {
		refuse(w, x, nil, v.Fail(r.Context(), v.Call("", nil), rpcerrors.InvalidRequest.New(
			"The header Idempotency-Key names one call; the members of a batch have keys of their own in $rpc.idempotencyKey.")))
		return
	}
	b := &x.batch
	b.begin(s, r.Context(), v, requests)
	jsonrpc.Run(b.ctx, len(requests), s.parallel, b.parents(), b.run)
	b.complete()
	if pieces := b.join(); pieces == nil {
		noContent(w)
	} else {
		send(w, b.awaited(), pieces...)
	}
	for i := range b.members {
		b.members[i].response.Sent()
	}
	b.end()
}

func (b *batch) begin(s *server, ctx context.Context, v *guard.Visit, requests []jsonrpc.Request) {
	b.server, b.ctx, b.visit, b.requests = s, ctx, v, requests
	if cap(b.members) < len(requests) {
		b.members = make([]member, len(requests))
	}
	b.members = b.members[:len(requests)]
	for len(b.buffers) < min(s.parallel, len(requests)) {
		b.buffers = append(b.buffers, nil)
	}
	b.room.left.Store(s.sizes.Response - int64(len("[]")))
	if s.references {
		b.refs = findReferences(requests, s.limits.Depth, s.sizes.Response)
	}
}

// parents lists the members that each one waits for, nil when none waits.
func (b *batch) parents() [][]int {
	if b.refs == nil {
		return nil
	}
	return b.refs.parents
}

// run runs member i and appends its answer to the worker's buffer.
func (b *batch) run(worker, i int) {
	req, m := &b.requests[i], &b.members[i]
	m.begun, m.worker = true, worker
	if req.Fault != nil {
		b.answer(m, req.ID, b.server.fault(b.ctx, b.visit, req))
		return
	}
	failure := b.fill(i)
	if failure == nil {
		m.response, failure = b.server.do(b.ctx, b.visit, req, "")
	}
	if !req.Notification() {
		b.answer(m, req.ID, failure)
	}
}

// fill puts the answers that member i refers to into its params.
func (b *batch) fill(i int) (failure *rpcerrors.Error) {
	if b.refs == nil {
		return nil
	}
	req := &b.requests[i]
	params, fault := b.refs.params(i, req.Params, func(parent int) *rpc.Response { return &b.members[parent].response })
	if fault != nil {
		return b.visit.Fail(b.ctx, b.visit.Call(b.server.endpoint.Intern(req.Method), nil), fault)
	}
	req.Params = params
	return nil
}

// answer appends the answer of m, if it fits into what may still be sent.
func (b *batch) answer(m *member, id []byte, failure *rpcerrors.Error) {
	buffer := b.buffers[m.worker]
	m.start = len(buffer)
	buffer = append(buffer, ',')
	out, large := b.server.appendAnswer(b.visit, buffer, id, &m.response, failure)
	size := int64(len(out) - m.start + len(large))
	if !b.room.take(size) {
		tooLarge := b.server.sizes.ResponseTooLarge()
		if failure == nil {
			tooLarge = fail(&m.response, tooLarge)
		} else {
			tooLarge = b.visit.Translate(tooLarge)
		}
		out, large = jsonrpc.AppendError(buffer, id, tooLarge), nil
	}
	m.end, m.large = len(out), large
	b.buffers[m.worker] = out
}

// complete answers the requests that have no answer yet: the request ended
// before they began, so that mostly nobody will read it; or the method ended
// its goroutine and did not return.
func (b *batch) complete() {
	for i := range b.members {
		switch m := &b.members[i]; {
		case m.end > m.start || b.requests[i].Notification():
		case m.begun:
			b.answer(m, b.requests[i].ID, b.visit.Translate(rpcerrors.Internal.New("")))
		default:
			b.answer(m, b.requests[i].ID, b.visit.Translate(rpcerrors.Canceled.New("The call was cancelled before it began.")))
		}
	}
}

// join makes the array, in pieces; nil if there is no answer.
func (b *batch) join() [][]byte {
	var worker, start, end int // the answers that are not in pieces yet
	for i := range b.members {
		m := &b.members[i]
		if m.start == m.end {
			continue
		}
		if m.worker != worker || m.start != end {
			b.piece(worker, start, end)
			worker, start = m.worker, m.start
		}
		end = m.end
		if m.large != nil {
			b.piece(worker, start, m.end-1)
			b.pieces = append(b.pieces, m.large)
			start = m.end - 1
		}
	}
	b.piece(worker, start, end)
	if len(b.pieces) == 0 {
		return nil
	}
	b.pieces[0][0] = '[' // for the comma
	b.pieces = append(b.pieces, closing)
	return b.pieces
}

var closing = []byte{']'}

// awaited reports whether somebody waits for an answer to be sent.
func (b *batch) awaited() bool {
	return slices.ContainsFunc(b.members, func(m member) bool { return m.response.Awaited() })
}

func (b *batch) piece(worker, start, end int) {
	if start < end {
		b.pieces = append(b.pieces, b.buffers[worker][start:end])
	}
}

// end keeps what the next batch can use.
func (b *batch) end() {
	clear(b.members)
	clear(b.pieces[:cap(b.pieces)])
	b.pieces = b.pieces[:0]
	if cap(b.members) > keptRequests {
		b.members, b.pieces = nil, nil
	}
	for i, buffer := range b.buffers {
		if b.buffers[i] = buffer[:0]; cap(buffer) > keptBuffer/2 {
			b.buffers[i] = nil
		}
	}
	b.server, b.ctx, b.visit, b.requests, b.refs = nil, nil, nil, nil, nil
}
