package rpc

import (
	"context"
	"slices"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

// lookup is what was found out about the answer of a call before it runs.
type lookup struct {
	id            *identity
	audience      audience
	method, exact string  // the generations, read before the method runs
	key           string  // empty: results can be neither read nor stored now
	stale         []byte  // a result whose TTL is over, and which may be served
	flight        *flight // the execution that answered the call

	reported *rpcerrors.Error // the answer, an error that was logged and published before
	replayed bool             // the answer is that of an earlier call; see [Response.Replayed]
	invoked  bool             // the method was called
}

// caches reports whether results of s are kept here.
func (x *Executor) caches(s *Spec) bool {
	k := &s.Declared.Cache
	return k.TTL > 0 && (k.Env == nil || slices.Contains(k.Env, x.options.Env))
}

// recalled answers from the store without decoding, when params have come in
// the same bytes before.
func recalled(x *Executor, s *Spec, next Handler) Handler {
	if !x.caches(s) {
		return next
	}
	return func(ctx context.Context, c *Call) (Response, error) {
		if c.control != nil {
			return next(ctx, c)
		}
		if id := s.bound.spellings.find(c.Params); id != nil {
			if hit, ok := x.lookUp(ctx, c, s, id); ok {
				return hit, nil
			}
		}
		return next(ctx, c)
	}
}

// cached answers from the store; a result that is not there is computed once
// for all who ask for it at the time, and stored. A store that fails is
// logged and passed by.
func cached(x *Executor, s *Spec, next Handler) Handler {
	if !x.caches(s) {
		return next
	}
	alone := limited(s.Declared.Timeout, next)
	together := limited(s.Declared.Timeout, leased(x, s, next))
	x.flights.handlers[s] = together
	return func(ctx context.Context, c *Call) (Response, error) {
		if c.lookup == nil {
			id, ok := x.identify(c, s)
			if !ok {
				return alone(ctx, c)
			}
			if hit, ok := x.lookUp(ctx, c, s, id); ok {
				return hit, nil
			}
		}
		l := c.lookup
		switch {
		case l.key == "":
			return alone(ctx, c)
		case l.stale != nil:
			x.counters.hits.Add(1)
			x.counters.stale.Add(1)
			x.refresh(ctx, c, together)
			return Response{call: c, bytes: l.stale}, nil
		}
		x.counters.misses.Add(1)
		return x.join(ctx, c, together)
	}
}

// lookUp reads the result of a call. Without a hit it leaves what it found out
// in c.lookup.
func (x *Executor) lookUp(ctx context.Context, c *Call, s *Spec, id *identity) (Response, bool) {
	method, exact, err := x.generations(ctx, s, id)
	if err != nil {
		x.bypassed(ctx, c, err)
		c.lookup = &lookup{}
		return Response{}, false
	}
	who := audienceOf(&s.Declared.Cache, c.Caller)
	key := x.resultKey(c, who, id, method, exact)
	var stale []byte
	if !c.ignoresCache() {
		result, fresh, ok := x.load(ctx, c, key)
		if ok && fresh {
			x.counters.hits.Add(1)
			return Response{call: c, bytes: result}, true
		}
		stale = result
	}
	c.lookup = &lookup{id: id, audience: who, method: string(method), exact: string(exact), key: key, stale: stale}
	return Response{}, false
}
