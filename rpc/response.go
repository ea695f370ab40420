package rpc

import (
	"context"
	"sync"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"go.uber.org/zap"
)

// Response is the answer of a call that succeeded.
type Response struct {
	call  *Call
	bytes []byte
}

// Bytes is the result as JSON, always there. It is valid until [Response.Sent]
// and must not be changed.
func (r Response) Bytes() []byte { return r.bytes }

// Value is the result as the method returned it, when the method ran for
// this call; nil when the answer came from the cache, or from the execution
// of another call.
func (r Response) Value() any {
	if r.call == nil || !r.call.result.IsValid() {
		return nil
	}
	return r.call.result.Interface()
}

// Replayed reports whether this is the first answer to the call's idempotency
// key, again. It may also be asked of the Response beside an error of
// [Executor.Do].
func (r Response) Replayed() bool {
	return r.call != nil && r.call.lookup != nil && r.call.lookup.replayed
}

// Awaited reports whether somebody waits for [Response.Sent]: then the edge
// flushes the answer before.
func (r Response) Awaited() bool {
	c := r.call
	return c != nil && (c.ran || c.lookup != nil && c.lookup.flight != nil) && c.exec.topics.postResponse.Active()
}

// Sent tells that the answer was written, and flushed if it was [Response.Awaited]:
// rpc.post_response is published, and the memory of Bytes is used again. An edge calls it once, also when the
// client has gone.
func (r Response) Sent() {
	c := r.call
	if c == nil {
		return
	}
	r.discard()
	x := c.exec
	if c.lookup != nil && c.lookup.flight != nil {
		f := c.lookup.flight
		c.lookup.flight = nil
		if !f.call.ran || !f.told.CompareAndSwap(false, true) {
			return
		}
		c = f.call
	} else if !c.ran {
		return
	} else {
		c.ran = false
	}
	if !x.topics.postResponse.Active() {
		return
	}
	ctx := context.WithoutCancel(&c.context)
	event := PostResponse{Call: c, Result: c.value()}
	x.after.add(func() {
		if err := x.topics.postResponse.Publish(ctx, event); err != nil {
			x.options.Logger.Error("a listener of rpc.post_response failed", append(c.fields(), zap.Error(err))...)
		}
	})
}

// Fail gives up an answer that cannot be sent, such as one that is too large:
// the call fails with err, which is logged and published like any error, and
// Sent does nothing.
func (r Response) Fail(err error) *rpcerrors.Error {
	c := r.call
	r.discard()
	if c.lookup != nil {
		c.lookup.flight = nil
	}
	return c.exec.fail(&c.context, c, err)
}

// discard frees the buffer of the answer.
func (r Response) discard() {
	if r.call != nil && r.call.buffer != nil {
		r.call.exec.buffers.put(r.call.buffer)
		r.call.buffer = nil
	}
}

// buffer holds an encoded result.
type buffer struct{ bytes []byte }

// maxKept is the largest buffer, in bytes, that is used again.
const maxKept = 4 << 20

// buffers are used again.
type buffers struct{ pool sync.Pool }

func (p *buffers) get() *buffer {
	if b, ok := p.pool.Get().(*buffer); ok {
		return b
	}
	return new(buffer)
}

func (p *buffers) put(b *buffer) {
	if cap(b.bytes) <= maxKept {
		p.pool.Put(b)
	}
}
