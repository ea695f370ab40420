package rpc

import (
	"context"
	"encoding/binary"
	"slices"
	"strconv"

	"go.uber.org/zap"
)

// cached answers from the store, and stores what the method answered. A
// store that fails is logged and passed by.
func cached(x *Executor, s *Spec, next Handler) Handler {
	k := s.Declared.Cache
	if k.TTL <= 0 || k.Env != nil && !slices.Contains(k.Env, x.options.Env) {
		return next
	}
	return func(ctx context.Context, c *Call) (Response, error) {
		key, ok := x.cacheKey(ctx, c, s)
		if !ok {
			return next(ctx, c)
		}
		if !c.control.ignoreCache {
			value, found, err := x.options.Store.Load(ctx, key)
			if err != nil {
				x.bypassed(c, err)
			} else if found {
				return Response{call: c, bytes: value}, nil
			}
		}
		response, err := next(ctx, c)
		if err == nil {
			if err := x.options.Store.Save(ctx, key, response.bytes, k.TTL); err != nil {
				x.bypassed(c, err)
			}
		}
		return response, err
	}
}

func (x *Executor) bypassed(c *Call, err error) {
	x.options.Logger.Warn("the cache failed and was passed by", append(c.fields(), zap.Error(err))...)
}

// cacheKey names a result: everything it depends on, each part with its
// length before it, the generation of the method's results among them, which
// is read before the method runs. Params are in the encoding of their
// type, defaults filled in: the order of members and spelling of numbers do
// not matter, and no digit of an integer is lost.
func (x *Executor) cacheKey(ctx context.Context, c *Call, s *Spec) (key string, ok bool) {
	generation, _, err := x.options.Records.Get(ctx, generationKey(s.Declared.Name))
	if err != nil {
		x.bypassed(c, err)
		return "", false
	}
	k := &s.Declared.Cache
	b := x.buffers.get()
	defer x.buffers.put(b)
	out := append(b.bytes[:0], "facet1"...)
	out = appendPart(out, s.Declared.Name)
	out = appendPart(out, c.Endpoint.Group)
	out = appendPart(out, strconv.Itoa(c.Endpoint.Version))
	out = appendPart(out, string(generation))
	if !k.LanguageFree {
		out = appendPart(out, c.Language)
	}
	if !k.Shared {
		out = appendPart(out, c.Caller.ID)
	}
	if k.By != nil {
		out = appendPart(out, k.By(c.Caller))
	}
	if s.Params != nil {
		out, _, err = s.bound.key.Append(out, c.params)
	}
	b.bytes = out
	if err != nil {
		return "", false // such params cannot be compared
	}
	return string(out), true
}

// appendPart appends text with its length, so that parts cannot run together.
func appendPart(b []byte, text string) []byte {
	b = binary.AppendUvarint(b, uint64(len(text)))
	return append(b, text...)
}

func generationKey(method string) string { return "facet1.generation." + method }

// invalidate ends the results of the methods that s names.
func (x *Executor) invalidate(ctx context.Context, s *Spec) {
	for _, name := range s.Declared.Invalidates {
		if _, err := x.options.Records.Incr(context.WithoutCancel(ctx), generationKey(name), 0); err != nil {
			x.options.Logger.Error("cached results could not be ended", zap.String("method", name), zap.Error(err))
		}
	}
}
