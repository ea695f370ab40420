package mcp

import (
	"net/http"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// legacy answers a message of the session era. No session is kept: every
// request is served at the version its header names.
func (a *answer) legacy(h http.Header, protocol versionHeader, req *jsonrpc.Request) {
	t := a.turn
	t.version = legacyVersion(protocol)
	method := string(req.Method)
	if stale(h) && method != "initialize" {
		a.refuse(http.StatusNotFound, unknownSession())
		return
	}
	if req.Notification() {
		a.accepted()
		return
	}
	if method == "tools/call" && t.params.twice == "" {
		a.call()
		return
	}
	t.answerLegacy(req)
	a.send()
}

func legacyVersion(protocol versionHeader) version {
	if protocol.text == "" {
		return assumedVersion
	}
	return versionOf(protocol.text)
}

// stale reports whether a request belongs to a session. We give out no ids,
// so it is one of another program, or of an earlier one at this address:
// ended, as far as the client is concerned. 404 makes it begin anew
// (2025-11-25, transports, "Session Management" 4), while serving it would
// leave it with what it agreed with somebody else. initialize is that new
// beginning, whatever it still carries.
func stale(h http.Header) bool {
	id, _ := field(h, headerSession)
	return id != ""
}

func unknownSession() *rpcerrors.Error {
	return rpcerrors.InvalidRequest.New("Session not found: send initialize to begin anew.")
}

// answerLegacy writes the answer to every request but tools/call.
func (t *turn) answerLegacy(req *jsonrpc.Request) {
	switch method := string(req.Method); {
	case t.params.twice != "":
		t.fail(twice(&t.params))
	case method == "initialize":
		t.initialize()
	case method == "ping":
		t.result([]byte("{}"))
	case method == "tools/list":
		t.list()
	default:
		t.fail(methodNotFound(req.Method))
	}
}

// initialize agrees on a version: the one asked for, else our newest
// (lifecycle, "Version Negotiation"). It is never 2026-07-28, which has no
// sessions to initialize.
func (t *turn) initialize() {
	asked := t.params.version
	if asked.state != given {
		t.fail(invalidParams(`"protocolVersion" must be a string, such as "` + newestLegacy.String() + `".`))
		return
	}
	v := versionOf(string(asked.value))
	if !v.legacy() {
		v = newestLegacy
	}
	t.result(t.about.initialize[v])
}
