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
	// AsyncRequest comes when a call with a callback was found right and is
	// about to be queued, in place of the events that follow Request. They
	// come when the job runs, Request once more; [Call.Job] tells it then. An
	// error of a listener refuses the call.
	AsyncRequest struct {
		Call     *Call
		Deferred *Deferred
	}
	// AsyncOutput comes once the answer of a job was delivered, or given up.
	// It may come again after a crash, with the same Job.
	AsyncOutput struct {
		Deferred *Deferred
		Body     []byte // the JSON-RPC response that was posted
		Attempts int    // of delivery
		Err      error  // why it was given up; nil: delivered
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

// EventName is rpc.async_request.
func (AsyncRequest) EventName() string { return "rpc.async_request" }

// EventName is rpc.async_output.
func (AsyncOutput) EventName() string { return "rpc.async_output" }

// EventName is rpc.error.
func (Failed) EventName() string { return "rpc.error" }
