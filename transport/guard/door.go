package guard

import "github.com/facet-rpc/facet/rpc"

// Door is the only way to the executor: a route's endpoint at one version,
// behind the policy. Mount makes it.
type Door struct {
	name     string
	endpoint *rpc.Endpoint
	exec     *rpc.Executor
	gate     *gate
	handler  Handler
	noID     bool // of the route
}

// Name is the endpoint's name in logs and metrics: <edge>.<group>.v<version>,
// for a document <edge>.<group>.
func (d *Door) Name() string { return d.name }

// Endpoint is the group and version served.
func (d *Door) Endpoint() *rpc.Endpoint { return d.endpoint }

// Visible reports whether the method exists for the caller.
func (d *Door) Visible(c *rpc.Caller, s *rpc.Spec) bool { return d.exec.Visible(c, s) }
