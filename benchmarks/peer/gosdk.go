package peer

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/facet-rpc/facet/benchmarks/floor"
	"github.com/facet-rpc/facet/benchmarks/work"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// found is the structured content of search, which must be an object.
type found struct {
	Result []work.Product `json:"result"`
}

// goSDKServer uses the typed interface of the official SDK: it checks
// arguments and results against their schemas.
func goSDKServer() Server {
	return goSDK("go-sdk", func(s *mcp.Server, name string, rules work.Rules) {
		mcp.AddTool(s, &mcp.Tool{Name: name, Description: description},
			func(ctx context.Context, _ *mcp.CallToolRequest, p work.Query) (*mcp.CallToolResult, found, error) {
				r, err := search(ctx, rules, p)
				return nil, found{r}, err
			})
	})
}

// goSDKRawServer decodes, checks and encodes itself.
func goSDKRawServer() Server {
	return goSDK("go-sdk+raw", func(s *mcp.Server, name string, rules work.Rules) {
		tool := &mcp.Tool{
			Name: name, Description: description,
			InputSchema: json.RawMessage(floor.InputSchema), OutputSchema: json.RawMessage(floor.OutputSchema),
		}
		s.AddTool(tool, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var p work.Query
			if err := json.Unmarshal(r.Params.Arguments, &p); err != nil {
				return nil, err
			}
			products, err := search(ctx, rules, p)
			if err != nil {
				return nil, err
			}
			b, err := json.Marshal(found{products})
			if err != nil {
				return nil, err
			}
			return &mcp.CallToolResult{
				Content:           []mcp.Content{&mcp.TextContent{Text: string(b)}},
				StructuredContent: json.RawMessage(b),
			}, nil
		})
	})
}

func goSDK(name string, add func(*mcp.Server, string, work.Rules)) Server {
	return Server{
		Name: name,
		MCP:  &MCP{Path: "/mcp"},
		New: func(size Size) (http.Handler, error) {
			server := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1.0.0"}, nil)
			rules := work.NewRules()
			for _, tool := range size.tools() {
				add(server, tool, rules)
			}
			return route("/mcp", mcp.NewStreamableHTTPHandler(
				func(*http.Request) *mcp.Server { return server },
				&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true},
			)), nil
		},
	}
}

// search is work.Shop's, behind the rules.
func search(ctx context.Context, rules work.Rules, p work.Query) ([]work.Product, error) {
	if err := rules.Check(&p); err != nil {
		return nil, err
	}
	return work.Shop{}.Search(ctx, p)
}
