package guard

import (
	"net/http"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

// Challenge is what WWW-Authenticate says to clients that get their tokens
// from an authorization server (RFC 6750 section 3). A token that is not valid
// is then refused with 401 invalid_token, one for another group with 403
// insufficient_scope, two that differ with 400 invalid_request; all of them and
// the 401 without a token name the metadata. guard/oauth makes it.
type Challenge struct {
	// Metadata is the path of the protected-resource metadata of the program
	// (RFC 9728); that of an endpoint is below it. An edge must serve it.
	Metadata string
	// Scopes are those a client asks for to enter the group; nil, or none: it
	// is not said.
	Scopes func(group string) []string
}

// challenge is a [Challenge] made ready.
type challenge struct {
	Challenge
	site   *Site
	served map[string]bool // paths of routes
}

// checkChallenge makes the challenge ready, once all routes are known.
func (m *plan) checkChallenge(c *Challenge) {
	if c == nil {
		return
	}
	if m.site.gate.tokens.verify == nil {
		m.faults.add("Challenge says where tokens come from, but there is no Verifier that takes them; give it, or leave Challenge out")
	}
	if !m.paths[c.Metadata] {
		m.faults.add("Challenge.Metadata is %q, which no edge serves; mount oauth.Metadata besides the others", c.Metadata)
	}
	m.site.gate.challenge = &challenge{*c, m.site, m.paths}
}

// refusal is f with the challenge, if there is one and f is about the token.
func (c *challenge) refusal(r *http.Request, route *Route, f *refusal) *refusal {
	if c == nil {
		return f
	}
	told, params := *f, ""
	switch f {
	case &noToken: // no error: RFC 6750 section 3.1
	case &wrongToken:
		told.status, params = http.StatusUnauthorized, `error="invalid_token", `
	case &twoTokens: // RFC 6750 section 3.1: more than one way of sending one
		told.status, told.kind, params = http.StatusBadRequest, rpcerrors.InvalidRequest, `error="invalid_request", `
	case &wrongGroup:
		params = `error="insufficient_scope", `
	default:
		return f
	}
	if c.Scopes != nil {
		if scopes := c.Scopes(route.Group); len(scopes) > 0 {
			params += `scope="` + strings.Join(scopes, " ") + `", `
		}
	}
	told.header = "Www-Authenticate"
	told.value = []string{"Bearer " + params + `resource_metadata="` + c.site.PublicURL(r) + c.metadata(r, route) + `"`}
	return &told
}

// metadata is the path of the metadata that fits best: the version's, the
// endpoint's, or the program's. All are paths of routes, so nothing of the
// request gets into the header.
func (c *challenge) metadata(r *http.Request, route *Route) string {
	for _, path := range []string{strings.TrimPrefix(r.URL.Path, c.site.base), route.Path} {
		if path = c.Metadata + path; c.served[path] {
			return path
		}
	}
	return c.Metadata
}
