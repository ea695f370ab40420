package openrpc_test

import (
	"strings"
	"testing"

	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/rpc"
)

// The documents of the shop are what pages and generators of clients are tried
// with: both versions, and the words in another language.
//
// R-O01 R-O02 R-O04
func TestShop(t *testing.T) {
	registry, err := rpc.NewRegistry(shop.App(), shop.Services(shop.NewStore(nil))...)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		file     string
		group    string
		version  int
		language string
		has      []string
	}{
		{"shop.v1.json", rpc.DefaultGroup, 1, "en", []string{
			`"name":"Catalog.search"`, `"deprecated":true`, `"summary":"The cheaper teapot of two"`, `"externalDocs":{"url":"https://shop.example/help/paying"}`,
			`"tags":[{"name":"Catalog","description":"Catalog knows what the shop sells."}]`,
			`"x-idempotency":{"ttl":86400}`, `{"$ref":"#/components/errors/IdempotencyConflict"}`,
		}},
		{"shop.v2.json", rpc.DefaultGroup, 2, "en", []string{`"name":"Catalog.find"`, `"x-enum-descriptions"`}},
		{"shop.v1.uk.json", rpc.DefaultGroup, 1, "uk", []string{`Знаходить товари за назвою.`, `Use Catalog.find of version 2.`, `"message":"Товару {{.SKU}} лишилося {{.Left}}."`}},
		{"shop.internal.json", "internal", 1, "en", []string{`"name":"Catalog.restock"`}},
	} {
		doc, err := openrpc.Document(registry, registry.Endpoint(row.group, row.version),
			openrpc.Options{Language: row.language, ServerURL: "https://shop.example/rpc"})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range row.has {
			if !strings.Contains(string(doc), want) {
				t.Errorf("%s does not have %s", row.file, want)
			}
		}
		if found := problems(t, doc); found != nil {
			t.Errorf("%s: %q", row.file, found)
		}
		if err := validate(t, doc); err != nil {
			t.Errorf("%s: %v", row.file, err)
		}
		golden(t, row.file, doc)
	}
}
