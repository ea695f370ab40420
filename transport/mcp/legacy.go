package mcp

import (
	"net/http"

	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// legacy answers a message of the session era, at the version of its session.
// Without sessions every request is served at the version its header names.
func (a *answer) legacy(h http.Header, protocol versionHeader, req *jsonrpc.Request) {
	t := a.turn
	method := string(req.Method)
	switch {
	case method == "initialize" && !req.Notification() && t.params.twice == "":
		a.initialize() // whatever session the request still names
	case !a.enter(h, protocol, method == "ping" || method == "initialize"):
	case req.Notification():
		t.note(req)
		a.accepted()
	case method == "tools/call" && t.params.twice == "":
		a.call()
	default:
		t.answerLegacy(req)
		a.send()
	}
}

func legacyVersion(protocol versionHeader) version {
	if protocol.text == "" {
		return assumedVersion
	}
	return versionOf(protocol.text)
}

// answerLegacy writes the answer to every request but tools/call and
// initialize.
func (t *turn) answerLegacy(req *jsonrpc.Request) {
	switch method := string(req.Method); {
	case t.params.twice != "":
		t.fail(twice(&t.params))
	case method == "ping":
		t.result([]byte("{}"))
	case method == "tools/list":
		t.list()
	default:
		t.fail(methodNotFound(req.Method))
	}
}
