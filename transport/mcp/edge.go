// Package mcp serves the methods of a group as tools for AI agents: the Model
// Context Protocol over Streamable HTTP, without a stream beside the answers.
//
// One URL serves both eras of the protocol. Requests of 2026-07-28 carry
// their version in params._meta and in headers and stand alone; requests of
// the versions 2024-11-05 to 2025-11-25 belong to a session, which begins with
// initialize and lies in the program's records, so that any process serves
// any request.
//
// Read edge.go (what is mounted), server.go (one POST), era.go (which era it
// is of), modern.go, legacy.go and session.go (what an era knows), call.go and
// catalogue.go (the tools).
package mcp

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"time"

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
	// Profile bundles the options below for a kind of client; empty: [Plain].
	// A request may ask for another with ?profile= in its URL. An option that
	// is set counts in every profile.
	Profile Profile
	// Name is the name of the server; empty: the name of the [rpc.App], with
	// the group behind it if that is neither [Group] nor the default one.
	// Clients keep it as the key of their configuration and, most of them, put
	// it in front of the names of tools: keep it short.
	Name string
	// RegistryName is the name under which the MCP Registry lists the server,
	// a reversed domain and a name, such as io.github.acme/tea. With it Mount
	// holds server.json against the rules of the registry; empty: server.json
	// is served, but not for publishing.
	RegistryName string
	// Title is the name that people see in their client; empty: the title of
	// the [rpc.App].
	Title string
	// Version is the version of the server; empty: that of the [rpc.App].
	Version string
	// Description says in a sentence what the server offers; empty: the
	// description of the [rpc.App].
	Description string
	// Website is the URL of a page for people; empty: that of the [rpc.App].
	Website string
	// Instructions tell agents what the tools are for and how to use them;
	// empty: the description of the [rpc.App].
	Instructions string
	// Names says how tools are called; 0: as the profile says.
	Names Names
	// Schemas says how the schemas of tools are written; 0: as the profile
	// says.
	Schemas Schemas
	// ArgumentErrors says how wrong arguments are answered; 0: as the profile
	// says.
	ArgumentErrors ArgumentErrors
	// Manifests are configurations for clients besides those of [Clients].
	Manifests []Manifest
	// SessionTTL is how long a session of the versions 2024-11-05 to
	// 2025-11-25 lasts without a request, give or take an eighth; 0: an hour.
	// Below 0, or without [rpc.Options].Records, there are no sessions and each
	// request stands alone.
	SessionTTL time.Duration
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
	AsDeclared Names = iota + 1
	// Underscored: dots become underscores, Catalog_search, for clients that
	// drop the whole list because of a dot. Calls may use either name.
	Underscored
)

// Schemas says how the schemas of tools are written.
type Schemas uint8

// The values of Schemas.
const (
	// Full: named types stand in $defs and are referred to; what may be null
	// says so.
	Full Schemas = iota + 1
	// Inline: types stand in place, so that there is no $ref but for recursive
	// ones, and what may be null is {}, which lets everything pass.
	Inline
)

// ArgumentErrors says how arguments are answered that do not fit the tool's
// inputSchema.
type ArgumentErrors uint8

// The values of ArgumentErrors.
const (
	// AsError: an error of the protocol, -32602, with all violations.
	AsError ArgumentErrors = iota + 1
	// AsResult: a result with isError, which clients show to the model so
	// that it can mend the call.
	AsResult
)

// Routes implements [guard.Edge].
func (e Edge) Routes(site *guard.Site) ([]guard.Route, error) {
	e = e.defaults(site.Registry().App())
	if err := e.checkOptions(); err != nil {
		return nil, err
	}
	if e.MaxResponse < 0 || e.MaxResult < 0 {
		return nil, fmt.Errorf("mcp: Edge.MaxResponse is %d and Edge.MaxResult %d; give positive numbers, or 0 for the defaults",
			e.MaxResponse, e.MaxResult)
	}
	if err := e.collisions(site.Registry()); err != nil {
		return nil, err
	}
	about, err := describe(e)
	if err != nil {
		return nil, err
	}
	mirrors := map[int]map[string]mirrored{} // by version
	for _, v := range site.Registry().Versions(e.Group) {
		if mirrors[v], err = e.mirrors(site.Registry(), site.Registry().Endpoint(e.Group, v).Specs()); err != nil {
			return nil, err
		}
	}
	records, methods := site.Records(), []string{http.MethodPost}
	if e.keepsSessions(records) {
		methods = append(methods, http.MethodDelete) // ends a session
	}
	documents, err := e.documents(site)
	if err != nil {
		return nil, err
	}
	site.Warn("a client will not take all tools", e.refused(site.Registry())...)
	return append([]guard.Route{{
		Edge: "mcp", Path: e.Path, Group: e.Group,
		Methods: methods,
		Types:   []string{"application/json"},
		NoID:    true,
		Handler: func(d *guard.Door) guard.Handler {
			s := newServer(e, about, records, site.Registry().Model(), d)
			s.mirrors = mirrors[d.Endpoint().Version]
			return s.serve
		},
	}}, documents...), nil
}

// defaults fills what is left out.
func (e Edge) defaults(app rpc.App) Edge {
	e.Path = cmp.Or(e.Path, "/mcp")
	e.Group = cmp.Or(e.Group, Group)
	e.Profile = cmp.Or(e.Profile, Plain)
	if e.Name == "" {
		if e.Name = app.Name; e.Group != Group && e.Group != rpc.DefaultGroup {
			e.Name += "-" + e.Group
		}
	}
	e.Title = cmp.Or(e.Title, app.Title)
	e.Version = cmp.Or(e.Version, app.Version)
	e.Description = cmp.Or(e.Description, app.Description)
	e.Website = cmp.Or(e.Website, app.Website)
	e.Instructions = cmp.Or(e.Instructions, e.Description)
	return e
}

// collisions finds methods whose tools would have one name in the edge's own
// profile. In the others the second one's name ends in a hash.
func (e Edge) collisions(r *rpc.Registry) error {
	t := e.traits(e.Profile)
	if t.names == AsDeclared {
		return nil
	}
	var faults []error
	for _, v := range r.Versions(e.Group) {
		owner := map[string]string{}
		for _, s := range r.Endpoint(e.Group, v).Specs() {
			name := t.name(s.Name())
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
