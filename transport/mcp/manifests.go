package mcp

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp/manifest"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Manifest is the configuration of a client of your own, served beside those
// of [Clients] at <path>/manifest/<name>. One with the name of another
// replaces it.
type Manifest struct {
	// Name is the last part of its path, such as acme.json.
	Name string
	// Type is its media type; empty: application/json.
	Type string
	// Profile is what its URL asks for; empty: the edge's own.
	Profile Profile
	// Write writes it. Manifests are public: put no secret into one.
	Write func(manifest.Server) []byte
}

// manifests are those of an edge, by name.
type manifests struct {
	site  *guard.Site
	edge  Edge
	named map[string]Manifest
}

var manifestName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]*$`)

func newManifests(e Edge, site *guard.Site) (*manifests, error) {
	m := &manifests{site, e, map[string]Manifest{}}
	for _, c := range Clients() {
		if c.write == nil {
			continue
		}
		one := Manifest{c.Name + "." + c.ext, "application/json", e.profileOf(c.Profile), c.write}
		if c.ext == "toml" {
			one.Type = "application/toml"
			m.named[c.Name+".json"] = one // the same file under the name that all others have
		}
		m.named[one.Name] = one
	}
	var faults []error
	for i, own := range e.Manifests {
		switch {
		case !manifestName.MatchString(own.Name):
			faults = append(faults, fmt.Errorf("mcp: Edge.Manifests[%d].Name is %q; it is the last part of a path, such as acme.json", i, own.Name))
		case own.Write == nil:
			faults = append(faults, fmt.Errorf("mcp: Edge.Manifests[%d], %s, has no Write", i, own.Name))
		case own.Profile != "" && !slices.Contains(Profiles(), own.Profile):
			faults = append(faults, fmt.Errorf("mcp: Edge.Manifests[%d], %s, asks for the profile %q; the profiles are %s", i, own.Name, own.Profile, profileList()))
		}
		m.named[own.Name] = own
	}
	return m, errors.Join(faults...)
}

// serve answers one manifest.
func (m *manifests) serve(d *guard.Door) guard.Handler {
	return func(w http.ResponseWriter, r *http.Request, v *guard.Visit) {
		name := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
		one, ok := m.named[name]
		if !ok {
			guard.Refuse(w, r, http.StatusNotFound, v.Translate(rpcerrors.MethodNotFound.New(
				"There is no such manifest; served: "+strings.Join(m.names(), ", ")+".")))
			return
		}
		serveDocument(w, r, one.Type, one.Write(m.server(r, d, one.Profile)))
	}
}

// names are those of all manifests, sorted, each once.
func (m *manifests) names() []string {
	var names []string
	for name, one := range m.named {
		if name == one.Name {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// index answers the list of all manifests, with what each is for.
func (m *manifests) index(d *guard.Door) guard.Handler {
	type entry struct {
		Client  string  `json:"client,omitempty"`
		URL     string  `json:"url"`
		File    string  `json:"file,omitempty"`
		Profile Profile `json:"profile"`
		Command string  `json:"command,omitempty"`
	}
	return func(w http.ResponseWriter, r *http.Request, _ *guard.Visit) {
		at := m.base(r, d) + "/manifest/"
		var list []entry
		for _, c := range Clients() {
			one, ok := m.named[c.Name+"."+c.ext]
			if !ok {
				continue
			}
			e := entry{c.Title, at + one.Name, c.file, m.profile(one), ""}
			if c.command != nil {
				e.Command = c.command(m.server(r, d, one.Profile))
			}
			list = append(list, e)
		}
		for _, one := range m.edge.Manifests {
			if !slices.ContainsFunc(list, func(e entry) bool { return e.URL == at+one.Name }) {
				list = append(list, entry{URL: at + one.Name, Profile: m.profile(one)})
			}
		}
		doc, err := json.Marshal(map[string][]entry{"manifests": list}, jsontext.WithIndent("  "))
		if err != nil {
			guard.Refuse(w, r, http.StatusInternalServerError, rpcerrors.From(err))
			return
		}
		serveDocument(w, r, "application/json", append(doc, '\n'))
	}
}

func (m *manifests) profile(one Manifest) Profile { return cmp.Or(one.Profile, m.edge.Profile) }

// base is the URL of the endpoint behind the door.
func (m *manifests) base(r *http.Request, d *guard.Door) string {
	return m.site.PublicURL(r) + guard.VersionPath(m.edge.Path, d.Endpoint().Version)
}

// server is the endpoint as a client is told of it.
func (m *manifests) server(r *http.Request, d *guard.Door, p Profile) manifest.Server {
	s := manifest.Server{
		Name: m.edge.serverName(d.Endpoint().Version), Title: cmp.Or(m.edge.Title, m.edge.Name), Description: m.edge.Description, URL: m.base(r, d),
	}
	if p != "" && p != m.edge.Profile {
		s.URL += "?profile=" + string(p)
	}
	if m.site.NeedsToken() {
		s.Token = m.edge.variable()
	}
	return s
}
