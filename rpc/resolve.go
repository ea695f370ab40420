package rpc

import (
	"context"
	"reflect"
	"slices"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

// invalid is no receiver.
var invalid reflect.Value

// resolve finds the method. What the caller may not see does not exist.
func resolve(x *Executor, _ *Spec, next Handler) Handler {
	return func(ctx context.Context, c *Call) (Response, error) {
		if c.spec = c.Builtin; c.spec == nil {
			c.spec = c.Endpoint.byName[c.Method]
			if c.spec == nil || !x.Visible(c.Caller, c.spec) {
				c.spec = nil
				return Response{}, rpcerrors.MethodNotFound.New("")
			}
		}
		return next(ctx, c)
	}
}

// intercept puts the application's interceptors around the rest.
func intercept(x *Executor, _ *Spec, next Handler) Handler {
	for _, wrap := range slices.Backward(x.options.Interceptors) {
		next = wrap(next)
	}
	return next
}
