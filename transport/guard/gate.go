package guard

import (
	"net/http"

	"github.com/facet-rpc/facet/rpc"
)

// defaultBody is the most bytes of a body when [Policy.MaxBody] is 0.
const defaultBody = 8 << 20

// gate is a [Policy] made ready: what every request is held against.
type gate struct {
	publicURL string // without a slash at the end
	hosts     hosts
	proxies   proxies
	origins   origins
	tokens    tokens
	challenge *challenge  // nil: refusals are plain
	open      *rpc.Caller // everybody, when the policy is open
	documents Access
	maxBody   int64
	gzip      bool
	unzippers unzippers
	encoding  *refusal // of a body in another encoding
	meter     *meter   // nil without a rate limit
	slots     slots
	available func(*rpc.Endpoint) bool                   // nil: all are
	allow     func(*rpc.Caller, *rpc.Endpoint) bool      // nil: all may
	onRefuse  func(door string, status int, kind string) // may be nil
	texts     rpc.Texts
	vary      []string
	visits    visits
}

// anonymous is who reads a public route without a token.
var anonymous = &rpc.Caller{}

// caller is who asks, or why not.
func (g *gate) caller(r *http.Request, public bool) (*rpc.Caller, *refusal) {
	if g.open != nil {
		return g.open, nil
	}
	c, f := g.tokens.caller(r)
	switch {
	case f != nil:
		return nil, f
	case c != nil:
		return c, nil
	case public:
		return anonymous, nil
	}
	return nil, &noToken
}
