package docs_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/facet-rpc/facet/cache"
	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/lock"
	shopclient "github.com/facet-rpc/facet/openrpc/goclient/testdata/shopv2"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/facet-rpc/facet/transport/rpchttp/client"
	"github.com/gin-gonic/gin"
)

// shopAt is a client of the shop at a URL.
func shopAt(url, token string) *shopclient.Client {
	return shopclient.New(client.New(url, client.Options{Token: token}))
}

// order places an order with the generated client.
func order(ctx context.Context, c *shopclient.Client, sku string) (string, error) {
	placed, err := c.Orders.Create(ctx, shopclient.OrdersCreateParams{
		Customer: "c000001",
		Lines:    []shopclient.LineParams{{SKU: sku, Quantity: 1}},
	}, shopclient.Meta{IdempotencyKey: sku})
	var answered *rpcerrors.Error
	switch short, isShort := shopclient.ErrOutOfStock.Data(err); {
	case err == nil:
		return placed.ID, nil
	case isShort: // typed data
		return "", fmt.Errorf("only %d of %s left", short.Left, short.SKU)
	case errors.Is(err, rpcerrors.NotFound): // a kind
		return "", errors.New("no such thing")
	case errors.As(err, &answered): // any other error of the server
		return "", fmt.Errorf("code %d, %d violations", answered.Code(), len(answered.Violations()))
	default: // no answer, or none of JSON-RPC
		return "", err
	}
}

// two asks for two things in one request.
func two(ctx context.Context, c *shopclient.Client) (int, string, error) {
	batch := c.Batch()
	shelves := batch.Catalog.Categories()
	tea := batch.Catalog.Product(shopclient.CatalogProductParams{SKU: "TEA-01"})
	if err := batch.Send(ctx); err != nil {
		return 0, "", err // about the batch as a whole
	}
	list, err := shelves.Result()
	if err != nil {
		return 0, "", err
	}
	product, err := tea.Result()
	return len(list), product.Name, err
}

// placeAndPay orders and pays in one request. What it costs, only the server
// knows.
func placeAndPay(ctx context.Context, c *shopclient.Client, order shopclient.OrdersCreateParams) (shopclient.Order, error) {
	batch := c.Batch()
	placed := batch.Orders.Create(order)
	paid := batch.Orders.PayFrom(shopclient.OrdersPayFrom{
		ID:     placed.Ref().ID(),
		Amount: client.As[shopclient.MoneyInput](placed.Ref().Total()),
	})
	if err := batch.Send(ctx); err != nil {
		return shopclient.Order{}, err
	}
	return paid.Result()
}

// cheapest are products of the first shelf.
func cheapest(ctx context.Context, c *shopclient.Client, n int64) ([]shopclient.Product, error) {
	batch := c.Batch()
	shelves := batch.Catalog.Categories()
	page := batch.Catalog.FindFrom(shopclient.CatalogFindFrom{
		Category: shelves.At(0).Slug(),
		Sort:     client.Value(shopclient.SortOrderCheapest),
		Limit:    client.Value(n),
	})
	if err := batch.Send(ctx); err != nil {
		return nil, err
	}
	found, err := page.Result()
	return found.Items, err
}

func TestGeneratedClient(t *testing.T) { // R-O05
	ctx := t.Context()
	srv := rpctest.Start(t, shop.App(), rpc.Options{}, shop.Services(shop.NewStore(nil))...)
	c := shopclient.New(srv.At(2, rpc.DefaultGroup).Client())
	if id, err := order(ctx, c, "TEA-01"); err != nil || id == "" {
		t.Errorf("got %q, %v", id, err)
	}
	for sku, want := range map[string]string{"TEA-07": "only 0 of TEA-07 left", "tea": "code -32602, 1 violations", "TEA-99": "no such thing"} {
		if _, err := order(ctx, c, sku); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", sku, err, want)
		}
	}
	if n, name, err := two(ctx, c); err != nil || n == 0 || name != "Sencha" {
		t.Errorf("got %d, %s, %v", n, name, err)
	}
	if _, err := order(ctx, shopAt("http://127.0.0.1:1/rpc/v2", "x"), "TEA-01"); err == nil {
		t.Error("nobody is there")
	}
}

func TestGeneratedReferences(t *testing.T) { // R-C08
	registry, err := rpc.NewRegistry(shop.App(), shop.Services(shop.NewStore(nil))...)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := cache.NewMemory(8 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	exec, err := rpc.NewExecutor(registry, rpc.Options{Store: pool, Records: pool, Locker: new(lock.Local)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = exec.Shutdown(context.Background()) }() // nothing runs any more
	gin.SetMode(gin.TestMode)
	engine := gin.New()
	if err := guard.Mount(engine, exec, guard.Policy{Open: true}, rpchttp.Edge{References: true}); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(engine)
	defer server.Close()
	c := shopclient.New(client.New(server.URL+"/rpc/v2", client.Options{References: true}))
	order, err := placeAndPay(t.Context(), c, shopclient.OrdersCreateParams{
		Customer: "c000001", Lines: []shopclient.LineParams{{SKU: "TEA-01", Quantity: 1}},
	})
	if err != nil || order.State != shopclient.OrderStatePaid {
		t.Errorf("got %+v, %v", order, err)
	}
	if found, err := cheapest(t.Context(), c, 2); err != nil || len(found) != 2 {
		t.Errorf("got %+v, %v", found, err)
	}
}
