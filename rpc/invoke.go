package rpc

import (
	"context"
	stderrors "errors"
	"reflect"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"go.uber.org/zap"
)

// invoke runs the method and encodes its result, once.
func invoke(x *Executor, s *Spec, _ Handler) Handler {
	b := &s.bound
	return func(ctx context.Context, c *Call) (Response, error) {
		if err := ctx.Err(); err != nil {
			return Response{}, err
		}
		if s.Declared.Cache.TTL > 0 && s.Declared.Cache.Shared {
			c.Caller = anonymous
		}
		if c.lookup != nil {
			c.lookup.invoked = true
		}
		var endings []ending
		if b.ends != nil {
			endings = s.endings(c)
		}
		out := b.call(ctx, c)
		if b.returnsError {
			if last := out[len(out)-1]; !last.IsNil() {
				return Response{}, last.Interface().(error)
			}
		}
		c.ran = true
		if b.result != nil {
			c.result = out[0]
		}
		if endings != nil {
			defer x.invalidate(ctx, c, endings) // the method succeeded, whatever comes now
		}
		x.published(ctx, c)
		if x.topics.preResponse.Active() {
			if err := x.replaced(ctx, c); err != nil {
				return Response{}, err
			}
		}
		return x.encode(c)
	}
}

// call is the reflected call; its arguments are reused.
func (b *bound) call(ctx context.Context, c *Call) []reflect.Value {
	args, _ := b.args.Get().(*[3]reflect.Value)
	if args == nil {
		args = new([3]reflect.Value)
	}
	n := 0
	if b.receiver.IsValid() {
		args[n] = b.receiver
		n++
	}
	if b.takesContext {
		c.methodContext = ctx
		args[n] = reflect.ValueOf(&c.methodContext).Elem()
		n++
	}
	if b.params != nil {
		args[n] = c.params
		if b.paramsPointer {
			args[n] = c.params.Addr()
		}
		n++
	}
	out := b.fn.Call(args[:n])
	*args = [3]reflect.Value{}
	b.args.Put(args)
	return out
}

// published tells that the method has returned; listeners cannot change that.
func (x *Executor) published(ctx context.Context, c *Call) {
	if !x.topics.postExecute.Active() {
		return
	}
	if err := x.topics.postExecute.Publish(ctx, PostExecute{Call: c, Result: c.value()}); err != nil {
		x.options.Logger.Error("a listener of rpc.post_execute failed", append(c.fields(), zap.Error(err))...)
	}
}

// replaced lets listeners of rpc.pre_response change the result.
func (x *Executor) replaced(ctx context.Context, c *Call) error {
	value := c.value()
	if err := x.topics.preResponse.Publish(ctx, PreResponse{Call: c, Result: &value}); err != nil {
		x.options.Logger.Error("a listener of rpc.pre_response failed", append(c.fields(), zap.Error(err))...)
	}
	if !c.result.IsValid() {
		return nil
	}
	v := reflect.ValueOf(value)
	if !v.IsValid() {
		v = reflect.Zero(c.spec.bound.result)
	}
	if !v.Type().AssignableTo(c.spec.bound.result) {
		return stderrors.New("a listener of rpc.pre_response put a " + v.Type().String() + " in place of a " + c.spec.bound.result.String())
	}
	c.result = v
	return nil
}

// value is the result as any; nil for a method without.
func (c *Call) value() any {
	if !c.result.IsValid() {
		return nil
	}
	return c.result.Interface()
}

var null = []byte("null")

// encode writes the result; these bytes go to every edge and to the cache.
func (x *Executor) encode(c *Call) (Response, error) {
	plan := c.spec.bound.out
	if plan == nil {
		return Response{call: c, bytes: null}, nil
	}
	b := x.buffers.get()
	out, repaired, err := plan.Append(b.bytes[:0], c.result)
	b.bytes = out
	if err != nil {
		x.buffers.put(b)
		return Response{}, rpcerrors.Internal.Wrap(err, "")
	}
	if repaired {
		x.options.Logger.Warn("the result had invalid UTF-8, sent as U+FFFD", c.fields()...)
	}
	c.buffer = b
	return Response{call: c, bytes: out}, nil
}
