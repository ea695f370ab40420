package runs_test

import (
	stderrors "errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	shopclient "github.com/facet-rpc/facet/openrpc/goclient/testdata/shopv2"
	"github.com/facet-rpc/facet/openrpc/goclient/testdata/zoo"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/facet-rpc/facet/transport/rpchttp/client"
)

func referringShop(t *testing.T) *shopclient.Client {
	t.Helper()
	url := serveShop(t, rpchttp.Edge{References: true})
	return shopclient.New(client.New(url, client.Options{Token: "secret", References: true}))
}

// Calls take what earlier ones of the batch answer: part of a list, a whole
// struct, beside values.
func TestReferences(t *testing.T) { // R-C08, R-O05
	c := referringShop(t)
	b := c.Batch()
	found := b.Catalog.Find(shopclient.CatalogFindParams{Sort: shopclient.SortOrderCheapest, InStock: new(true), Limit: 1})
	cheapest := b.Catalog.ProductFrom(shopclient.CatalogProductFrom{SKU: found.Ref().ItemsAt(0).SKU()})
	placed := b.Orders.Create(shopclient.OrdersCreateParams{
		Customer: "c000001", Lines: []shopclient.LineParams{{SKU: "TEA-01", Quantity: 2}},
	})
	paid := b.Orders.PayFrom(shopclient.OrdersPayFrom{
		ID:     placed.Ref().ID(),
		Amount: client.As[shopclient.MoneyInput](placed.Ref().Total()),
	}, shopclient.Meta{RayID: "checkout"})
	shelves := b.Catalog.Categories()
	shelf := b.Catalog.FindFrom(shopclient.CatalogFindFrom{
		Category: shelves.At(0).Slug(),
		Sort:     client.Value(shopclient.SortOrderDearest),
		Limit:    client.Value[int64](2),
	})
	if err := b.Send(t.Context()); err != nil {
		t.Fatal(err)
	}
	page, err := found.Result()
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("got %+v, %v", page, err)
	}
	if p, err := cheapest.Result(); err != nil || p.SKU != page.Items[0].SKU {
		t.Errorf("got %+v, %v, want %s", p, err, page.Items[0].SKU)
	}
	order, err := placed.Result()
	if err != nil {
		t.Fatal(err)
	}
	if o, err := paid.Result(); err != nil || o.ID != order.ID || o.State != shopclient.OrderStatePaid {
		t.Errorf("got %+v, %v", o, err)
	}
	if p, err := shelf.Result(); err != nil || len(p.Items) != 2 || p.Items[0].Price.Amount < p.Items[1].Price.Amount {
		t.Errorf("got %+v, %v", p, err)
	}
}

// What cannot be filled in is an error of the call that refers, of its kind.
func TestReferenceErrors(t *testing.T) { // R-C08
	c := referringShop(t)
	b := c.Batch()
	found := b.Catalog.Find(shopclient.CatalogFindParams{Limit: 1})
	missing := b.Catalog.Product(shopclient.CatalogProductParams{SKU: "TEA-99"})
	for what, call := range map[string]shopclient.ProductPending{
		"has no \"7\"": b.Catalog.ProductFrom(shopclient.CatalogProductFrom{SKU: found.Ref().ItemsAt(7).SKU()}),
		"that failed":  b.Catalog.ProductFrom(shopclient.CatalogProductFrom{SKU: missing.Ref().SKU()}),
	} {
		defer func() {
			_, err := call.Result()
			if answered := (*rpcerrors.Error)(nil); !stderrors.Is(err, rpcerrors.Reference) || !stderrors.As(err, &answered) || answered.Code() != -32301 ||
				!strings.Contains(err.Error(), what) {
				t.Errorf("%s: got %v", what, err)
			}
		}()
	}
	number := b.Catalog.ProductFrom(shopclient.CatalogProductFrom{SKU: client.As[string](found.Ref().Total())})
	if err := b.Send(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := found.Result(); err != nil {
		t.Error(err)
	}
	if _, err := number.Result(); !stderrors.Is(err, rpcerrors.InvalidParams) {
		t.Errorf("a number where text belongs: %v", err)
	}
}

// A server with references gives back the text that it was sent.
func TestReferenceAsText(t *testing.T) { // R-C08
	c := referringShop(t)
	for i, name := range []string{"@FROM:1()", "@@FROM:1()", "@@@FROM:nobody(", "@FROM", "x@FROM:1()"} {
		b := c.Batch()
		email := strings.Repeat("a", i+1) + "@example.org"
		sent := b.Customers.Register(shopclient.CustomersRegisterParams{Name: name, Email: email})
		valued := b.Customers.RegisterFrom(shopclient.CustomersRegisterFrom{Name: client.Value(name), Email: client.Value("b" + email)})
		if err := b.Send(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, call := range []shopclient.CustomerPending{sent, valued} {
			if customer, err := call.Result(); err != nil || customer.Name != name {
				t.Errorf("%s: got %q, %v", name, customer.Name, err)
			}
		}
		alone, err := c.Customers.Register(t.Context(), shopclient.CustomersRegisterParams{Name: name, Email: "c" + email})
		if err != nil || alone.Name != name {
			t.Errorf("%s alone: got %q, %v", name, alone.Name, err)
		}
	}
}

// Params by position, and of notifications.
func TestReferencesByPosition(t *testing.T) {
	var body string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body) // a short body fails the comparison
		body = string(text)
	}))
	defer server.Close()
	c := zoo.New(client.New(server.URL, client.Options{HTTPClient: server.Client(), References: true}))
	b := c.Batch()
	sum := b.Position.Add(zoo.PositionAddParams{A: 1})
	b.Position.AddFrom(zoo.PositionAddFrom{A: sum.Ref(), CD: client.Value("@FROM:1()")})
	b.Position.AddFrom(zoo.PositionAddFrom{A: client.Value[int64](0)})
	b.Position.LogFrom(zoo.PositionLogFrom{A: sum.Ref()})
	b.LogFrom(zoo.LogFrom{Line: client.As[string](sum.Ref())})
	_ = b.Send(t.Context()) // nothing is answered
	want := `[{"jsonrpc":"2.0","id":1,"method":"position.add","params":[1]},` +
		`{"jsonrpc":"2.0","id":2,"method":"position.add","params":["@FROM:1()",null,"@@FROM:1()"]},` +
		`{"jsonrpc":"2.0","id":3,"method":"position.add","params":[0]},` +
		`{"jsonrpc":"2.0","method":"position.log","params":["@FROM:1()"]},` +
		`{"jsonrpc":"2.0","method":"log","params":{"line":"@FROM:1()"}}]`
	if body != want {
		t.Errorf("sent %s\nwant %s", body, want)
	}
}
