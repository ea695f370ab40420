package rpc

import rpcerrors "github.com/facet-rpc/facet/errors"

// The events of a call, in order. Listen with events.On:
//
//	events.On(bus, func(ctx context.Context, e rpc.PreExecute) error { … })
//
// An error of a listener of [Request] or [PreExecute] refuses the call; of a
// later one it is logged. A cache hit publishes Request only.
type (
	// Request comes first, before the method is looked up.
	Request struct{ Call *Call }
	// PreExecute comes before the method runs. Params is a pointer to the
	// typed parameters, nil for a method without.
	PreExecute struct {
		Call   *Call
		Params any
	}
	// PostExecute comes when the method has returned a result.
	PostExecute struct {
		Call   *Call
		Result any
	}
	// PreResponse comes before the result is encoded. A listener may put
	// another value of the same type in *Result.
	PreResponse struct {
		Call   *Call
		Result *any
	}
	// PostResponse comes after the answer was sent, once per executed call.
	PostResponse struct {
		Call   *Call
		Result any
	}
	// Failed comes once for every call that ends with an error.
	Failed struct {
		Call  *Call
		Error *rpcerrors.Error
	}
)

// EventName is rpc.request.
func (Request) EventName() string { return "rpc.request" }

// EventName is rpc.pre_execute.
func (PreExecute) EventName() string { return "rpc.pre_execute" }

// EventName is rpc.post_execute.
func (PostExecute) EventName() string { return "rpc.post_execute" }

// EventName is rpc.pre_response.
func (PreResponse) EventName() string { return "rpc.pre_response" }

// EventName is rpc.post_response.
func (PostResponse) EventName() string { return "rpc.post_response" }

// EventName is rpc.error.
func (Failed) EventName() string { return "rpc.error" }
