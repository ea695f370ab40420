package guard

import (
	"net/http"
	"slices"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
)

// plan is what [Mount] will register: places made of routes.
type plan struct {
	site    *Site
	faults  *faults
	places  []*place
	names   map[string]string // endpoint name: its path
	paths   map[string]bool
	listing []string
}

// add makes the places of an edge.
func (m *plan) add(e Edge) {
	routes, err := e.Routes(m.site)
	if err != nil {
		m.faults.add("%T: %w", e, err)
		return
	}
	if _, later := e.(rpc.Deferrer); len(routes) == 0 && !later {
		m.faults.add("%T has no routes", e)
	}
	for _, r := range routes {
		before := len(*m.faults)
		m.checkRoute(r)
		if len(*m.faults) == before {
			m.build(r)
		}
	}
}

// checkRoute finds what is wrong with a route by itself.
func (m *plan) checkRoute(r Route) {
	f := m.faults
	if !strings.HasPrefix(r.Path, "/") || strings.HasSuffix(r.Path, "/") || strings.ContainsAny(r.Path, ":*?# ") {
		f.add("the path %q must be like /rpc: a slash in front, none at the end, no wildcards", r.Path)
	}
	if r.Edge == "" || r.Handler == nil || len(r.Methods) == 0 {
		f.add("the route %s needs Edge, Methods and Handler", r.Path)
	}
	if m.paths[r.Path+r.Below] {
		f.add("the path %s is served twice; give one of the edges another Path", r.Path+r.Below)
	}
	m.paths[r.Path+r.Below] = true
	groups := m.site.Registry().Groups()
	if !slices.Contains(groups, r.Group) {
		f.add("%s serves the group %q, in which no method is published: put the group into Groups of a service or method, or give the edge another Group; the groups are %s", r.Path, r.Group, strings.Join(groups, ", "))
		return
	}
	g := m.site.gate
	if g.open == nil && g.tokens.verify == nil && len(g.tokens.secrets) > 0 && !g.public(r) && !g.tokens.anyMayEnter(r.Group) {
		f.add("%s serves the group %q, which no token may enter; give a token Caller.Groups with %q or leave the edge out", r.Path, r.Group, r.Group)
	}
}

// build makes the place of a route and the doors of its versions.
func (m *plan) build(r Route) {
	r.Methods, r.Types = slices.Clone(r.Methods), slices.Clone(r.Types)
	if slices.Contains(r.Methods, http.MethodGet) && !slices.Contains(r.Methods, http.MethodHead) {
		r.Methods = append(r.Methods, http.MethodHead)
	}
	versions := endpoints(m.site.Registry(), r.Group)
	p := &place{gate: m.site.gate, route: r, public: m.site.gate.public(r), doors: map[string]*Door{}, endpoints: versions}
	p.nobody = &Door{name: r.Edge + "." + r.Group, exec: m.site.exec, gate: m.site.gate, noID: r.NoID}
	if r.Document {
		p.first = m.door(r, r.Edge+"."+r.Group, versions[0])
		m.list(p, p.first.name, r.Path)
	} else {
		for _, e := range versions {
			m.version(p, e)
		}
	}
	p.prepare()
	m.places = append(m.places, p)
}

// version adds a version's door to its place.
func (m *plan) version(p *place, e *rpc.Endpoint) {
	r, s := p.route, segment(e.Version)
	name := r.Edge + "." + r.Group + "." + s
	if other, taken := m.names[name]; taken && r.Below == "" {
		m.faults.add("%s and %s are both named %s; one edge of a kind serves a group", other, r.Path, name)
		return
	}
	if r.Below == "" {
		m.names[name] = r.Path
	}
	d := m.door(r, name, e)
	p.doors[s] = d
	if e.Version == 1 {
		p.first = d
	}
	m.list(p, name, VersionPath(r.Path, e.Version)+r.Below)
}

func (m *plan) door(r Route, name string, e *rpc.Endpoint) *Door {
	d := &Door{name: name, endpoint: e, exec: m.site.exec, gate: m.site.gate, noID: r.NoID}
	if d.handler = r.Handler(d); d.handler == nil {
		m.faults.add("the route %s made no handler for %s", r.Path, name)
	}
	return d
}

func (m *plan) list(p *place, name, path string) {
	access := ""
	if p.public {
		access = " (public)"
	}
	m.listing = append(m.listing, name+" "+strings.Join(p.route.Methods, ",")+" "+m.site.base+path+access)
}

// checkShadows finds a path that hides a version of another: gin prefers
// /rpc/v2 to /rpc/:version.
func (m *plan) checkShadows() {
	for _, p := range m.places {
		at := strings.LastIndexByte(p.route.Path, '/')
		parent, last := p.route.Path[:at], p.route.Path[at+1:]
		for _, other := range m.places {
			if other.route.Path == parent && !other.route.Document && isSegment(last) {
				m.faults.add("the path %s hides version %s of %s; give the edge another Path", p.route.Path, last, parent)
			}
		}
	}
}

// prepare makes the answers that depend on the route only.
func (p *place) prepare() {
	methods := append(slices.Clone(p.route.Methods), http.MethodOptions)
	p.allow = []string{strings.Join(methods, ", ")}
	p.noVersion = *noVersion(p.endpoints)
	p.otherMethod = refusal{status: http.StatusMethodNotAllowed, kind: rpcerrors.InvalidRequest,
		text: "Use " + strings.Join(p.route.Methods, ", ") + ".", header: "Allow", value: p.allow}
	p.otherType = refusal{status: http.StatusUnsupportedMediaType, kind: rpcerrors.InvalidRequest,
		text: "The Content-Type must be " + strings.Join(p.route.Types, " or ") + ", in UTF-8."}
}

// public reports whether the route is served without a token.
func (g *gate) public(r Route) bool {
	page := r.Public || r.Document || !slices.ContainsFunc(r.Methods, func(m string) bool {
		return m != http.MethodGet && m != http.MethodHead
	})
	switch {
	case page && g.documents == ForAll:
		return true
	case page && g.documents == ByToken:
		return false
	}
	return r.Public
}

// anyMayEnter reports whether a token is for the group.
func (t *tokens) anyMayEnter(group string) bool {
	return slices.ContainsFunc(t.secrets, func(s secret) bool { return s.caller.MayEnter(group) })
}
