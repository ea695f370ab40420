// Package mcp serves the methods of a group as tools for AI agents: the Model
// Context Protocol over Streamable HTTP, POST only.
//
// One URL serves both eras of the protocol. Requests of 2026-07-28 carry
// their version in params._meta and in headers and stand alone; requests of
// the versions 2024-11-05 to 2025-11-25 begin with initialize. No session id
// is given out, it is optional there, so any process serves any request.
//
// Read edge.go (what is mounted), server.go (one POST), era.go (which era it
// is of), modern.go and legacy.go (what an era knows), call.go and
// catalogue.go (the tools).
package mcp

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
)

// Edge serves one group of methods as tools. The zero Edge serves the group
// mcp at /mcp.
type Edge struct {
	// Path is where version 1 is served; empty: /mcp. Path/v<n> serves
	// version n.
	Path string
	// Group is whose methods are tools; empty: [Group].
	Group string
	// Title is the name that people see in their client; empty: the title of
	// the [rpc.App].
	Title string
	// Instructions tell agents what the tools are for and how to use them;
	// empty: the description of the [rpc.App].
	Instructions string
	// Names says how tools are called.
	Names Names
	// ArgumentErrors says how wrong arguments are answered.
	ArgumentErrors ArgumentErrors
	// MaxResponse is the most bytes of an answer to one HTTP request; 0: 32
	// MiB. A message of a batch whose answer does not fit any more answers an
	// error instead; smaller ones after it may still fit. Those errors come on
	// top.
	MaxResponse int64
	// MaxResult is the most bytes of the answer to one call, in which the
	// JSON of the result stands twice, as text and as structured content; 0:
	// half of MaxResponse. A call that answers more has failed.
	MaxResult int64
}

// Group is the group of methods that an Edge serves unless told otherwise.
const Group = "mcp"

// Names says how tools are called.
type Names uint8

// The values of Names.
const (
	// AsDeclared: tools have the names of their methods, Catalog.search.
	AsDeclared Names = iota
	// Underscored: dots become underscores, Catalog_search, for clients that
	// drop the whole list because of a dot. Calls may use either name.
	Underscored
)

// ArgumentErrors says how arguments are answered that do not fit the tool's
// inputSchema.
type ArgumentErrors uint8

// The values of ArgumentErrors.
const (
	// AsError: an error of the protocol, -32602, with all violations.
	AsError ArgumentErrors = iota
	// AsResult: a result with isError, which clients show to the model so
	// that it can mend the call.
	AsResult
)

// Routes implements [guard.Edge].
func (e Edge) Routes(site *guard.Site) ([]guard.Route, error) {
	if e.Path == "" {
		e.Path = "/mcp"
	}
	if e.Group == "" {
		e.Group = Group
	}
	app := site.Registry().App()
	if e.Title == "" {
		e.Title = app.Title
	}
	if e.Instructions == "" {
		e.Instructions = app.Description
	}
	if e.MaxResponse < 0 || e.MaxResult < 0 {
		return nil, fmt.Errorf("mcp: Edge.MaxResponse is %d and Edge.MaxResult %d; give positive numbers, or 0 for the defaults",
			e.MaxResponse, e.MaxResult)
	}
	if err := e.collisions(site.Registry()); err != nil {
		return nil, err
	}
	about, err := describe(e, app)
	if err != nil {
		return nil, err
	}
	return []guard.Route{{
		Edge: "mcp", Path: e.Path, Group: e.Group,
		Methods: []string{http.MethodPost},
		Types:   []string{"application/json"},
		NoID:    true,
		Handler: func(d *guard.Door) guard.Handler { return newServer(e, about, site.Registry().Model(), d).serve },
	}}, nil
}

// tool is the name of a method's tool.
func (e Edge) tool(method string) string {
	if e.Names == Underscored {
		return strings.ReplaceAll(method, ".", "_")
	}
	return method
}

// collisions finds methods whose tools would have one name.
func (e Edge) collisions(r *rpc.Registry) error {
	if e.Names == AsDeclared {
		return nil
	}
	var faults []error
	for _, v := range r.Versions(e.Group) {
		owner := map[string]string{}
		for _, s := range r.Endpoint(e.Group, v).Specs() {
			name := e.tool(s.Name())
			if other, taken := owner[name]; taken {
				faults = append(faults, fmt.Errorf(
					"mcp: %s and %s of group %s, version %d, would both be the tool %s; rename one, or use Names: mcp.AsDeclared",
					other, s.Name(), e.Group, v, name))
			}
			owner[name] = s.Name()
		}
	}
	return errors.Join(faults...)
}
