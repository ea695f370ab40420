package rpc

import (
	"context"
	"encoding/hex"
	"reflect"

	"github.com/facet-rpc/facet/rpc/schema"
)

// Call is one call of a method. A door fills the exported fields; methods,
// interceptors and listeners read them through [CallFrom].
type Call struct {
	// Endpoint is the group and version that is called.
	Endpoint *Endpoint
	// Method is the name as called.
	Method string
	// Params is the raw JSON: an object, an array, or nil for none. The bytes
	// are the edge's, which uses them again once the call was answered.
	Params []byte
	// Caller is who calls, never nil once the executor has the call. In a
	// method with a shared cache it is anonymous. Calls share it: do not
	// change it.
	Caller *Caller
	// Language is the effective language of texts, such as en.
	Language string
	// Door names the endpoint in logs and metrics: <edge>.<group>.v<version>.
	Door string
	// RayID connects this call with others; from $rpc.rayId, may be empty.
	RayID string
	// Builtin is a method of the edge itself, made with [Executor.Builtin]; it
	// is run instead of looking Method up.
	Builtin *Spec
	// Report takes the progress that the method tells with [Progress]; nil:
	// nobody wants it.
	Report func(done, total float64, message string)
	// IdempotencyKey, from the request's header or $rpc.idempotencyKey, makes
	// a repeated call get the first answer; see [Idempotency]. Empty: none.
	IdempotencyKey string
	// ID is the id of the request as it came, for an answer that is posted
	// later; nil: a notification. Like Params it is the edge's.
	ID []byte
	// Header are the headers of the request, with canonical names, the token
	// among them; nil: none. When the call runs later they are those that a
	// [Deferred] keeps, such as traceparent.
	Header map[string][]string
	// Detached: a client that disconnects does not cancel the call.
	Detached bool
	// Control: $rpc is understood in params. Without it, it is one more
	// unknown parameter.
	Control bool

	keepParams    bool // a listener has a pointer to them
	ran           bool // the method returned a result for this call
	exec          *Executor
	spec          *Spec
	caller        *Caller // who calls, also where Caller is anonymous
	sequence      uint64
	control       *control // what $rpc asks for; nil: nothing
	context       callContext
	methodContext context.Context // what the method gets, as an argument
	params        reflect.Value
	result        reflect.Value
	buffer        *buffer
	lookup        *lookup // what was found out about the answer before it runs
}

// CallFrom is the call whose method, interceptor or listener has ctx; nil
// outside of one.
func CallFrom(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	return c
}

// Progress tells the client of the call in ctx that done of total is done.
// total is 0 when unknown. Clients that did not ask hear nothing.
func Progress(ctx context.Context, done, total float64, message string) {
	if c := CallFrom(ctx); c != nil && c.Report != nil {
		c.Report(done, total, message)
	}
}

// Number is a JSON number kept as it was written: what numbers become under
// any.
type Number = schema.Number

// Spec is the method that is called, nil before it was looked up.
func (c *Call) Spec() *Spec { return c.spec }

// Group is the group of the endpoint, Version its version.
func (c *Call) Group() string { return c.Endpoint.Group }

// Version is the version of the endpoint.
func (c *Call) Version() int { return c.Endpoint.Version }

// RequestID names the call in logs. It is made here, not by the client, and
// never sent.
func (c *Call) RequestID() string {
	var b [16]byte
	copy(b[:8], c.exec.instance[:])
	for i := range 8 {
		b[15-i] = byte(c.sequence >> (8 * i))
	}
	return hex.EncodeToString(b[:])
}

type callKey struct{}

// callContext is the context a method sees: the request's, plus the call.
type callContext struct {
	context.Context
	call *Call
}

func (c *callContext) Value(key any) any {
	if _, ok := key.(callKey); ok {
		return c.call
	}
	return c.Context.Value(key)
}
