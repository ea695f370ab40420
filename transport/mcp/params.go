package mcp

import (
	"github.com/facet-rpc/facet/rpc/scan"
)

// The keys of _meta that the protocol itself uses (2026-07-28, basic, "_meta").
const (
	keyVersion      = "io.modelcontextprotocol/protocolVersion"
	keyCapabilities = "io.modelcontextprotocol/clientCapabilities"
	keyClient       = "io.modelcontextprotocol/clientInfo"
	keyLogLevel     = "io.modelcontextprotocol/logLevel"
	keyServer       = "io.modelcontextprotocol/serverInfo"
	keyProgress     = "progressToken"
)

// state says what stands in place of a string.
type state uint8

const (
	absent state = iota
	null
	wrong // another kind of value
	given
)

// text is a member that should be a string.
type text struct {
	value []byte // unescaped
	state state
}

// params is what the methods of the protocol take, read in one pass over the
// JSON, which [jsonrpc.Parse] has checked. Names match exactly and by case;
// others are ignored.
type params struct {
	object    bool   // params is an object
	twice     string // a name that is given twice; nothing may run then
	name      text   // tools/call
	arguments []byte // tools/call: raw, nil when absent or null
	cursor    text   // tools/list
	version   text   // initialize
	requestID []byte // notifications/cancelled: raw
	meta      meta
}

// meta is params._meta.
type meta struct {
	object       bool
	version      text
	capabilities byte // the first byte of the value, 0 when absent
	client       byte // the same
	logLevel     text
	progress     []byte // the raw token, nil when absent
}

// read fills p from raw params, nil for none.
func (p *params) read(raw []byte) {
	*p = params{}
	if len(raw) == 0 || raw[0] != '{' {
		return
	}
	p.object = true
	r := reader{scan.Scanner{Src: raw}}
	var seen uint8
	for name, ok := r.first(); ok; name, ok = r.next() {
		var bit uint8
		switch string(name) {
		case "name":
			bit = 1
			p.name = r.text()
		case "arguments":
			bit = 2
			p.arguments = r.value()
			if p.arguments[0] == 'n' {
				p.arguments = nil
			}
		case "_meta":
			bit = 4
			p.readMeta(&r)
		case "cursor":
			bit = 8
			p.cursor = r.text()
		case "protocolVersion":
			bit = 16
			p.version = r.text()
		case "requestId":
			bit = 32
			p.requestID = r.value()
		default:
			r.value()
		}
		p.once(&seen, bit, name)
	}
}

func (p *params) readMeta(r *reader) {
	m := &p.meta
	if r.Peek() != '{' {
		r.value()
		return
	}
	m.object = true
	var seen uint8
	for name, ok := r.first(); ok; name, ok = r.next() {
		var bit uint8
		switch string(name) {
		case keyVersion:
			bit = 1
			m.version = r.text()
		case keyCapabilities:
			bit = 2
			m.capabilities = r.value()[0]
		case keyClient:
			bit = 4
			m.client = r.value()[0]
		case keyLogLevel:
			bit = 8
			m.logLevel = r.text()
		case keyProgress:
			bit = 16
			m.progress = r.value()
		default:
			r.value()
		}
		p.once(&seen, bit, name)
	}
}

// once notes a name that stands twice. bit is 0 for names without a meaning.
func (p *params) once(seen *uint8, bit uint8, name []byte) {
	if *seen&bit != 0 && p.twice == "" {
		p.twice = string(name)
	}
	*seen |= bit
}

// reader walks over JSON that is known to be valid, so errors only end it.
type reader struct{ scan.Scanner }

// first is at '{' and reads up to the value of the first member; ok is false
// when there is none, and the object is passed.
func (r *reader) first() (name []byte, ok bool) {
	if r.Peek() != '{' {
		return nil, false
	}
	r.Pos++
	if r.Peek() == '}' {
		r.Pos++
		return nil, false
	}
	return r.member()
}

// next is behind a value and reads up to the value of the next member.
func (r *reader) next() (name []byte, ok bool) {
	c := r.Peek()
	r.Pos++
	if c != ',' {
		return nil, false
	}
	return r.member()
}

func (r *reader) member() (name []byte, ok bool) {
	r.Peek()
	name, err := r.str()
	if err != nil || r.Peek() != ':' {
		return nil, false
	}
	r.Pos++
	return name, true
}

func (r *reader) str() ([]byte, error) {
	raw, escaped, err := r.Str()
	if err == nil && escaped {
		raw = scan.Unquote(raw)
	}
	return raw, err
}

// text reads a value that should be a string.
func (r *reader) text() text {
	switch r.Peek() {
	case '"':
		s, _ := r.str()
		return text{s, given}
	case 'n':
		r.value()
		return text{nil, null}
	}
	r.value()
	return text{nil, wrong}
}

// value passes a value and returns its JSON, never empty.
func (r *reader) value() []byte {
	r.Peek()
	start := r.Pos
	if r.Skip(0) != nil || r.Pos == start {
		r.Pos = len(r.Src) // ends the walk
		return []byte{'?'}
	}
	return r.Src[start:r.Pos:r.Pos]
}

// isResponse reports whether a body that is no request is the answer to one:
// an object with result or error and without method.
func isResponse(body []byte) bool {
	r := reader{scan.Scanner{Src: body}}
	found := false
	for name, ok := r.first(); ok; name, ok = r.next() {
		switch string(name) {
		case "method":
			return false
		case "result", "error":
			found = true
		}
		r.value()
	}
	return found
}
