package shop

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
)

// Catalog knows what the shop sells.
type Catalog struct{ store *Store }

// RPC says how the catalogue is published: everybody and agents may read it,
// only the shop's own people may fill it.
func (c *Catalog) RPC() rpc.Service {
	read := rpc.Hints{ReadOnly: rpc.Yes}
	kept := rpc.Cache{TTL: time.Minute, Shared: true}
	return rpc.Service{
		Groups: []string{rpc.DefaultGroup, agents},
		Methods: []rpc.Method{
			{Func: c.Search, Hints: read, Cache: kept, Until: 1, Deprecated: "Use Catalog.find of version 2.", Examples: searching()},
			{Func: c.Find, Hints: read, Cache: kept, Since: 2, Examples: finding()},
			{Func: c.Product, Hints: read, Examples: []rpc.Example{
				{Name: "teapot", Params: ProductParams{SKU: "POT-02"}, Result: glassTeapot()},
			}},
			{Func: c.Categories, Hints: read, Cache: rpc.Cache{TTL: time.Hour, Shared: true}},
			{
				Func: c.Restock, Groups: []string{internal},
				Lock:        rpc.Lock{On: "sku", Wait: time.Second},
				Invalidates: []string{"Catalog.search", "Catalog.find"},
				Examples:    sample("linden blossom", RestockParams{SKU: "TEA-07", Quantity: 24}),
			},
		},
	}
}

// SearchParams say what is searched for.
type SearchParams struct {
	// Query is a part of the product's name, in any case. Empty: everything.
	Query string `json:"query" validate:"max=200"`
	// Category keeps the search inside one category and those below it.
	Category string `json:"category,omitempty" validate:"max=40"`
	// Limit is how many products are returned at most.
	Limit int `json:"limit,omitzero" validate:"min=1,max=100" default:"10"`
	// Offset is how many matches are skipped.
	Offset int `json:"offset,omitzero" validate:"min=0"`
}

// SearchResult is a part of what was found.
type SearchResult struct {
	// Products from offset on, by name.
	Products []Product `json:"products"`
	// Total is how many products match.
	Total int `json:"total"`
}

// Search finds products by name.
func (c *Catalog) Search(p SearchParams) (SearchResult, error) {
	found, err := c.matching(p.Query, p.Category)
	if err != nil {
		return SearchResult{}, err
	}
	from := min(p.Offset, len(found))
	to := min(from+p.Limit, len(found))
	return SearchResult{Products: found[from:to], Total: len(found)}, nil
}

// FindParams say what is looked for; what is left out does not narrow the list.
type FindParams struct {
	// Query is a part of the product's name, in any case.
	Query string `json:"query,omitempty" validate:"max=200"`
	// Category keeps the list inside one category and those below it.
	Category string `json:"category,omitempty" validate:"max=40"`
	// MinPrice is the lowest price, in minor units.
	MinPrice int64 `json:"minPrice,omitzero" validate:"min=0"`
	// MaxPrice is the highest price, in minor units; 0: no bound.
	MaxPrice int64 `json:"maxPrice,omitzero" validate:"min=0"`
	// InStock leaves out what is sold out (true) or what is not (false).
	InStock *bool `json:"inStock,omitzero"`
	// Added is when the product came into the catalogue.
	Added TimeRange `json:"added,omitzero"`
	// Sort is the order of the list.
	Sort SortOrder `json:"sort,omitempty" default:"name"`
	// Limit is how many products a page has at most.
	Limit int `json:"limit,omitzero" validate:"min=1,max=100" default:"10"`
	// After is the next of the page before.
	After string `json:"after,omitempty" validate:"max=40"`
}

// Find lists products by name, category, price, stock and age, page by page.
func (c *Catalog) Find(p FindParams) (Page[Product], error) {
	found, err := c.matching(p.Query, p.Category)
	if err != nil {
		return Page[Product]{}, err
	}
	found = slices.DeleteFunc(found, func(x Product) bool {
		return x.Price.Amount < p.MinPrice ||
			p.MaxPrice > 0 && x.Price.Amount > p.MaxPrice ||
			p.InStock != nil && (x.Stock > 0) != *p.InStock ||
			!p.Added.holds(x.Added)
	})
	slices.SortStableFunc(found, p.Sort.compare)
	return paged(found, p.After, p.Limit, func(x Product) string { return x.SKU }), nil
}

// ProductParams name a product.
type ProductParams struct {
	// SKU is the product's key.
	SKU string `json:"sku" validate:"sku"`
}

// Product returns one product with its price and stock of this moment.
func (c *Catalog) Product(p ProductParams) (Product, error) {
	return c.store.product(p.SKU)
}

// Categories returns the shelves of the shop as a tree.
func (c *Catalog) Categories() []Category { return c.store.categories }

// RestockParams say what has arrived.
type RestockParams struct {
	// SKU is the product's key.
	SKU string `json:"sku" validate:"sku"`
	// Quantity is how many pieces were put on the shelf.
	Quantity int `json:"quantity" validate:"min=1,max=10000"`
}

// Restock adds pieces that have arrived to a product's stock.
func (c *Catalog) Restock(p RestockParams) (Product, error) {
	return c.store.addStock(p.SKU, p.Quantity)
}

// matching is the products whose name has query in it, in a category and
// those below it, by name.
func (c *Catalog) matching(query, category string) ([]Product, error) {
	in := map[string]bool{}
	if category != "" {
		if !collect(c.store.categories, category, false, in) {
			return nil, rpcerrors.NotFound.New(fmt.Sprintf("There is no category %q.", category))
		}
	}
	query = strings.ToLower(query)
	found := slices.DeleteFunc(c.store.allProducts(), func(x Product) bool {
		return category != "" && !in[x.Category] || !strings.Contains(strings.ToLower(x.Name), query)
	})
	slices.SortFunc(found, ByName.compare)
	return found, nil
}

// collect adds slug and all slugs below it to in; inside says that tree is
// already below it. It reports whether slug was found.
func collect(tree []Category, slug string, inside bool, in map[string]bool) (found bool) {
	for _, c := range tree {
		here := inside || c.Slug == slug
		if here {
			in[c.Slug] = true
		}
		if collect(c.Children, slug, here, in) || here {
			found = true
		}
	}
	return found
}

// compare orders two products; the SKU decides between equals, so that pages
// do not overlap.
func (s SortOrder) compare(a, b Product) int {
	var first int
	switch s {
	case CheapestFirst:
		first = cmp.Compare(a.Price.Amount, b.Price.Amount)
	case DearestFirst:
		first = cmp.Compare(b.Price.Amount, a.Price.Amount)
	case NewestFirst:
		first = b.Added.Compare(a.Added)
	case ByName:
		first = strings.Compare(a.Name, b.Name)
	}
	return cmp.Or(first, strings.Compare(a.SKU, b.SKU))
}
