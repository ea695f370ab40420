// Package rpchttp is the JSON-RPC 2.0 edge: POST /rpc and /rpc/v<n>.
//
//	err := guard.Mount(engine, exec, policy, rpchttp.Edge{})
//
// A body is one request or an array of them, a batch. What the HTTP status
// says:
//
//	200  the body was a valid request, or a batch, whatever its outcome
//	204  it held notifications only; there is no body
//	400  one error for the body as a whole: it is no JSON (-32700), no request
//	     (-32600), an empty batch or one of too many members (-32600)
//
// and the guard in front answers 401, 403, 404, 405, 408, 413, 415, 429 and 503
// before the body is read; see docs/http.md.
//
// The members of a batch begin in their order. If they take longer than a
// millisecond together, the rest runs concurrently. Answers are in the order
// of the requests, and each member has its own: one that fails, panics or
// answers too much does not touch the others.
//
// Besides the methods of the program it serves the built-ins: ping, which
// answers "PONG", and what other edges bring, such as rpc.discover.
package rpchttp

import (
	"cmp"
	"fmt"
	"net/http"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// Edge serves the methods of one group as JSON-RPC 2.0 over POST. The zero
// value serves [rpc.DefaultGroup] on /rpc.
type Edge struct {
	// Path is where version 1 is served, version n on Path/v<n>; empty: /rpc.
	Path string
	// Group is whose methods are served; empty: [rpc.DefaultGroup].
	Group string
	// Batch is the most members of a batch; 0: 100. A larger one is refused as
	// a whole, nothing of it runs.
	Batch int
	// Parallel is how many members of one batch run at once; 0: 4.
	Parallel int
	// References lets a call of a batch use the answer of another: a parameter
	// that is the string "@FROM:<id>(<path>)" becomes the result of the call
	// with that id, or what lies in it at the path, such as items.0.sku; the
	// call waits for it. Text that begins so is written with one @ more,
	// "@@FROM:". What cannot be filled in is -32301.
	References bool
	// Depth is how many objects and arrays of a request may lie inside each
	// other, 64 at most, which is also what 0 means.
	Depth int
	// MaxResponse is the most bytes of an answer to one HTTP request; 0: 32
	// MiB. A member of a batch whose answer does not fit any more answers an
	// error instead; smaller ones after it may still fit. Those errors come on
	// top.
	MaxResponse int64
	// MaxResult is the most bytes of what one call answers, alone or in a
	// batch; 0: half of MaxResponse.
	MaxResult int64
}

const (
	defaultPath     = "/rpc"
	defaultParallel = 4
)

// Routes is for [guard.Mount].
func (e Edge) Routes(site *guard.Site) ([]guard.Route, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	return []guard.Route{{
		Edge:    "rpc",
		Path:    cmp.Or(e.Path, defaultPath),
		Group:   cmp.Or(e.Group, rpc.DefaultGroup),
		Methods: []string{http.MethodPost},
		Types:   []string{"application/json", "application/json-rpc"},
		Handler: func(door *guard.Door) guard.Handler { return newServer(e, site, door).serve },
	}}, nil
}

func (e Edge) check() error {
	for name, value := range map[string]int64{
		"Batch": int64(e.Batch), "Parallel": int64(e.Parallel), "Depth": int64(e.Depth),
		"MaxResponse": e.MaxResponse, "MaxResult": e.MaxResult,
	} {
		if value < 0 {
			return fmt.Errorf("rpchttp: Edge.%s is %d; give a positive number, or 0 for its default", name, value)
		}
	}
	if e.Depth > jsonrpc.DefaultDepth {
		return fmt.Errorf("rpchttp: Edge.Depth is %d; parameters are read to a depth of %d, give no more", e.Depth, jsonrpc.DefaultDepth)
	}
	return nil
}

func newServer(e Edge, site *guard.Site, door *guard.Door) *server {
	s := &server{
		endpoint: door.Endpoint(),
		builtins: map[string]*rpc.Spec{},
		limits:   jsonrpc.Limits{Batch: e.Batch, Depth: e.Depth},
		parallel: cmp.Or(e.Parallel, defaultParallel), references: e.References,
		sizes: jsonrpc.Sizes{Response: e.MaxResponse, Result: e.MaxResult}.OrDefaults(),
	}
	for _, b := range site.Builtins() {
		s.builtins[b.Name()] = b
	}
	return s
}
