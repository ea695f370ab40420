// Package jsonrpc is the envelope of JSON-RPC 2.0: it reads requests and batches in one strict
// scan, runs the members of a batch, and writes answers.
//
// [Parse] judges the envelope only. Params are checked for syntax and handed on as they lie in
// the body; whoever knows the method decodes them, once.
package jsonrpc

import rpcerrors "github.com/facet-rpc/facet/errors"

// Request is one request object of a body. Its slices point into the body (Method is a copy when
// it was written with escapes) and must not be changed.
type Request struct {
	// ID is the raw JSON of the id, to be echoed byte for byte: a string, a number or null.
	// It is nil when the member is absent, and when it cannot be read because Fault says so.
	ID []byte
	// Method is the unescaped name. It can be empty.
	Method []byte
	// Params is the raw JSON object or array; nil when absent or null.
	Params []byte
	// Fault is nil for a valid request. Otherwise it is an *rpcerrors.Error of code -32600: this
	// member must not run, and is answered with ID, or null without one.
	Fault error
}

// Notification reports whether r must not be answered: it is valid and its id is absent.
// An id of null is a request (section 4.1).
func (r *Request) Notification() bool { return r.ID == nil && r.Fault == nil }

// fail makes r faulty; the first fault found is the one told.
func (r *Request) fail(why string) {
	if r.Fault == nil {
		r.Fault = invalid(why)
	}
}

func invalid(why string) *rpcerrors.Error {
	return rpcerrors.InvalidRequest.New("Invalid request: " + why)
}
