package peer

import (
	"net/http"

	"github.com/facet-rpc/facet/benchmarks/work"
	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
)

func facetServer() Server {
	return Server{
		Name: "facet",
		RPC:  &RPC{Path: "/rpc", Batch: true},
		MCP:  &MCP{Path: "/mcp"},
		New: func(size Size) (http.Handler, error) {
			return facetHandler(size, rpc.Options{}, guard.Policy{Open: true})
		},
	}
}

// facetTokenServer asks every caller for a token.
func facetTokenServer() Server {
	const secret = "bXkgdm9pY2UgaXMgbXkgcGFzc3BvcnQ"
	return Server{
		Name: "facet+token",
		RPC:  &RPC{Path: "/rpc", Batch: true, Token: secret},
		MCP:  &MCP{Path: "/mcp", Token: secret},
		New: func(size Size) (http.Handler, error) {
			return facetHandler(size, rpc.Options{}, guard.Policy{Tokens: []guard.Token{{
				Secret: secret, Caller: rpc.Caller{ID: "bench", Groups: []string{rpc.AnyGroup}},
			}}})
		},
	}
}

// facetSessionServer looks a session up for every call.
func facetSessionServer() Server {
	return Server{
		Name: "facet+session",
		MCP:  &MCP{Path: "/mcp", Sessions: true},
		New: func(size Size) (http.Handler, error) {
			pool, err := cache.NewMemory(1 << 20)
			if err != nil {
				return nil, err
			}
			return facetHandler(size, rpc.Options{Records: pool}, guard.Policy{Open: true})
		},
	}
}

func facetHandler(size Size, options rpc.Options, policy guard.Policy) (http.Handler, error) {
	registry, err := rpc.NewRegistry(rpc.App{Name: "bench", Version: "1.0.0"}, facetServices(size)...)
	if err != nil {
		return nil, err
	}
	exec, err := rpc.NewExecutor(registry, options)
	if err != nil {
		return nil, err
	}
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	if err := guard.Mount(engine, exec, policy, rpchttp.Edge{}, mcp.Edge{}); err != nil {
		return nil, err
	}
	return engine, nil
}

func facetServices(size Size) []any {
	var shop work.Shop
	var services []any
	for _, name := range size.services() {
		services = append(services, rpc.Service{Name: name, Methods: []rpc.Method{
			{Func: shop.Echo}, {Func: shop.Add}, {Func: shop.Search}, {Func: shop.Order},
		}})
	}
	tools := rpc.Service{Name: "tools", Bare: true, Groups: []string{mcp.Group}}
	for _, name := range size.tools() {
		tools.Methods = append(tools.Methods, rpc.Method{Func: shop.Search, Name: name, Description: description})
	}
	return append(services, tools)
}
