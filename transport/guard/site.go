package guard

import (
	"net/http"

	"github.com/facet-rpc/facet/rpc"
	"go.uber.org/zap"
)

// Site is what an edge knows of the program while it is mounted.
type Site struct {
	gate     *gate
	exec     *rpc.Executor
	base     string // of the router, such as /api; empty at the root
	builtins []*rpc.Spec
	places   []*place     // set once all edges are planned
	deferrer rpc.Deferrer // an edge that runs calls later; nil: none
}

// Registry is what is served.
func (s *Site) Registry() *rpc.Registry { return s.exec.Registry() }

// Builtins are the methods that the edges bring themselves, ping among them.
func (s *Site) Builtins() []*rpc.Spec { return s.builtins }

// Visible reports whether the method exists for the caller.
func (s *Site) Visible(c *rpc.Caller, spec *rpc.Spec) bool { return s.exec.Visible(c, spec) }

// Warn logs what an edge found while it was mounted, if anything.
func (s *Site) Warn(message string, findings ...string) {
	if len(findings) > 0 {
		s.exec.Logger().Warn(message, zap.Strings("findings", findings))
	}
}

// NeedsToken reports whether callers must be given a token: the policy is not
// open, and no [Challenge] tells them where to get one. It is known when
// [Mount] has returned: ask for it while serving a request.
func (s *Site) NeedsToken() bool { return s.gate.open == nil && s.gate.challenge == nil }

// PublicURL is where clients reach the program, without a slash at the end:
// [Policy.PublicURL], else what the trusted proxies of [Policy.Proxies] say was
// addressed, else what the request did; empty when r is nil as well. The path
// of an edge is appended to it.
func (s *Site) PublicURL(r *http.Request) string {
	switch {
	case s.gate.publicURL != "":
		return s.gate.publicURL + s.base
	case r == nil:
		return ""
	}
	c := s.gate.proxies.client(r)
	if c.host == "" {
		c.host = r.Host
	}
	if c.scheme == "" {
		c.scheme = "http"
	}
	if c.host == "" {
		return ""
	}
	return c.scheme + "://" + c.host + s.base
}
