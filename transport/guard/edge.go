package guard

import (
	"net/http"

	"github.com/facet-rpc/facet/rpc"
)

// Edge is a protocol that serves methods over HTTP: rpchttp.Edge,
// openrpc.Edge, mcp.Edge. It gets no call through but by a [Door]. An Edge
// that is an [rpc.Deferrer], such as async.Jobs, needs no routes: Mount starts
// it, and it runs the calls that were let in by a Door before.
type Edge interface {
	// Routes lists what the edge serves. [Mount] calls it once, also when it
	// has found faults already, to tell all of them; an error stops the mount.
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
	// Below is what stands behind the path of each version, such as
	// /server.json for /mcp/server.json and /mcp/v2/server.json: the route
	// belongs to the endpoints of that Edge and Path and has their names. A
	// last part :name stands for any one.
	Below string
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
	// Always: served also when [Policy.Available] says that the group is not
	// there, for what is not about the group.
	Always bool
	// NoID: refusals leave the id out where JSON-RPC writes null, as MCP does.
	NoID bool
	// Handler makes the handler of one version; called once per version at
	// mount, for a Document once, with the group's first version.
	Handler func(*Door) Handler
}

// Handler serves one admitted request: Host, Origin, path, version, HTTP
// method, token, group and media type have been checked. Visit and what its
// Body returned are valid until it returns.
type Handler func(w http.ResponseWriter, r *http.Request, v *Visit)
