package peer

import (
	"net/http"

	"github.com/facet-rpc/facet/benchmarks/floor"
)

func floorServer() Server {
	return Server{
		Name: Floor,
		RPC:  &RPC{Path: "/rpc", Batch: true},
		MCP:  &MCP{Path: "/mcp"},
		New: func(size Size) (http.Handler, error) {
			mux := http.NewServeMux()
			mux.Handle("/rpc", floor.New(size.services()))
			mux.Handle("/mcp", floor.NewTools(size.tools()))
			return mux, nil
		},
	}
}
