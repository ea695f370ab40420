package oauth

import "github.com/facet-rpc/facet/transport/guard"

// Challenge is the [guard.Policy]'s Challenge for the server's tokens: it
// names the metadata that a [Metadata] edge serves, and as scope all of
// [Options.Groups] that open the group by its name.
func (s *Server) Challenge() *guard.Challenge {
	return &guard.Challenge{Metadata: WellKnown, Scopes: s.ScopesFor}
}
