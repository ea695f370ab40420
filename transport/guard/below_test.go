package guard_test

import (
	"net/http"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
)

// A route below an endpoint is served for each of its versions, under the
// endpoint's name, beside routes of other edges with a longer path.
func TestRouteBelow(t *testing.T) {
	about := with(sessions, func(r *guard.Route) {
		r.Below, r.Methods, r.Types, r.Public = "/server.json", []string{http.MethodGet}, nil, true
	})
	list := with(about, func(r *guard.Route) { r.Below = "/manifest/:name" })
	deeper := with(calls, func(r *guard.Route) { r.Path = "/mcp/internal" })
	engine := mounted(t, guard.Policy{Tokens: []guard.Token{{Secret: "s3cret", Caller: rpc.Caller{Groups: []string{rpc.AnyGroup}}}}}, sessions, about, list, deeper)
	for path, want := range map[string]answer{
		"/mcp/v2/server.json":       {200, 0, "Served-By: mcp.internal.v2"},
		"/mcp/v4/server.json":       {200, 0, "Served-By: mcp.internal.v4"},
		"/mcp/v4/manifest/any.json": {200, 0, "Served-By: mcp.internal.v4"},
		"/mcp/v9/server.json":       {404, -32601, ""},
		"/mcp/v9/manifest/any.json": {404, -32601, ""},
	} {
		check(t, serve(engine, request("GET", path, "")), want)
	}
	check(t, serve(engine, request("POST", "/mcp/v2/server.json", "{}")), answer{405, -32600, "Allow: GET, HEAD, OPTIONS"})
}
