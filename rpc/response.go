package rpc

import (
	"context"
	"sync"

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
// this call; nil when the answer came from the cache.
func (r Response) Value() any {
	if r.call == nil || !r.call.result.IsValid() {
		return nil
	}
	return r.call.result.Interface()
}

// Sent tells that the answer was written and flushed: rpc.post_response is
// published, and Bytes may be reused. An edge calls it once, also when the
// client has gone.
func (r Response) Sent() {
	c := r.call
	if c == nil {
		return
	}
	if b := c.buffer; b != nil {
		c.buffer = nil
		b.free()
	}
	x := c.exec
	if !c.ran || !x.topics.postResponse.Active() {
		return
	}
	c.ran = false
	ctx := context.WithoutCancel(&c.context)
	event := PostResponse{Call: c, Result: r.Value()}
	x.after.add(func() {
		if err := x.topics.postResponse.Publish(ctx, event); err != nil {
			x.options.Logger.Error("a listener of rpc.post_response failed", append(c.fields(), zap.Error(err))...)
		}
	})
}

// buffer holds an encoded result.
type buffer struct{ bytes []byte }

// maxKept is the largest buffer, in bytes, that is used again.
const maxKept = 4 << 20

var buffers = sync.Pool{New: func() any { return new(buffer) }}

func (b *buffer) free() {
	if cap(b.bytes) <= maxKept {
		buffers.Put(b)
	}
}
