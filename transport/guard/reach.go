package guard

import (
	"net/http"
	"slices"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
)

// What is served to whom is decided here, for requests, for [Site.Path] and
// for what a refusal lists.

// there reports whether an endpoint is served now.
func (g *gate) there(e *rpc.Endpoint) bool { return g.available == nil || g.available(e) }

// there reports whether the place serves d now: a page of all versions as long
// as one of them is there.
func (p *place) there(d *Door) bool {
	switch {
	case p.gate.available == nil || p.route.Always:
		return true
	case p.route.Document:
		return slices.ContainsFunc(p.endpoints, p.gate.there)
	}
	return p.gate.there(d.endpoint)
}

// allows reports whether the caller may use d: its groups first, then
// [Policy.Allow].
func (p *place) allows(c *rpc.Caller, d *Door) *refusal {
	g := p.gate
	may := func(e *rpc.Endpoint) bool { return g.allow(c, e) }
	switch {
	case p.public:
		return nil
	case !c.MayEnter(p.route.Group):
		return &wrongGroup
	case g.allow == nil:
		return nil
	case p.route.Document && slices.ContainsFunc(p.endpoints, may), !p.route.Document && may(d.endpoint):
		return nil
	}
	return &notAllowed
}

// missing is the answer where no version is. It lists those that are, so one
// that is not available is in it as little as one that never was.
func (p *place) missing() *refusal {
	if p.gate.available == nil {
		return &p.noVersion
	}
	return noVersion(slices.DeleteFunc(slices.Clone(p.endpoints), func(e *rpc.Endpoint) bool { return !p.gate.there(e) }))
}

func noVersion(served []*rpc.Endpoint) *refusal {
	text := "There is no such version here."
	if len(served) > 0 {
		names := make([]string, len(served))
		for i, e := range served {
			names[i] = segment(e.Version)
		}
		text = "There is no such version here; served: " + strings.Join(names, ", ") + "."
	}
	return &refusal{status: http.StatusNotFound, kind: rpcerrors.MethodNotFound, text: text}
}
