package shop_test

import (
	"testing"

	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/mcp"
)

// TestAgentsTakeAllTools: every client that has its manifest takes every tool.
// R-M19
func TestAgentsTakeAllTools(t *testing.T) {
	registry, err := rpc.NewRegistry(shop.App(), shop.Services(shop.NewStore(nil))...)
	if err != nil {
		t.Fatal(err)
	}
	for _, edge := range []mcp.Edge{{}, {Path: "/mcp/internal", Group: "internal"}} {
		for _, f := range mcp.Check(registry, edge) {
			if f.Fault {
				t.Error(f)
			}
		}
	}
}
