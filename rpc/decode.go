package rpc

import (
	"context"
	"reflect"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

// decode reads the parameters into the method's struct. Whatever is wrong
// with them, the broken validate rules too, is told at once.
func decode(x *Executor, s *Spec, next Handler) Handler {
	plan := s.bound.in
	if plan == nil {
		plan = x.registry.params.None()
	}
	pool := &s.bound.values
	keeps := s.bound.paramsPointer
	return func(ctx context.Context, c *Call) (Response, error) {
		pooled, _ := pool.Get().(*reflect.Value)
		if pooled == nil {
			v := plan.New()
			pooled = &v
		}
		c.params = *pooled
		violations, err := plan.Decode(c.Params, c.params, c.Control)
		if err != nil {
			violations = []rpcerrors.Violation{{Rule: "json", Message: "is not valid JSON: " + err.Error()}}
		} else if len(violations) > 0 || c.ends() {
			violations = plan.Check(c.params, violations)
		}
		if c.control != nil {
			violations = append(c.control.violations, violations...)
		}
		if len(violations) > 0 {
			return Response{}, rpcerrors.InvalidParams.Invalid(violations)
		}
		if err := c.checkIdempotencyKey(s); err != nil {
			return Response{}, err
		}
		if c.defers() {
			return x.accept(ctx, c)
		}
		response, callErr := next(ctx, c)
		if !keeps && !c.keepParams {
			c.params.SetZero()
			pool.Put(pooled)
		}
		c.params = invalid
		return response, callErr
	}
}

// validate applies the validate tags.
func validate(_ *Executor, s *Spec, next Handler) Handler {
	plan := s.bound.in
	if plan == nil || !plan.Ruled() {
		return next
	}
	return func(ctx context.Context, c *Call) (Response, error) {
		if violations := plan.Check(c.params, nil); len(violations) > 0 {
			return Response{}, rpcerrors.InvalidParams.Invalid(violations)
		}
		return next(ctx, c)
	}
}
