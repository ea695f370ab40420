package shop_test

import (
	"testing"

	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/rpc/rpctest"
)

// TestUkrainian: whatever the shop publishes is described in Ukrainian.
func TestUkrainian(t *testing.T) { // R-I01 R-I02
	registry := open(t).Registry()
	texts := registry.App().Texts
	for _, group := range registry.Groups() {
		for _, version := range registry.Versions(group) {
			endpoint := registry.Endpoint(group, version)
			for _, s := range endpoint.Specs() {
				english, ok := texts.Text("en", group, s.Name()+".title")
				if ukrainian := endpoint.Title(s, "uk"); !ok || ukrainian == english || ukrainian == s.Name() {
					t.Errorf("%s: the title is %q, in English %q", s.Name(), ukrainian, english)
				}
				if got := endpoint.Description(s, "uk"); got == endpoint.Description(s, "en") {
					t.Errorf("%s: the description is %q", s.Name(), got)
				}
				if s.Params == nil {
					continue
				}
				for i := range s.Params.Fields {
					f := &s.Params.Fields[i]
					if got := endpoint.ParamText(s, f, "uk"); got == f.Description {
						t.Errorf("%s: the parameter %s is described %q", s.Name(), f.Name, got)
					}
				}
			}
		}
	}
	agents, people := registry.Endpoint("mcp", 1), registry.Endpoint("default", 1)
	search := agents.Lookup("Catalog.search")
	for _, lang := range []string{"uk", "en"} {
		if agents.Description(search, lang) == people.Description(search, lang) {
			t.Errorf("in %s agents read what people read", lang)
		}
	}
}

// TestErrorsInUkrainian: the shop's errors and rules, with their data.
func TestErrorsInUkrainian(t *testing.T) { // R-I04
	srv := open(t).In("uk-UA, en;q=0.5")
	for _, c := range []struct {
		method string
		params params
		want   string
	}{
		{"Orders.create", params{"customer": "c000001", "lines": []params{line("TEA-05", 3)}}, "Товару TEA-05 лишилося 2."},
		{"Catalog.product", params{"sku": "tea"}, "Неправильні параметри: /sku має бути артикулом, наприклад TEA-01."},
		{"Catalog.search", params{"query": "tea", "limit": 0}, "Неправильні параметри: /limit має бути не менше 1."},
		{"Catalog.product", params{"sku": "TEA-99"}, `Немає товару "TEA-99".`},
		{"Catalog.search", params{"query": "tea", "category": "shoes"}, `Немає категорії "shoes".`},
		{"Orders.get", params{"id": "o000777"}, `Немає замовлення "o000777".`},
		{"Orders.create", params{"customer": "c000777", "lines": []params{line("TEA-01", 1)}}, `Немає покупця "c000777".`},
		{"Orders.create", params{"customer": "c000001", "lines": []params{}}, "Неправильні параметри: /lines має містити щонайменше 1 елемент."},
	} {
		_, err := rpctest.Call[any](srv, c.method, c.params)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s(%v): %v, want %s", c.method, c.params, err, c.want)
		}
	}
	if _, ok := shop.OutOfStock.Data(refused(t, srv, "Orders.create", params{"customer": "c000001", "lines": []params{line("TEA-05", 3)}}, shop.OutOfStock)); !ok {
		t.Error("a translated error lost its data")
	}
}
