package guard

import (
	"net/http"
	"slices"

	"github.com/facet-rpc/facet/rpc"
)

// place is a mounted path with the doors of its versions.
type place struct {
	gate   *gate
	route  Route
	public bool
	first  *Door            // at the path itself; nil: the group has no version 1
	doors  map[string]*Door // by the last segment: v1, v2, …
	allow  []string         // the Allow header: one line

	noVersion   refusal
	otherMethod refusal
	otherType   refusal
}

// serve holds a request against the policy, in the order that the package
// documents, and hands it to the door's handler. d is nil when the path has
// no such version.
func (p *place) serve(w http.ResponseWriter, r *http.Request, d *Door) {
	g, h := p.gate, w.Header()
	h["Vary"] = g.vary
	language := g.language(r, h)
	if !g.hosts.admit(r) {
		wrongHost.write(w, r, p.route.NoID)
		return
	}
	crossed, ok := g.origins.admit(r)
	switch {
	case !ok:
		wrongOrigin.write(w, r, p.route.NoID)
		return
	case preflight(r):
		answerPreflight(w, r, p.allow)
		return
	case crossed != "":
		h["Access-Control-Allow-Origin"] = r.Header["Origin"]
		h["Access-Control-Expose-Headers"] = exposed
	}
	if d != nil && r.Method == http.MethodOptions {
		h["Allow"] = p.allow
		w.WriteHeader(http.StatusNoContent)
		return
	}
	caller, f := p.admit(r, d)
	if f != nil {
		f.write(w, r, p.route.NoID)
		return
	}
	v := g.visits.take(d, caller, language)
	d.handler(w, r, v)
	g.visits.free(v)
}

// admit is who asks, or the first thing that is wrong with the request.
func (p *place) admit(r *http.Request, d *Door) (*rpc.Caller, *refusal) {
	switch {
	case d == nil:
		return nil, &p.noVersion
	case !slices.Contains(p.route.Methods, r.Method):
		return nil, &p.otherMethod
	}
	caller, f := p.gate.caller(r, p.public)
	switch {
	case f != nil:
		return nil, f
	case !p.public && !caller.MayEnter(p.route.Group):
		return nil, &wrongGroup
	case !mayHaveBody(r):
		return caller, nil
	case !mediaType(r, p.route.Types):
		return nil, &p.otherType
	case !identity(r):
		return nil, &wrongEncoding
	}
	return caller, nil
}
