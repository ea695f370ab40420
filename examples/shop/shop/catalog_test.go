package shop_test

import (
	"context"
	"strings"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/rpc"
)

func skus(products []shop.Product) string {
	var s []string
	for _, p := range products {
		s = append(s, p.SKU)
	}
	return strings.Join(s, " ")
}

func TestSearch(t *testing.T) {
	srv := open(t)
	for _, tc := range []struct {
		name   string
		params any
		want   string
		total  int
	}{
		{"everything, ten by default", params{"query": ""}, "TEA-04 TEA-06 POT-01 TEA-03 CUP-02 TEA-05 POT-02 TEA-02 TEA-07 CUP-03", 12},
		{"in any case", params{"query": "MATCHA"}, "TEA-03 CUP-03", 2},
		{"by position", []any{"matcha"}, "TEA-03 CUP-03", 2},
		{"first page", params{"query": "", "limit": 2}, "TEA-04 TEA-06", 12},
		{"second page", params{"query": "", "limit": 2, "offset": 2}, "POT-01 TEA-03", 12},
		{"beyond the end", params{"query": "", "offset": 100}, "", 12},
		{"a category holds those below it", params{"query": "", "category": "green"}, "TEA-03 TEA-02 TEA-01", 3},
		{"the lowest category", params{"query": "", "category": "matcha"}, "TEA-03", 1},
		{"both", params{"query": "cup", "category": "ware"}, "CUP-02 CUP-01", 2},
		{"nothing", params{"query": "coffee"}, "", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := must[shop.SearchResult](t, srv, "Catalog.search", tc.params)
			if skus(got.Products) != tc.want || got.Total != tc.total {
				t.Errorf("%s of %d, want %s of %d", skus(got.Products), got.Total, tc.want, tc.total)
			}
		})
	}
	refused(t, srv, "Catalog.search", params{"query": "", "category": "coffee"}, rpcerrors.NotFound)
	wrong(t, srv, "Catalog.search", params{"limit": 0, "offset": -1}, "/query", "/limit", "/offset")
	wrong(t, srv, "Catalog.search", params{"query": nil, "limit": "5"}, "/query", "/limit")
}

func TestFind(t *testing.T) {
	srv := open(t).At(2, "default")
	for _, tc := range []struct {
		name   string
		params params
		want   string
	}{
		{"cheapest first", params{"sort": "cheapest", "limit": 3}, "TEA-07 TEA-06 TEA-04"},
		{"dearest first", params{"sort": "dearest", "limit": 2}, "POT-01 TEA-03"},
		{"newest first", params{"sort": "newest", "limit": 2}, "CUP-03 CUP-02"},
		{"in stock", params{"category": "herbal", "inStock": true}, "TEA-06"},
		{"sold out", params{"inStock": false}, "TEA-07"},
		{"stock does not matter", params{"category": "herbal", "inStock": nil}, "TEA-06 TEA-07"},
		{"price", params{"minPrice": 2450, "maxPrice": 3200}, "TEA-03 POT-02 TEA-02"},
		{"added since", params{"added": params{"from": "2026-03-09T09:00:00Z"}}, "CUP-02 CUP-03 CUP-01"},
		{"added before, the end left out", params{"added": params{"to": "2026-01-12T09:00:00Z"}}, "TEA-01"},
		{"in another time zone", params{"added": params{"to": "2026-01-12T11:00:01+02:00"}}, "TEA-02 TEA-01"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := must[shop.Page[shop.Product]](t, srv, "Catalog.find", tc.params)
			if skus(got.Items) != tc.want {
				t.Errorf("%s, want %s", skus(got.Items), tc.want)
			}
		})
	}
	wrong(t, srv, "Catalog.find", params{"sort": "random", "maxPrice": 1.5}, "/sort", "/maxPrice")
	wrong(t, srv, "Catalog.find", params{"added": params{"from": "2026-02-01T00:00:00Z", "to": "2026-01-01T00:00:00Z"}}, "/added/to")
	wrong(t, srv, "Catalog.find", params{"added": params{"from": "yesterday"}}, "/added/from")
}

// TestPages walks through the whole catalogue.
func TestPages(t *testing.T) {
	srv := open(t).At(2, "default")
	var all []shop.Product
	p := params{"limit": 5}
	for range 3 {
		page := must[shop.Page[shop.Product]](t, srv, "Catalog.find", p)
		if page.Total != 12 {
			t.Errorf("total %d, want 12", page.Total)
		}
		all = append(all, page.Items...)
		p["after"] = page.Next
	}
	if p["after"] != "" {
		t.Errorf("a page follows the last one: %v", p["after"])
	}
	whole := must[shop.Page[shop.Product]](t, srv, "Catalog.find", params{"limit": 100})
	if skus(all) != skus(whole.Items) {
		t.Errorf("pages %s, whole %s", skus(all), skus(whole.Items))
	}
	beyond := must[shop.Page[shop.Product]](t, srv, "Catalog.find", params{"after": "nobody"})
	if len(beyond.Items) != 0 || beyond.Next != "" {
		t.Errorf("after an unknown product: %v", beyond)
	}
}

func TestProduct(t *testing.T) {
	srv := open(t)
	got := must[shop.Product](t, srv, "Catalog.product", []any{"TEA-01"})
	if got.Name != "Sencha" || got.Price != (shop.Money{Amount: 890, Currency: shop.EUR}) {
		t.Errorf("%+v", got)
	}
	refused(t, srv, "Catalog.product", params{"sku": "TEA-99"}, rpcerrors.NotFound)
	wrong(t, srv, "Catalog.product", params{"sku": "tea"}, "/sku")
	wrong(t, srv, "Catalog.product", nil, "/sku")
}

func TestCategories(t *testing.T) {
	tree := must[[]shop.Category](t, open(t), "Catalog.categories", nil)
	if len(tree) != 2 || tree[0].Slug != "tea" || tree[0].Children[0].Children[0].Slug != "matcha" {
		t.Errorf("%+v", tree)
	}
}

func TestRestock(t *testing.T) {
	srv := open(t)
	got := must[shop.Product](t, srv.At(1, "internal"), "Catalog.restock", params{"sku": "TEA-07", "quantity": 3})
	if got.Stock != 3 {
		t.Errorf("stock %d, want 3", got.Stock)
	}
	must[shop.Order](t, srv, "Orders.create", params{"customer": "c000001", "lines": []params{{"sku": "TEA-07", "quantity": 3}}})
}

// TestSearchIsCached: a search is kept until an order changes the stock.
func TestSearchIsCached(t *testing.T) {
	srv := open(t)
	executed := 0
	events.On(srv.Events(), func(_ context.Context, e rpc.PostExecute) error {
		if e.Call.Method == "Catalog.search" {
			executed++
		}
		return nil
	})
	search := func() int {
		found := must[shop.SearchResult](t, srv, "Catalog.search", params{"query": "sencha"})
		return found.Products[0].Stock
	}
	search()
	if stock := search(); stock != 40 || executed != 1 {
		t.Errorf("stock %d after %d executions, want 40 after 1", stock, executed)
	}
	place(t, srv) // two of them
	if stock := search(); stock != 38 || executed != 2 {
		t.Errorf("stock %d after %d executions, want 38 after 2", stock, executed)
	}
}
