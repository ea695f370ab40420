package openrpc

import (
	"cmp"
	"net/http"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
)

// Edge serves the OpenRPC documents of one group: Path is version 1,
// Path/v<n> version n. It also brings rpc.discover to the JSON-RPC edges,
// which answers with the document of the endpoint that is called.
//
// GET Path answers the document of what the caller may see, in the caller's
// language, with an ETag. Path?info leaves methods and components out,
// Path?pretty indents. Path/ui is a [Page] for people: public, because it
// shows a document only to those whose token may read it.
type Edge struct {
	// Path is where version 1 is served; empty: /openrpc.
	Path string
	// Group is whose methods are described; empty: [rpc.DefaultGroup].
	Group string
}

// Routes implements [guard.Edge].
func (e Edge) Routes(site *guard.Site) ([]guard.Route, error) {
	path, group := cmp.Or(e.Path, "/openrpc"), cmp.Or(e.Group, rpc.DefaultGroup)
	l := &library{site: site, cache: newCache()}
	return []guard.Route{{
		Edge: "openrpc", Path: path, Group: group,
		Methods: []string{http.MethodGet},
		Handler: l.handler,
	}, pageRoute(site, path, group)}, nil
}

// Builtins implements [guard.Builtins].
func (e Edge) Builtins(site *guard.Site) []rpc.Method {
	l := &library{site: site, cache: newCache()}
	return []rpc.Method{{
		Func: l.discover, Name: "rpc.discover", Title: "Discover",
		Description: "Answers the OpenRPC document of this endpoint.",
		Hints:       rpc.Hints{ReadOnly: rpc.Yes},
	}}
}
