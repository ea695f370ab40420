package docs_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
)

// timing tells how long each call of a method took, the cached ones too.
func timing(tell func(method string, took time.Duration, err error)) rpc.Interceptor {
	return func(next rpc.Handler) rpc.Handler {
		return func(ctx context.Context, c *rpc.Call) (rpc.Response, error) {
			began := time.Now()
			response, err := next(ctx, c)
			tell(c.Spec().Name(), time.Since(began), err)
			return response, err
		}
	}
}

// readOnly refuses what may change something, such as while the database is
// moved.
func readOnly(moving func() bool) rpc.Interceptor {
	return func(next rpc.Handler) rpc.Handler {
		return func(ctx context.Context, c *rpc.Call) (rpc.Response, error) {
			if c.Builtin == nil && c.Spec().Declared.Hints.ReadOnly != rpc.Yes && moving() {
				return rpc.Response{}, rpcerrors.Unavailable.New("The shop only shows its goods for some minutes.")
			}
			return next(ctx, c)
		}
	}
}

func TestInterceptors(t *testing.T) {
	var told []string
	moving := false
	options := rpc.Options{Interceptors: []rpc.Interceptor{
		timing(func(method string, took time.Duration, err error) {
			if took < 0 {
				t.Errorf("%s took %v", method, took)
			}
			if err != nil {
				method += " failed"
			}
			told = append(told, method)
		}),
		readOnly(func() bool { return moving }),
	}}
	srv := rpctest.Start(t, shop.App(), options, shop.Services(shop.NewStore(nil))...)
	order := shop.CreateParams{Customer: "c000001", Lines: []shop.LineParams{{SKU: "TEA-01"}}}
	if _, err := rpctest.Call[shop.Order](srv, "Orders.create", order); err != nil {
		t.Error(err)
	}
	moving = true
	if _, err := rpctest.Call[shop.Order](srv, "Orders.create", order); !errors.Is(err, rpcerrors.Unavailable) {
		t.Errorf("%v, want the interceptor's refusal", err)
	}
	for range 2 { // the second is a hit
		if _, err := rpctest.Call[[]shop.Category](srv, "Catalog.categories", nil); err != nil {
			t.Error(err)
		}
	}
	if _, err := rpctest.Call[string](srv, "Orders.burn", nil); !errors.Is(err, rpcerrors.MethodNotFound) {
		t.Error(err)
	}
	want := []string{"Orders.create", "Orders.create failed", "Catalog.categories", "Catalog.categories"}
	if !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}
