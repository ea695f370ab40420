package shop_test

import (
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/examples/shop/shop"
)

func TestCustomers(t *testing.T) {
	srv := open(t)
	ada := must[shop.Customer](t, srv, "Customers.register", params{"name": "Ada", "email": "Ada@Example.org"})
	if ada.Email != "ada@example.org" || !ada.Registered.Equal(noon) {
		t.Errorf("%+v", ada)
	}
	if got := must[shop.Customer](t, srv, "Customers.get", params{"id": ada.ID}); got != ada {
		t.Errorf("%+v, want %+v", got, ada)
	}
	refused(t, srv, "Customers.register", params{"name": "Another", "email": "ADA@example.org"}, shop.EmailTaken)
	refused(t, srv, "Customers.get", params{"id": "nobody"}, rpcerrors.NotFound)
	wrong(t, srv, "Customers.register", params{"name": "", "email": "ada"}, "/name", "/email")
}

func TestFindCustomers(t *testing.T) {
	staff := open(t).At(1, "internal")
	for _, tc := range []struct{ text, want string }{
		{"OLENA", "c000001"},
		{"piet@", "c000002"},
	} {
		got := must[shop.Page[shop.Customer]](t, staff, "Customers.find", params{"text": tc.text})
		if len(got.Items) != 1 || got.Items[0].ID != tc.want {
			t.Errorf("%s: %+v, want %s", tc.text, got.Items, tc.want)
		}
	}
	wrong(t, staff, "Customers.find", params{"text": "x"}, "/text")
}
