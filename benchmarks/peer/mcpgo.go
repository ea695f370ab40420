package peer

import (
	"context"
	"net/http"

	"github.com/facet-rpc/facet/benchmarks/work"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func mcpGoServer() Server {
	return Server{
		Name: "mcp-go",
		MCP:  &MCP{Path: "/mcp"},
		New: func(size Size) (http.Handler, error) {
			s := server.NewMCPServer("bench", "1.0.0", server.WithToolCapabilities(false))
			rules := work.NewRules()
			run := mcp.NewStructuredToolHandler(func(ctx context.Context, _ mcp.CallToolRequest, p work.Query) (found, error) {
				r, err := search(ctx, rules, p)
				return found{r}, err
			})
			for _, name := range size.tools() {
				s.AddTool(mcp.NewTool(name, mcp.WithDescription(description),
					mcp.WithInputSchema[work.Query](), mcp.WithOutputSchema[found]()), run)
			}
			return route("/mcp", server.NewStreamableHTTPServer(s, server.WithStateLess(true))), nil
		},
	}
}
