package shop

import (
	"time"

	"github.com/facet-rpc/facet/rpc"
)

// The examples are calls of a shop that has just opened, made in the order in
// which the methods are registered: what was ordered in one is cancelled in a
// later one. Results with the time of the call in them are left out.

// searching shows how products are found by name.
func searching() []rpc.Example {
	return []rpc.Example{{
		Name: "teapots", Summary: "The cheaper teapot of two",
		Params: SearchParams{Query: "teapot", Limit: 1, Offset: 1},
		Result: SearchResult{Total: 2, Products: []Product{glassTeapot()}},
	}}
}

// finding shows the bounds of a list and its order.
func finding() []rpc.Example {
	inStock := true
	return []rpc.Example{
		{
			Name: "dear teapots", Summary: "Teapots on the shelf from 20 to 30 euros",
			Params: FindParams{Category: "pots", MinPrice: 2000, MaxPrice: 3000, InStock: &inStock, Sort: CheapestFirst},
			Result: Page[Product]{Total: 1, Items: []Product{glassTeapot()}},
		},
		{
			Name: "arrivals", Summary: "What came in March, the newest first",
			Description: "The answer has two products and the key with which the next page begins.",
			Params: map[string]any{
				"added": map[string]any{"from": "2026-03-01T00:00:00Z", "to": "2026-04-01T00:00:00Z"},
				"sort":  NewestFirst, "limit": 2,
			},
		},
	}
}

// glassTeapot is a product as the shop sells it.
func glassTeapot() Product {
	return Product{
		SKU: "POT-02", Name: "Glass teapot", Category: "pots", Price: euro(2690), Stock: 9,
		Added: time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC),
	}
}

// ordering shows an order with and without a delivery.
func ordering() []rpc.Example {
	tea := []LineParams{{SKU: "TEA-01", Quantity: 2}, {SKU: "POT-02", Quantity: 1}}
	return []rpc.Example{
		{Name: "to fetch", Summary: "Two products, to be fetched", Params: CreateParams{Customer: "c000001", Lines: tea}},
		{
			Name: "to send", Summary: "One product, sent to an address",
			Params: CreateParams{
				Customer: "c000002", Lines: []LineParams{{SKU: "CUP-01", Quantity: 4}},
				Delivery: &Address{Street: "Prinsengracht 1", City: "1015 DK Amsterdam", Country: "NL"},
			},
		},
	}
}

// sample is a single example with params, its result different each time.
func sample(name string, params any) []rpc.Example {
	return []rpc.Example{{Name: name, Params: params}}
}
