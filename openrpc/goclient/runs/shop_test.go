// Package runs_test calls the packages that the tests of goclient keep. It is
// apart from them, so that they can be written again when they do not fit.
package runs_test

import (
	"context"
	stderrors "errors"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/facet-rpc/facet/cache"
	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/lock"
	shopclient "github.com/facet-rpc/facet/openrpc/goclient/testdata/shopv2"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/facet-rpc/facet/transport/rpchttp/client"
	"github.com/gin-gonic/gin"
)

// serveShop serves the shop over HTTP.
func serveShop(t *testing.T, edge rpchttp.Edge) string {
	t.Helper()
	url, stop, err := openShop(edge)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return url
}

// openShop serves version 2 of the shop to who has the token.
func openShop(edge rpchttp.Edge) (url string, stop func() error, err error) {
	registry, err := rpc.NewRegistry(shop.App(), shop.Services(shop.NewStore(nil))...)
	if err != nil {
		return "", nil, err
	}
	pool, err := cache.NewMemory(8 << 20)
	if err != nil {
		return "", nil, err
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{Store: pool, Records: pool, Locker: new(lock.Local)})
	if err != nil {
		return "", nil, err
	}
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	policy := guard.Policy{Tokens: []guard.Token{{Secret: "secret", Caller: rpc.Caller{ID: "owner"}}}}
	if err := guard.Mount(engine, exec, policy, edge); err != nil {
		return "", nil, err
	}
	server := httptest.NewServer(engine)
	return server.URL + "/rpc/v2", func() error {
		server.Close()
		defer pool.Close()
		return exec.Shutdown(context.Background())
	}, nil
}

// The generated client calls the real shop.
func TestRuns(t *testing.T) { // R-O05
	ctx := t.Context()
	url := serveShop(t, rpchttp.Edge{})
	c := shopclient.New(client.New(url, client.Options{Token: "secret"}))

	page, err := c.Catalog.Find(ctx, shopclient.CatalogFindParams{Query: "cup", Limit: 1, InStock: new(true)})
	if err != nil || len(page.Items) != 1 || page.Items[0].SKU != "CUP-02" || page.Items[0].Price.Currency != shopclient.CurrencyEUR || page.Items[0].Added.IsZero() {
		t.Errorf("got %+v, %v", page, err)
	}
	if page, err = c.Catalog.Find(ctx, shopclient.CatalogFindParams{Sort: shopclient.SortOrderCheapest}); err != nil || len(page.Items) != 10 {
		t.Errorf("defaults: %d items, %v", len(page.Items), err)
	}
	if shelves, err := c.Catalog.Categories(ctx); err != nil || len(shelves) == 0 || shelves[0].Children == nil {
		t.Errorf("got %+v, %v", shelves, err)
	}
	if err := c.RPC().Notify(ctx, "Catalog.categories", nil); err != nil {
		t.Error(err)
	}

	order := shopclient.OrdersCreateParams{Customer: "c000001", Lines: []shopclient.LineParams{{SKU: "TEA-01", Quantity: 1}}}
	once := shopclient.Meta{IdempotencyKey: "one", RayID: "ray"}
	placed, err := c.Orders.Create(ctx, order, once)
	if err != nil || placed.State != shopclient.OrderStateOpen || placed.Delivery != nil {
		t.Fatalf("got %+v, %v", placed, err)
	}
	if again, err := c.Orders.Create(ctx, order, once); err != nil || again.ID != placed.ID {
		t.Errorf("the same key made %+v, %v", again, err)
	}

	batch := c.Batch()
	first := batch.Catalog.Product(shopclient.CatalogProductParams{SKU: "TEA-01"})
	missing := batch.Catalog.Product(shopclient.CatalogProductParams{SKU: "TEA-99"})
	if err := batch.Send(ctx); err != nil {
		t.Fatal(err)
	}
	if p, err := first.Result(); err != nil || p.Name != "Sencha" {
		t.Errorf("got %+v, %v", p, err)
	}
	if _, err := missing.Result(); !stderrors.Is(err, rpcerrors.NotFound) {
		t.Errorf("got %v", err)
	}
}

// Errors are found by kind, with their data.
func TestErrors(t *testing.T) { // R-O05
	url := serveShop(t, rpchttp.Edge{})
	c := shopclient.New(client.New(url, client.Options{Token: "secret"}))
	_, err := c.Orders.Create(t.Context(), shopclient.OrdersCreateParams{
		Customer: "c000001", Lines: []shopclient.LineParams{{SKU: "TEA-07", Quantity: 1}},
	})
	if short, ok := shopclient.ErrOutOfStock.Data(err); !ok || short.SKU != "TEA-07" || !stderrors.Is(err, shopclient.ErrOutOfStock) {
		t.Errorf("got %+v of %v", short, err)
	}
	_, err = c.Orders.Create(t.Context(), shopclient.OrdersCreateParams{Lines: []shopclient.LineParams{{SKU: "tea"}}})
	var answered *rpcerrors.Error
	if !stderrors.As(err, &answered) || !stderrors.Is(err, shopclient.ErrInvalidParams) || len(answered.Violations()) == 0 {
		t.Errorf("got %v", err)
	}
	_, err = shopclient.New(client.New(url, client.Options{})).Catalog.Categories(t.Context())
	if !stderrors.Is(err, rpcerrors.TokenMissing) {
		t.Errorf("without a token: %v", err)
	}
	ended, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	if _, err = c.Catalog.Categories(ended); !stderrors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a context that is over: %v", err)
	}
	var status *client.StatusError
	_, err = shopclient.New(client.New(url+"/nowhere", client.Options{Token: "secret"})).Catalog.Categories(t.Context())
	if !stderrors.As(err, &status) || status.Status != 404 {
		t.Errorf("a wrong URL: %v", err)
	}
}
