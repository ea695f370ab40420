package pagetest

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/lock"
	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
)

// secret is the token of the shops of these tests.
const secret = "correct-horse"

// now is the moment at which the shops of these tests stand still.
var now = time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)

// openShop serves the shop of the examples as its program does, and answers
// where.
func openShop(t *testing.T) string {
	t.Helper()
	return shopFor(t, guard.ByRoute)
}

// shopFor is openShop with documents for who may read them.
func shopFor(t *testing.T, documents guard.Access) string {
	t.Helper()
	registry, err := rpc.NewRegistry(shop.App(), shop.Services(shop.NewStore(func() time.Time { return now }))...)
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, registry, guard.Policy{Tokens: []guard.Token{{
		Secret: secret, Caller: rpc.Caller{ID: "owner", Groups: []string{rpc.AnyGroup}},
	}}, Documents: documents},
		rpchttp.Edge{}, rpchttp.Edge{Path: "/rpc/internal", Group: "internal"},
		openrpc.Edge{}, openrpc.Edge{Path: "/openrpc/internal", Group: "internal"},
		mcp.Edge{}, mcp.Edge{Path: "/mcp/internal", Group: "internal"})
}

// serve mounts the edges and answers the address of the server.
func serve(t *testing.T, registry *rpc.Registry, policy guard.Policy, edges ...guard.Edge) string {
	t.Helper()
	pool, err := cache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	exec, err := rpc.NewExecutor(registry, rpc.Options{Store: pool, Records: pool, Locker: new(lock.Local)})
	if err != nil {
		t.Fatal(err)
	}
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	if err := guard.Mount(engine, exec, policy, edges...); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(engine)
	t.Cleanup(server.Close)
	return server.URL
}
