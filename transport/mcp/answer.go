package mcp

import (
	"net/http"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// answer is where the answer to a POST goes.
type answer struct {
	w           http.ResponseWriter
	stream      bool // the client takes nothing but text/event-stream
	takesStream bool // the client names text/event-stream
	open        bool // the stream has begun
	turn        *turn

	awaited bool // somebody waits for the answer to be on the wire
}

// send writes the turn's answer, with status 200.
func (a *answer) send() {
	ready, end := a.turn.rest()
	if a.stream || a.open {
		a.sendEvent(a.turn.out, ready, end)
		return
	}
	a.write(a.turn.out, ready, end)
}

func (a *answer) write(parts ...[]byte) {
	if a.awaited {
		guard.AnswerNow(a.w, http.StatusOK, parts...)
		return
	}
	guard.Answer(a.w, http.StatusOK, parts...)
}

// sendEvent writes the parts of an answer as the last event of a stream.
func (a *answer) sendEvent(parts ...[]byte) {
	if a.open {
		_ = writeEvent(a.w, parts...) // the client may have gone
		return
	}
	openStream(a.w)
	a.write(event(parts...)...)
}

// nothing ends a request without an answer: its client cancelled the call. A
// client that takes streams gets an empty one, because some take no other
// answer to a request for one that is not JSON.
func (a *answer) nothing() {
	switch {
	case a.open:
	case a.takesStream:
		openStream(a.w)
		a.w.WriteHeader(http.StatusOK)
	default:
		a.accepted()
	}
}

// accepted answers what wants no answer (Streamable HTTP, "Sending Messages").
func (a *answer) accepted() { a.w.WriteHeader(http.StatusAccepted) }

// refuse answers with an error of the protocol that has a status of its own.
func (a *answer) refuse(status int, e *rpcerrors.Error) {
	refuse(a.w, status, a.turn.id, a.turn.report(e))
}

func refuse(w http.ResponseWriter, status int, id []byte, e *rpcerrors.Error) {
	if id == nil {
		// JSON-RPC would have null here; MCP leaves an unknown id out.
		guard.Answer(w, status, jsonrpc.AppendErrorNoID(nil, e))
		return
	}
	guard.Answer(w, status, jsonrpc.AppendError(nil, id, e))
}
