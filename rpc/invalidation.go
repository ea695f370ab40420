package rpc

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/zap"
)

// Invalidate ends cached results of a method, given by its full name, from
// now on and on every node: a result that was computed from what was before
// is neither served nor stored after it. With nil params all of them end,
// otherwise those of exactly these params, for all callers, languages, groups
// and versions (and a few others: one in 256); params is the method's own
// struct or anything whose JSON the method would take.
//
// It fails when the method is unknown or has no Cache, when no version of it
// takes params, and when Records fail. In the last case this executor serves
// no result of any method until the end of these results was made up for;
// other nodes may serve them until their TTL is over.
func (x *Executor) Invalidate(ctx context.Context, method string, params any) error {
	specs := x.cachedSpecs(method)
	if len(specs) == 0 {
		return fmt.Errorf("facet: Invalidate: no method %q has a Cache", method)
	}
	if params == nil {
		return x.bump(ctx, specs[0].bound.generation)
	}
	raw, err := paramsJSON(specs, params)
	if err != nil {
		return fmt.Errorf("facet: Invalidate: the params of %s cannot be encoded: %w", method, err)
	}
	found := false
	for _, s := range specs {
		id := x.identityOf(s, params, raw)
		if id == nil {
			continue
		}
		found = true
		err = errors.Join(err, x.bump(ctx, id.generation))
	}
	if !found {
		return fmt.Errorf("facet: Invalidate: %s does not take the params %s", method, raw)
	}
	return err
}

func (x *Executor) cachedSpecs(method string) (specs []*Spec) {
	for _, s := range x.registry.specs {
		if s.Declared.Name == method && s.Declared.Cache.TTL > 0 {
			specs = append(specs, s)
		}
	}
	return specs
}

// paramsJSON is params as a caller would send it.
func paramsJSON(specs []*Spec, params any) ([]byte, error) {
	for _, s := range specs {
		if v, ok := s.own(params); ok {
			raw, _, err := s.bound.key.Append(nil, v)
			return raw, err
		}
	}
	return json.Marshal(params)
}

// own is params as the method's own struct, if it is that.
func (s *Spec) own(params any) (v reflect.Value, ok bool) {
	v = reflect.ValueOf(params)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if s.bound.params == nil || v.Type() != s.bound.params {
		return v, false
	}
	own := reflect.New(v.Type()).Elem() // can be addressed
	own.Set(v)
	return own, true
}

// identityOf is the identity of params for s; nil: s does not take them.
func (x *Executor) identityOf(s *Spec, params any, raw []byte) *identity {
	plan := s.bound.in
	if plan == nil {
		plan = x.registry.params.None()
	}
	v, ok := s.own(params)
	if !ok {
		v = plan.New()
		if violations, err := plan.Decode(raw, v, false); err != nil || len(violations) > 0 {
			return nil
		}
	}
	if s.Params == nil {
		return newIdentity(s, nil)
	}
	encoded, _, err := s.bound.key.Append(nil, v)
	if err != nil {
		return nil
	}
	return newIdentity(s, encoded)
}

// ended is one effect of a method's success on the results of another.
type ended struct {
	method string
	params []mapped
	exact  bool
	warm   bool
}

// mapped is a parameter whose value comes from the invalidating call.
type mapped struct {
	head string // ,"name":
	way  *way
	plan interface {
		Append(dst []byte, v reflect.Value) (out []byte, repaired bool, err error)
	}
}

// ending is what will end when the method has succeeded, made before it runs:
// it may change its params.
type ending struct {
	*ended
	raw []byte
	err error
}

func (s *Spec) endings(c *Call) []ending {
	out := make([]ending, len(s.bound.ends))
	for i := range s.bound.ends {
		e := &s.bound.ends[i]
		out[i].ended = e
		if e.exact {
			out[i].raw, out[i].err = e.encode(c.params)
		}
	}
	return out
}

func (e *ended) encode(params reflect.Value) (raw []byte, err error) {
	for _, p := range e.params {
		v, ok := p.way.follow(params)
		if !ok || none(v) {
			continue // not given here, so not there
		}
		raw = append(raw, p.head...) // begins with a comma
		if raw, _, err = p.plan.Append(raw, v); err != nil {
			return nil, err
		}
	}
	if len(raw) == 0 {
		return []byte("{}"), nil
	}
	raw[0] = '{'
	return append(raw, '}'), nil
}

// ended ends the results of e. A panic, such as one of a type's own decoder,
// is an error.
func (x *Executor) ended(ctx context.Context, e *ending) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &panicked{v, debug.Stack()}
		}
	}()
	var params any
	if e.exact {
		params = jsontext.Value(e.raw)
	}
	return x.Invalidate(ctx, e.method, params)
}

// none reports whether v is the nil of a parameter that was not given.
func none(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return v.IsNil()
	}
	return false
}

// invalidate ends what a successful call ends. A failure does not fail the
// call, whose work is done: see [Executor.Invalidate].
func (x *Executor) invalidate(ctx context.Context, c *Call, endings []ending) {
	for i := range endings {
		e := &endings[i]
		err := e.err
		if err == nil {
			err = x.ended(ctx, e)
		}
		if err != nil {
			x.options.Logger.Error("cached results could not be ended", append(c.fields(), zap.String("results", e.method), zap.Error(err))...)
		}
	}
	for i := range endings {
		if e := &endings[i]; e.warm && e.err == nil {
			x.warmed(ctx, c, e)
		}
	}
}
