package mcp

import (
	"bytes"
	"net/http"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// modern answers a message of 2026-07-28, or of a version we do not know.
func (a *answer) modern(h http.Header, protocol versionHeader, req *jsonrpc.Request) {
	a.turn.version = v20260728
	if req.Notification() {
		a.notified(protocol)
		return
	}
	if e := checkEnvelope(h, protocol, req, &a.turn.params); e != nil {
		a.refuse(http.StatusBadRequest, e)
		return
	}
	switch string(req.Method) {
	case "tools/call":
		e := checkName(h, &a.turn.params)
		if e == nil {
			e = a.turn.checkMirrors(h)
		}
		if e != nil {
			a.refuse(http.StatusBadRequest, e)
			return
		}
		a.call()
	case "tools/list":
		a.turn.list()
		a.send()
	case "server/discover":
		a.turn.result(a.turn.about.discover)
		a.send()
	default:
		a.refuse(http.StatusNotFound, methodNotFound(req.Method))
	}
}

// notified answers a notification. The protocol has none that a client sends
// here and asks for no headers on them, so all are taken, but not in a
// version that is not spoken.
func (a *answer) notified(protocol versionHeader) {
	switch {
	case protocol.repeated:
		a.refuse(http.StatusBadRequest, headerMismatch.New("The header MCP-Protocol-Version is given more than once."))
	case protocol.text != "" && versionOf(protocol.text) == unknownVersion:
		a.refuse(http.StatusBadRequest, unsupported(protocol.text))
	default:
		a.accepted()
	}
}

// checkEnvelope checks what every request carries: an id of the right kind,
// _meta, and the headers that repeat the body (Streamable HTTP, "Protocol
// Version Header" and "Standard Request Headers"). A difference between
// header and body is told before a version that is not spoken: an
// intermediary may have acted on the header.
func checkEnvelope(h http.Header, protocol versionHeader, req *jsonrpc.Request, p *params) *rpcerrors.Error {
	m := &p.meta
	known := versionOf(protocol.text)
	switch {
	case protocol.repeated:
		return headerMismatch.New("The header MCP-Protocol-Version is given more than once.")
	case m.version.state == absent && protocol.text != "" && known == unknownVersion:
		return unsupported(protocol.text)
	case m.version.state != given:
		return missingKeys(p, req)
	case protocol.text == "":
		return headerMismatch.New("The header MCP-Protocol-Version is missing.")
	case string(m.version.value) != protocol.text:
		return headerMismatch.New("The header MCP-Protocol-Version is not the version in params._meta.")
	case known != v20260728:
		return unsupported(protocol.text)
	}
	if e := checkMeta(req.ID, p); e != nil {
		return e
	}
	return checkRepeated(h, headerMethod, "Mcp-Method", req.Method)
}

// missingKeys names the keys that every request must have in _meta, when the
// version is not there.
func missingKeys(p *params, req *jsonrpc.Request) *rpcerrors.Error {
	why := "params._meta must have"
	switch m := &p.meta; {
	case m.version.state == absent && m.capabilities == 0:
		why += ` "` + keyVersion + `" and "` + keyCapabilities + `".`
	default:
		why += ` a string as "` + keyVersion + `".`
	}
	if string(req.Method) == "initialize" {
		why += " To begin a session of " + newestLegacy.String() + " or before, send initialize without the header MCP-Protocol-Version."
	}
	return invalidParams(why)
}

// checkMeta checks the kinds of what _meta holds.
func checkMeta(id []byte, p *params) *rpcerrors.Error {
	m := &p.meta
	switch {
	case id[0] != '"' && bytes.ContainsAny(id, ".eE"):
		return invalidRequest(`"id" must be a string or an integer.`)
	case p.twice != "":
		return twice(p)
	case m.capabilities != '{':
		return invalidParams(`params._meta must have an object as "` + keyCapabilities + `".`)
	case m.client != 0 && m.client != '{':
		return invalidParams(`"` + keyClient + `" in params._meta must be an object.`)
	case m.logLevel.state != absent && !logLevel(m.logLevel):
		return invalidParams(`"` + keyLogLevel + `" in params._meta must be a level such as info.`)
	case m.progress != nil && !isToken(m.progress):
		return invalidParams(`"` + keyProgress + `" in params._meta must be a string or an integer.`)
	}
	return nil
}

func twice(p *params) *rpcerrors.Error {
	return invalidParams("the member " + quoteName([]byte(p.twice)) + " is given twice.")
}

// logLevel: one of RFC 5424's. We send no log messages, but say so only to
// what could be one.
func logLevel(t text) bool {
	if t.state != given {
		return false
	}
	switch string(t.value) {
	case "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency":
		return true
	}
	return false
}

func isToken(raw []byte) bool {
	return raw[0] == '"' || (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') && !bytes.ContainsAny(raw, ".eE")
}

// checkName compares Mcp-Name with the tool that is called.
func checkName(h http.Header, p *params) *rpcerrors.Error {
	if p.name.state != given {
		return nil // the call itself is malformed, and says so
	}
	return checkRepeated(h, headerName, "Mcp-Name", p.name.value)
}

// checkRepeated checks a header that repeats a value of the body.
func checkRepeated(h http.Header, key, name string, want []byte) *rpcerrors.Error {
	got, n := field(h, key)
	switch {
	case n == 0:
		return headerMismatch.New("The header " + name + " is missing.")
	case n > 1:
		return headerMismatch.New("The header " + name + " is given more than once.")
	case got == string(want):
		return nil
	}
	if key == headerName {
		decoded, ok := decodeValue(got)
		switch {
		case !ok:
			return headerMismatch.New("The header " + name + " is not valid base64.")
		case decoded == string(want):
			return nil
		}
	}
	return headerMismatch.New("The header " + name + " is not what the body says.")
}
