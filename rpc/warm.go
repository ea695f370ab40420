package rpc

import (
	"context"
	"runtime/debug"

	"go.uber.org/zap"
)

// warmed is warm for a call whose work is done, which nothing may fail any
// more: a panic, such as one of [Cache].By, is logged.
func (x *Executor) warmed(ctx context.Context, c *Call, e *ending) {
	defer func() {
		if v := recover(); v != nil {
			x.options.Logger.Error("results could not be computed again: panic", append(c.fields(), zap.String("results", e.method), zap.Any("panic", v), zap.ByteString("stack", debug.Stack()))...)
		}
	}()
	x.warm(ctx, c, e)
}

// warm computes the result that an invalidation ended, in the background, as
// the caller of c would ask for it: at the same endpoint, in the same
// language. It is left out when that caller has no such method, and when too
// much is computed in the background already.
func (x *Executor) warm(ctx context.Context, c *Call, e *ending) {
	s := c.Endpoint.byName[e.method]
	if s == nil || !x.caches(s) || !x.Visible(c.Caller, s) {
		return
	}
	w := &Call{
		Endpoint: c.Endpoint, Method: e.method, Params: e.raw, Caller: c.caller, Language: c.Language, Door: c.Door, RayID: c.RayID,
		Detached: true, exec: x, spec: s, caller: c.caller, sequence: x.sequence.Add(1),
	}
	ctx = &callContext{context.WithoutCancel(ctx), w}
	plan := s.bound.in
	if plan == nil {
		plan = x.registry.params.None()
	}
	w.params = plan.New()
	if violations, err := plan.Decode(w.Params, w.params, false); err != nil || len(violations) > 0 {
		return // another version of the method, with other params
	}
	id, ok := x.identify(w, s)
	if !ok {
		return
	}
	if _, hit := x.lookUp(ctx, w, s, id); !hit && w.lookup.key != "" {
		x.refresh(ctx, w, x.flights.handlers[s])
	}
}
