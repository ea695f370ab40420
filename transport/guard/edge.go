package guard

import (
	"context"
	"net/http"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
)

// Edge is a protocol that serves methods over HTTP: rpchttp.Edge,
// openrpc.Edge, mcp.Edge. It gets no call through but by a [Door].
type Edge interface {
	// Routes lists what the edge serves. [Mount] calls it once, after the
	// policy was found right; an error stops the mount.
	Routes(*Site) ([]Route, error)
}

// Builtins is an Edge that brings methods of its own, such as rpc.discover,
// for the edges that serve built-ins.
type Builtins interface {
	Builtins(*Site) []rpc.Method
}

// Route is one path of an edge.
type Route struct {
	// Edge is the first part of the endpoint's name, such as rpc.
	Edge string
	// Path serves version 1; Path/v<n> serves version n. With Document, Path
	// is one page for all versions of its kind.
	Path     string
	Document bool
	// Group is whose methods are served; an unknown one is a mount error.
	Group string
	// Methods are the HTTP methods served; others are 405 with Allow. OPTIONS
	// is added, and HEAD where there is GET.
	Methods []string
	// Types are the media types a body may have; others are 415. A request
	// without Content-Type passes.
	Types []string
	// Public: served without a token.
	Public bool
	// Handler makes the handler of one version; called once per version at mount.
	Handler func(*Door) Handler
}

// Handler serves one admitted request: Host, Origin, path, version, HTTP
// method, token, group and media type have been checked.
type Handler func(w http.ResponseWriter, r *http.Request, v *Visit)

// Visit is one admitted request.
type Visit struct {
	// Caller is who asks; never nil.
	Caller *rpc.Caller
	// Language is the effective language of the request.
	Language string

	door *Door
}

// Door is the only way to the executor: a route's endpoint at one version,
// behind the policy. Mount makes it.
type Door struct {
	name     string
	endpoint *rpc.Endpoint
	exec     *rpc.Executor
	site     *Site
}

// Name is the endpoint's name in logs and metrics: <edge>.<group>.v<version>.
func (d *Door) Name() string { return d.name }

// Endpoint is the group and version served.
func (d *Door) Endpoint() *rpc.Endpoint { return d.endpoint }

// Visible reports whether the method exists for the caller.
func (d *Door) Visible(c *rpc.Caller, s *rpc.Spec) bool { return d.exec.Visible(c, s) }

// Call prepares a call by this visitor; the edge sets what it knows besides.
func (v *Visit) Call(method string, params []byte) *rpc.Call {
	return &rpc.Call{
		Endpoint: v.door.endpoint, Method: method, Params: params,
		Caller: v.Caller, Language: v.Language, Door: v.door.name,
	}
}

// Do runs a call prepared with [Visit.Call].
func (v *Visit) Do(ctx context.Context, c *rpc.Call) (rpc.Response, *rpcerrors.Error) {
	return v.door.exec.Do(ctx, c)
}
