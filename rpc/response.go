package rpc

// Response is the answer of a call that succeeded.
type Response struct {
	call  *Call
	bytes []byte
	value any
}

// Bytes is the result as JSON, always there. It is valid until [Response.Sent]
// and must not be changed.
func (r Response) Bytes() []byte { return r.bytes }

// Value is the result as the method returned it, when the method ran for
// this call; nil when the answer came from the cache.
func (r Response) Value() any { return r.value }

// Sent tells that the answer was written and flushed: rpc.post_response is
// published, and Bytes may be reused. An edge calls it once, also when the
// client has gone.
func (r Response) Sent() {
	if r.call != nil {
		r.call.run.sent(r.call, r.value)
	}
}
