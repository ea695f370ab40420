package docs_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/examples/shop/shop"
	shopclient "github.com/facet-rpc/facet/openrpc/goclient/testdata/shopv2"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/rpchttp/client"
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
