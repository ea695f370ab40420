package oauth

import (
	stderrors "errors"
	"net/http"
	"slices"
	"strings"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/go-json-experiment/json"
)

// WellKnown is where clients look for the metadata of a protected resource
// (RFC 9728 section 3): the path of the resource comes behind it.
const WellKnown = "/.well-known/oauth-protected-resource"

// Metadata is an edge that says where tokens for this program come from
// (RFC 9728). It is public, and served at [WellKnown] for the program as a
// whole and below it for every path of Paths. Mount it at the root of the
// origin: clients look nowhere else.
type Metadata struct {
	// Servers are the issuers of tokens; one at least.
	Servers []string
	// Paths are the protected endpoints; nil: /mcp. The resource of each is
	// the public URL with the path, which is what clients ask tokens for and
	// so belongs into [Options.Audience].
	Paths []string
	// Scopes are what a client may ask for; nil: it is not said.
	Scopes []string
	// Name is the program's name for people, and Documentation a URL of a
	// page for developers; empty: not said.
	Name, Documentation string
	// Group is a group that is served; empty: [rpc.DefaultGroup]. Nothing of
	// it is told.
	Group string
}

// Routes implements [guard.Edge].
func (m Metadata) Routes(site *guard.Site) ([]guard.Route, error) {
	if len(m.Servers) == 0 {
		return nil, stderrors.New("no Servers; name the issuer of the tokens, such as https://login.shop.example")
	}
	if slices.Contains(m.Paths, "") {
		return nil, stderrors.New("an empty path in Paths; leave it out, the metadata of the whole program is served anyway")
	}
	paths, group := m.Paths, m.Group
	if paths == nil {
		paths = []string{"/mcp"}
	}
	if group == "" {
		group = rpc.DefaultGroup
	}
	var routes []guard.Route
	for _, path := range append([]string{""}, paths...) {
		routes = append(routes, guard.Route{
			Edge: "oauth", Path: WellKnown + path, Document: true, Group: group, Public: true, Always: true,
			Methods: []string{http.MethodGet},
			Handler: func(*guard.Door) guard.Handler {
				return func(w http.ResponseWriter, r *http.Request, _ *guard.Visit) { m.serve(w, site.PublicURL(r)+path) }
			},
		})
	}
	return routes, nil
}

// document is section 2 of RFC 9728.
type document struct {
	Resource      string   `json:"resource"`
	Servers       []string `json:"authorization_servers"`
	Scopes        []string `json:"scopes_supported,omitempty"`
	Methods       []string `json:"bearer_methods_supported"`
	Name          string   `json:"resource_name,omitempty"`
	Documentation string   `json:"resource_documentation,omitempty"`
}

func (m Metadata) serve(w http.ResponseWriter, resource string) {
	body, err := json.Marshal(document{
		Resource: strings.TrimRight(resource, "/"), Servers: m.Servers, Scopes: m.Scopes,
		Methods: []string{"header"}, Name: m.Name, Documentation: m.Documentation,
	})
	if err != nil { // a name that is not UTF-8
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.Header().Set("Cache-Control", "no-cache")
	guard.Answer(w, http.StatusOK, body)
}
