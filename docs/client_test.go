package docs_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/rpchttp/client"
)

// buy orders one piece of a product.
func buy(ctx context.Context, c *client.Client, sku string) (shop.Order, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	order, err := client.Call[shop.Order](ctx, c, "Orders.create", shop.CreateParams{
		Customer: "c000001", Lines: []shop.LineParams{{SKU: sku, Quantity: 1}},
	})
	short, isShort := shop.OutOfStock.Data(err)
	var answered *rpcerrors.Error
	var status *client.StatusError
	switch {
	case err == nil:
		return order, nil
	case isShort: // a declared error, with its data
		return order, fmt.Errorf("take something else, %d of %s are left", short.Left, short.SKU)
	case errors.Is(err, rpcerrors.NotFound): // a ready kind, without data
		return order, errors.New("the shop has no such thing")
	case errors.As(err, &answered): // any other error of the server
		return order, fmt.Errorf("the shop refused, with code %d: %w", answered.Code(), err)
	case errors.As(err, &status): // no JSON-RPC at all: a proxy, a wrong URL
		return order, fmt.Errorf("something on the way answers %d", status.Status)
	default: // no answer: refused, reset, timeout. The order may have been placed
		return order, err
	}
}

// overview asks three things in one request.
func overview(ctx context.Context, c *client.Client) (string, error) {
	batch := c.Batch()
	categories := client.Add[[]shop.Category](batch, "Catalog.categories", nil)
	product := client.Add[shop.Product](batch, "Catalog.product", []string{"TEA-01"})
	missing := client.Add[shop.Product](batch, "Catalog.product", []string{"TEA-99"})
	if err := batch.Send(ctx); err != nil {
		return "", err // about the batch as a whole
	}
	cs, err := categories.Result()
	if err != nil {
		return "", err
	}
	p, err := product.Result()
	if err != nil {
		return "", err
	}
	_, err = missing.Result() // one that fails does not touch the others
	return fmt.Sprintf("%d categories, %s, %t", len(cs), p.Name, errors.Is(err, rpcerrors.NotFound)), nil
}

// controlled adds what the framework is asked for to the parameters.
type controlled struct {
	shop.CreateParams
	RPC control `json:"$rpc"`
}

type control struct {
	IdempotencyKey string `json:"idempotencyKey,omitempty"`
}

// buyOnce orders under a key: repeated with the same key it is the same order.
func buyOnce(ctx context.Context, c *client.Client, key string, p shop.CreateParams) (shop.Order, error) {
	return client.Call[shop.Order](ctx, c, "Orders.create", controlled{p, control{key}})
}

func openShop(t *testing.T) *client.Client {
	t.Helper()
	return rpctest.Start(t, shop.App(), rpc.Options{}, shop.Services(shop.NewStore(nil))...).Client()
}

func TestBuy(t *testing.T) {
	c := openShop(t)
	if order, err := buy(t.Context(), c, "TEA-01"); err != nil || order.State != shop.Open {
		t.Errorf("%+v, %v", order, err)
	}
	proxy := httptest.NewServer(http.NotFoundHandler())
	defer proxy.Close()
	for _, x := range []struct {
		c         *client.Client
		sku, want string
	}{
		{c, "TEA-07", "take something else, 0 of TEA-07 are left"},
		{c, "TEA-99", "the shop has no such thing"},
		{c, "tea", "the shop refused, with code -32602: "},
		{client.New(proxy.URL+"/rpc", client.Options{HTTPClient: proxy.Client()}), "TEA-01", "something on the way answers 404"},
	} {
		if _, err := buy(t.Context(), x.c, x.sku); err == nil || !strings.HasPrefix(err.Error(), x.want) {
			t.Errorf("%s: %v, want %s", x.sku, err, x.want)
		}
	}
}

func TestOverview(t *testing.T) {
	text, err := overview(t.Context(), openShop(t))
	if err != nil || !strings.HasSuffix(text, ", true") || strings.HasPrefix(text, "0") {
		t.Errorf("%q, %v", text, err)
	}
}

func TestBuyOnce(t *testing.T) {
	c := openShop(t)
	p := shop.CreateParams{Customer: "c000001", Lines: []shop.LineParams{{SKU: "TEA-01", Quantity: 1}}}
	first, err := buyOnce(t.Context(), c, "a-key-of-one-order", p)
	if err != nil {
		t.Fatal(err)
	}
	again, err := buyOnce(t.Context(), c, "a-key-of-one-order", p)
	if err != nil || again.ID != first.ID {
		t.Errorf("%s, then %s, %v", first.ID, again.ID, err)
	}
}
