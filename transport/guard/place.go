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
	nobody *Door            // refuses where there is no such version
	first  *Door            // at the path itself; nil: the group has no version 1
	doors  map[string]*Door // by the last segment: v1, v2, …
	allow  []string         // the Allow header: one line

	endpoints []*rpc.Endpoint // of the group, in the order of versions

	noVersion   refusal
	otherMethod refusal
	otherType   refusal
}

// serve holds a request against the policy, in the order that the package
// documents, and hands it to the door's handler. d is nil when the path has
// no such version.
func (p *place) serve(w http.ResponseWriter, r *http.Request, d *Door) {
	g, h := p.gate, w.Header()
	if g.available != nil && d != nil && !p.there(d) {
		d = nil // as if there had never been one
	}
	at := d
	if d == nil {
		at = p.nobody
	}
	if g.vary != nil {
		h["Vary"] = g.vary
	}
	language := Language(g.texts, r, h)
	if !g.admitsHost(r) {
		at.refuse(w, r, &wrongHost)
		return
	}
	crossed, ok := g.admitsOrigin(r)
	switch {
	case !ok:
		at.refuse(w, r, &wrongOrigin)
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
		at.refuse(w, r, g.challenge.refusal(r, &p.route, f))
		return
	}
	if g.slots.most > 0 {
		if !g.slots.take() {
			at.refuse(w, r, &noSlot)
			return
		}
		defer g.slots.free() // also when the handler panics
	}
	if f := p.unreadable(r); f != nil {
		at.refuse(w, r, f)
		return
	}
	v := g.visits.take(d, caller, language, r.Header)
	d.handler(w, r, v)
	g.visits.free(v)
}

// admit is who asks, or the first thing that is wrong with the request.
func (p *place) admit(r *http.Request, d *Door) (*rpc.Caller, *refusal) {
	switch {
	case d == nil:
		return nil, p.missing()
	case !slices.Contains(p.route.Methods, r.Method):
		return nil, &p.otherMethod
	}
	caller, f := p.gate.caller(r, p.public)
	if f == nil {
		f = p.allows(caller, d)
	}
	if f == nil && p.gate.meter != nil {
		f = p.gate.pay(caller, r)
	}
	return caller, f
}

// unreadable says why the body is not read, by its headers.
func (p *place) unreadable(r *http.Request) *refusal {
	switch {
	case !mayHaveBody(r):
		return nil
	case !mediaType(r, p.route.Types):
		return &p.otherType
	case !identity(r) && !(p.gate.gzip && gzipped(r)):
		return p.gate.encoding
	}
	return nil
}
