package runs_test

import (
	"context"
	"fmt"

	shopclient "github.com/facet-rpc/facet/openrpc/goclient/testdata/shopv2"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/facet-rpc/facet/transport/rpchttp/client"
)

// An order is placed and paid in one request: how much it costs, only the
// server knows.
func Example_references() {
	url, stop, err := openShop(rpchttp.Edge{References: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = stop() }() // the other tests look at its error
	c := shopclient.New(client.New(url, client.Options{Token: "secret", References: true}))

	b := c.Batch()
	placed := b.Orders.Create(shopclient.OrdersCreateParams{
		Customer: "c000001", Lines: []shopclient.LineParams{{SKU: "TEA-01", Quantity: 2}},
	})
	paid := b.Orders.PayFrom(shopclient.OrdersPayFrom{
		ID:     placed.Ref().ID(),
		Amount: client.As[shopclient.MoneyInput](placed.Ref().Total()),
	})
	line := b.Catalog.ProductFrom(shopclient.CatalogProductFrom{SKU: placed.Ref().LinesAt(0).SKU()})
	if err := b.Send(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	order, err := paid.Result()
	fmt.Println(order.State, err)
	product, err := line.Result()
	fmt.Println(product.Name, err)
	// Output:
	// paid <nil>
	// Sencha <nil>
}
