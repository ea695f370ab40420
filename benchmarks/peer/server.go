// Package peer holds the servers of the comparison, the floor and Facet among
// them: what each library's own documentation shows for the methods of
// [work.Shop], with the validate tags checked.
package peer

import (
	"fmt"
	"net/http"
	"slices"
)

// Server is one server of the comparison.
type Server struct {
	Name string
	// RPC and MCP say where the server answers which protocol, nil: not at all.
	RPC *RPC
	MCP *MCP
	// New makes its handler.
	New func(Size) (http.Handler, error)
}

// RPC is JSON-RPC 2.0.
type RPC struct {
	Path string
	// Batch: it takes batches.
	Batch bool
	// Method spells a method's name; nil: service.method.
	Method func(service, method string) string
	// Token is sent as Authorization: Bearer; empty: none.
	Token string
}

// MCP is Streamable HTTP.
type MCP struct {
	Path  string
	Token string // as in RPC
	// Sessions: initialize begins a session, whose id the requests before
	// 2026-07-28 carry; without, they carry none.
	Sessions bool
}

// Size is how much is registered.
type Size struct {
	Services int // of four methods each, at least 1
	Tools    int // at least 1
}

// Floor is the name of the server that all others are compared with.
const Floor = "floor"

// Servers lists all servers, the floor first.
func Servers() []Server {
	return []Server{
		floorServer(), facetServer(), facetTokenServer(), facetSessionServer(),
		jrpc2Server(), gorillaServer(),
		goSDKServer(), goSDKRawServer(), mcpGoServer(),
	}
}

// Find finds a server by its name.
func Find(name string) (Server, error) {
	all := Servers()
	if i := slices.IndexFunc(all, func(s Server) bool { return s.Name == name }); i >= 0 {
		return all[i], nil
	}
	return Server{}, fmt.Errorf("there is no server %q; it is one of %v", name, Names())
}

// Names lists the names of all servers.
func Names() []string {
	var names []string
	for _, s := range Servers() {
		names = append(names, s.Name)
	}
	return names
}

// services names the services: bench, then x001, x002 and so on.
func (s Size) services() []string {
	names := []string{"bench"}
	for i := 1; i < s.Services; i++ {
		names = append(names, fmt.Sprintf("x%03d", i))
	}
	return names
}

// LastService is the service that was registered last.
func (s Size) LastService() string {
	all := s.services()
	return all[len(all)-1]
}

// Tool is the tool that is called; all others do the same.
const Tool = "search"

// tools names the tools: search, then tool001, tool002 and so on.
func (s Size) tools() []string {
	names := []string{Tool}
	for i := 1; i < s.Tools; i++ {
		names = append(names, fmt.Sprintf("tool%03d", i))
	}
	return names
}

// description is what every tool says of itself.
const description = "Finds ten products."

// route serves h at one path.
func route(path string, h http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle(path, h)
	return mux
}
