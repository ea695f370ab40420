package docs_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
)

// audit refuses orders of a customer who does not pay, and notes what
// happened to all others.
func audit(bus *events.Bus, note func(string)) {
	events.On(bus, func(_ context.Context, e rpc.PreExecute) error {
		if p, ok := e.Params.(*shop.CreateParams); ok && p.Customer == "c000002" {
			return rpcerrors.Logic.New("Please pay your last order first.")
		}
		return nil
	})
	events.On(bus, func(_ context.Context, e rpc.PostResponse) error {
		note(fmt.Sprintf("%s by %s", e.Call.Method, e.Call.Caller.ID))
		return nil
	})
	events.On(bus, func(_ context.Context, e rpc.Failed) error {
		note(fmt.Sprintf("%s failed: %s", e.Call.Method, e.Error.Kind()))
		return nil
	})
}

func TestAudit(t *testing.T) {
	bus := new(events.Bus)
	var mu sync.Mutex // listeners of several calls run at once
	var notes []string
	audit(bus, func(n string) {
		mu.Lock()
		defer mu.Unlock()
		notes = append(notes, n)
	})
	srv := rpctest.Start(t, shop.App(), rpc.Options{Events: bus}, shop.Services(shop.NewStore(nil))...)
	order := func(customer string) error {
		_, err := rpctest.Call[shop.Order](srv, "Orders.create", map[string]any{
			"customer": customer, "lines": []any{map[string]any{"sku": "TEA-01"}},
		})
		return err
	}
	if err := order("c000001"); err != nil {
		t.Error(err)
	}
	if err := order("c000002"); !errors.Is(err, rpcerrors.Logic) {
		t.Errorf("%v, want the listener's refusal", err)
	}
	srv.Drain()
	slices.Sort(notes)
	want := []string{"Orders.create by test", "Orders.create failed: Logic"}
	if !slices.Equal(notes, want) {
		t.Errorf("%q, want %q", notes, want)
	}
}
