package guard

import "github.com/facet-rpc/facet/rpc"

// Records is where an edge keeps what all processes of the program share,
// such as sessions, until its TTL; nil: the executor has none.
func (s *Site) Records() rpc.Records { return s.exec.Records() }
