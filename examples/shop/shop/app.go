package shop

import (
	"embed"

	"github.com/facet-rpc/facet/rpc"
)

// sources are the files whose comments document the services.
//
//go:embed catalog.go customers.go errors.go money.go order.go orders.go page.go product.go
var sources embed.FS

// The groups besides the default one, in which the shop's methods are
// published.
const (
	agents   = "mcp"      // for AI agents: they may read
	internal = "internal" // for the people who work in the shop
)

// App describes the shop.
func App() rpc.App {
	return rpc.App{
		Name:        "shop",
		Title:       "Tea shop",
		Version:     "1.0.0",
		Description: "Search the catalogue of a tea shop, order, pay and follow orders.",
		Website:     "https://shop.example",
		Texts:       texts(),
		Sources:     []rpc.Source{rpc.SourceOf[Catalog](sources)},
		Enums: []rpc.Enum{
			rpc.EnumOf(EUR, UAH),
			rpc.EnumOf(Open, Paid, Shipped, Cancelled),
			rpc.EnumOf(ByName, CheapestFirst, DearestFirst, NewestFirst),
		},
		Rules: []rpc.Rule{{Name: "sku", Func: isSKU, Message: "must be a stock keeping unit such as TEA-01"}},
	}
}

// Services are the shop's services on one store, ready to be registered.
func Services(s *Store) []any {
	return []any{&Catalog{s}, &Orders{s}, &Customers{s}}
}
