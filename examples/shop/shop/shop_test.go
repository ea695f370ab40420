package shop_test

import (
	"errors"
	"testing"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noon is when everything happens in these tests.
var noon = time.Date(2026, time.June, 1, 12, 0, 0, 0, time.UTC)

// open opens a shop whose clock stands still.
func open(t *testing.T) *rpctest.Server {
	t.Helper()
	store := shop.NewStore(func() time.Time { return noon })
	return rpctest.Start(t, shop.App(), rpc.Options{}, shop.Services(store)...)
}

// params are parameters by name.
type params = map[string]any

// must calls a method that has to succeed.
func must[R any](t *testing.T, srv *rpctest.Server, method string, p any) R {
	t.Helper()
	r, err := rpctest.Call[R](srv, method, p)
	if err != nil {
		t.Fatalf("%s(%v): %v", method, p, err)
	}
	return r
}

// refused calls a method that has to answer an error of a kind.
func refused(t *testing.T, srv *rpctest.Server, method string, p any, kind error) error {
	t.Helper()
	_, err := rpctest.Call[any](srv, method, p)
	if !errors.Is(err, kind) {
		t.Errorf("%s(%v): %v, want %v", method, p, err, kind)
	}
	return err
}

// wrong calls a method whose parameters have to be wrong at these places.
func wrong(t *testing.T, srv *rpctest.Server, method string, p any, pointers ...string) {
	t.Helper()
	err := refused(t, srv, method, p, rpcerrors.InvalidParams)
	var e *rpcerrors.Error
	if !errors.As(err, &e) {
		return
	}
	found := map[string]bool{}
	for _, v := range e.Violations() {
		found[v.Pointer] = true
	}
	for _, want := range pointers {
		if !found[want] {
			t.Errorf("%s(%v): nothing wrong at %s: %v", method, p, want, e.Violations())
		}
	}
	if len(found) != len(pointers) {
		t.Errorf("%s(%v): %v, want only %v", method, p, e.Violations(), pointers)
	}
}

// TestPublished: who finds what.
func TestPublished(t *testing.T) {
	srv := open(t)
	for _, tc := range []struct {
		version int
		group   string
		has     []string
		hasNot  []string
	}{
		{1, rpc.DefaultGroup,
			[]string{"Catalog.search", "Catalog.product", "Catalog.categories", "Orders.create", "Orders.pay", "Customers.register"},
			[]string{"Catalog.find", "Catalog.restock", "Orders.ship", "Customers.find"}},
		{2, rpc.DefaultGroup, []string{"Catalog.find", "Catalog.product", "Orders.create"}, []string{"Catalog.search"}},
		{1, "mcp", []string{"Catalog.search", "Orders.get", "Orders.list"}, []string{"Orders.create", "Customers.get", "Catalog.restock"}},
		{2, "mcp", []string{"Catalog.find"}, []string{"Catalog.search"}},
		{1, "internal", []string{"Catalog.restock", "Orders.ship", "Customers.find"}, []string{"Catalog.search", "Orders.create"}},
	} {
		at := srv.At(tc.version, tc.group)
		for _, m := range tc.has {
			if _, err := rpctest.Call[any](at, m, params{"no such parameter": 1}); !errors.Is(err, rpcerrors.InvalidParams) {
				t.Errorf("%s v%d: %s is not there: %v", tc.group, tc.version, m, err)
			}
		}
		for _, m := range tc.hasNot {
			refused(t, at, m, nil, rpcerrors.MethodNotFound)
		}
	}
}
