package shop_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/rpc/rpctest"
)

func euro(cents int64) shop.Money { return shop.Money{Amount: cents, Currency: shop.EUR} }

func line(sku string, quantity int) params { return params{"sku": sku, "quantity": quantity} }

// place orders tea and a pot.
func place(t *testing.T, srv *rpctest.Server) shop.Order {
	t.Helper()
	return must[shop.Order](t, srv, "Orders.create", params{
		"customer": "c000001",
		"lines":    []params{line("TEA-01", 2), {"sku": "POT-02"}},
		"delivery": params{"street": "Khreshchatyk 1", "city": "01001 Kyiv", "country": "UA"},
	})
}

func TestCreate(t *testing.T) {
	srv := open(t)
	got := place(t, srv)
	want := []shop.Line{
		{SKU: "TEA-01", Name: "Sencha", Quantity: 2, Price: euro(890), Total: euro(1780)},
		{SKU: "POT-02", Name: "Glass teapot", Quantity: 1, Price: euro(2690), Total: euro(2690)},
	}
	if len(got.Lines) != 2 || got.Lines[0] != want[0] || got.Lines[1] != want[1] {
		t.Errorf("lines %+v, want %+v", got.Lines, want)
	}
	if got.Total != euro(4470) || got.State != shop.Open || !got.Created.Equal(noon) || got.Delivery.Country != "UA" {
		t.Errorf("%+v", got)
	}
	if left := must[shop.Product](t, srv, "Catalog.product", []any{"TEA-01"}).Stock; left != 38 {
		t.Errorf("%d left in stock, want 38", left)
	}
	if same := must[shop.Order](t, srv, "Orders.get", params{"id": got.ID}); same.Total != got.Total {
		t.Errorf("got %+v, placed %+v", same, got)
	}
}

func TestCreateWrong(t *testing.T) {
	srv := open(t)
	for _, tc := range []struct {
		name   string
		params params
		at     []string
	}{
		{"nothing", params{}, []string{"/customer", "/lines"}},
		{"no lines", params{"customer": "c000001", "lines": []params{}}, []string{"/lines"}},
		{
			"in every line", params{"customer": "c000001", "lines": []params{line("tea", 0), {"sku": "TEA-01", "quantity": nil}, {"colour": "red"}}},
			[]string{"/lines/0/sku", "/lines/0/quantity", "/lines/1/quantity", "/lines/2/sku", "/lines/2/colour"},
		},
		{"a product twice", params{"customer": "c000001", "lines": []params{line("TEA-01", 1), line("TEA-01", 2)}}, []string{"/lines"}},
		{
			"address", params{"customer": "c000001", "lines": []params{line("TEA-01", 1)}, "delivery": params{"street": "", "city": "Kyiv", "country": "ua"}},
			[]string{"/delivery/street", "/delivery/country"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) { wrong(t, srv, "Orders.create", tc.params, tc.at...) })
	}
	refused(t, srv, "Orders.create", params{"customer": "nobody", "lines": []params{line("TEA-01", 1)}}, rpcerrors.NotFound)
	refused(t, srv, "Orders.create", params{"customer": "c000001", "lines": []params{line("TEA-99", 1)}}, rpcerrors.NotFound)
}

// TestOutOfStock: an order that cannot be filled takes nothing from stock.
func TestOutOfStock(t *testing.T) {
	srv := open(t)
	_, err := rpctest.Call[shop.Order](srv, "Orders.create", params{
		"customer": "c000001", "lines": []params{line("TEA-01", 1), line("TEA-05", 3)},
	})
	short, ok := shop.OutOfStock.Data(err)
	if !ok || short != (shop.Shortage{SKU: "TEA-05", Left: 2}) {
		t.Errorf("%v with %+v", err, short)
	}
	if left := must[shop.Product](t, srv, "Catalog.product", []any{"TEA-01"}).Stock; left != 40 {
		t.Errorf("%d of the first product left, want all 40", left)
	}
}

// TestOrderIsFollowed takes an order from the shelf to the carrier.
func TestOrderIsFollowed(t *testing.T) {
	srv := open(t)
	id := place(t, srv).ID
	_, err := rpctest.Call[shop.Order](srv, "Orders.pay", params{"id": id, "amount": euro(1)})
	if due, ok := shop.WrongAmount.Data(err); !ok || due.Due != euro(4470) {
		t.Errorf("paying too little: %v", err)
	}
	paid := must[shop.Order](t, srv, "Orders.pay", params{"id": id, "amount": euro(4470)})
	if paid.State != shop.Paid {
		t.Errorf("state %s after paying", paid.State)
	}
	staff := srv.At(1, "internal")
	shipped := must[shop.Order](t, staff, "Orders.ship", params{"id": id, "tracking": "UA1"})
	if shipped.State != shop.Shipped || shipped.Tracking != "UA1" {
		t.Errorf("%+v", shipped)
	}
	_, err = rpctest.Call[shop.Order](srv, "Orders.cancel", params{"id": id})
	if !errors.Is(err, shop.WrongState) || !strings.Contains(err.Error(), "is shipped") {
		t.Errorf("cancelling what was shipped: %v", err)
	}
}

// TestSteps: what an order in a state allows.
func TestSteps(t *testing.T) {
	for _, tc := range []struct {
		name  string
		steps []string
		last  bool // the last step is allowed
	}{
		{"pay twice", []string{"pay", "pay"}, false},
		{"ship what is not paid", []string{"ship"}, false},
		{"ship twice", []string{"pay", "ship", "ship"}, false},
		{"cancel an open order", []string{"cancel"}, true},
		{"cancel a paid order", []string{"pay", "cancel"}, true},
		{"cancel twice", []string{"cancel", "cancel"}, false},
		{"pay a cancelled order", []string{"cancel", "pay"}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			srv := open(t)
			id := place(t, srv).ID
			for i, step := range tc.steps {
				at, p := srv, params{"id": id}
				switch step {
				case "pay":
					p["amount"] = euro(4470)
				case "ship":
					at, p["tracking"] = srv.At(1, "internal"), "X"
				}
				if i == len(tc.steps)-1 && !tc.last {
					refused(t, at, "Orders."+step, p, shop.WrongState)
					return
				}
				must[shop.Order](t, at, "Orders."+step, p)
			}
		})
	}
}

// TestCancel puts the goods back.
func TestCancel(t *testing.T) {
	srv := open(t)
	must[shop.Order](t, srv, "Orders.cancel", params{"id": place(t, srv).ID})
	if left := must[shop.Product](t, srv, "Catalog.product", []any{"TEA-01"}).Stock; left != 40 {
		t.Errorf("%d in stock, want 40", left)
	}
	refused(t, srv, "Orders.cancel", params{"id": "nothing"}, rpcerrors.NotFound)
}

func TestList(t *testing.T) {
	srv := open(t)
	mine := place(t, srv).ID
	for _, tc := range []struct {
		name   string
		params params
		want   []string
	}{
		{"all", params{}, []string{"o000001", "o000002", mine}},
		{"of one customer", params{"customer": "c000001"}, []string{"o000001", mine}},
		{"in some states", params{"states": []string{"shipped", "paid"}}, []string{"o000001"}},
		{"since", params{"created": params{"from": "2026-05-01T00:00:00Z"}}, []string{mine}},
		{"a page", params{"limit": 1, "after": "o000001"}, []string{"o000002"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var ids []string
			for _, o := range must[shop.Page[shop.Order]](t, srv, "Orders.list", tc.params).Items {
				ids = append(ids, o.ID)
			}
			if strings.Join(ids, " ") != strings.Join(tc.want, " ") {
				t.Errorf("%v, want %v", ids, tc.want)
			}
		})
	}
	wrong(t, srv, "Orders.list", params{"states": []string{"open", "lost"}}, "/states/1")
}

// TestOrderedOnce: a client that heard nothing repeats its order with the same
// key, and has ordered once.
func TestOrderedOnce(t *testing.T) {
	srv := open(t)
	order := params{
		"customer": "c000001", "lines": []params{line("TEA-03", 1)},
		"$rpc": params{"idempotencyKey": "9a1c7a4e-5d0f-4a43-9d8c-0a2c2b7f3e11"},
	}
	first := must[shop.Order](t, srv, "Orders.create", order)
	again := must[shop.Order](t, srv, "Orders.create", order)
	if first.ID != again.ID {
		t.Errorf("orders %s and %s, want one", first.ID, again.ID)
	}
	if left := must[shop.Product](t, srv, "Catalog.product", []any{"TEA-03"}).Stock; left != 11 {
		t.Errorf("%d in stock, want 11", left)
	}
}

// TestLastPieces: many customers at once get no more than there is.
func TestLastPieces(t *testing.T) {
	srv := open(t)
	var wg sync.WaitGroup
	results := make([]error, 12) // for 6 pieces of TEA-02
	for i := range results {
		wg.Go(func() {
			customer := []string{"c000001", "c000002"}[i%2]
			_, results[i] = rpctest.Call[shop.Order](srv, "Orders.create", params{"customer": customer, "lines": []params{line("TEA-02", 1)}})
		})
	}
	wg.Wait()
	sold := 0
	for _, err := range results {
		switch {
		case err == nil:
			sold++
		case !errors.Is(err, shop.OutOfStock):
			t.Error(err)
		}
	}
	if sold != 6 {
		t.Errorf("%d orders for 6 pieces", sold)
	}
}
