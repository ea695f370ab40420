package rpc

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/go-json-experiment/json/jsontext"
)

// Deferrer takes the calls that have a $rpc.callback, runs them later with
// [Executor.Resume] and posts their answers. An async.Jobs is one.
type Deferrer interface {
	// Start comes once, before the first call, when everything is mounted.
	Start(x *Executor) error
	// Permit says why answers may not be posted to a callback, which is a http
	// or https URL; empty: they may. It asks nobody else, no DNS either.
	Permit(callback string) (problem string)
	// Defer takes a call. An error refuses the call:
	// a public one is answered as it is.
	Defer(ctx context.Context, d *Deferred) error
	// Drain takes no more and waits for what runs, until ctx ends.
	Drain(ctx context.Context) error
}

// Deferred is a call that runs later, in a form that another process of the
// same program can run: JSON carries all of it.
type Deferred struct {
	// Job names the call and its answer; it cannot be guessed.
	Job string `json:"job"`
	// Callback is where the answer is posted to, a http or https URL.
	Callback string `json:"callback"`
	// ID is the id of the request as it came, for the answer.
	ID []byte `json:"id"`
	// Method, Group and Version are what is called.
	Method  string `json:"method"`
	Group   string `json:"group"`
	Version int    `json:"version"`
	// Params are as they came, with $rpc; nil: none.
	Params []byte `json:"params,omitzero"`
	// Caller is who called: no token, only what it stood for.
	Caller Caller `json:"caller"`
	// Language, Door, RayID and IdempotencyKey are those of the [Call].
	Language       string `json:"language"`
	Door           string `json:"door"`
	RayID          string `json:"rayId,omitzero"`
	IdempotencyKey string `json:"idempotencyKey,omitzero"`
	// Header is what is passed on with the answer: traceparent, tracestate,
	// baggage, x-request-id and x-correlation-id of the request.
	Header map[string]string `json:"header,omitempty"`
	// Accepted is when the call came.
	Accepted time.Time `json:"accepted"`
}

// DeferTo makes calls with a callback possible: d takes them, and is started.
// An executor has one Deferrer, which may be given again, and it is set before
// any call.
func (x *Executor) DeferTo(d Deferrer) error {
	switch {
	case x.deferrer == d:
		return nil
	case x.deferrer != nil:
		return fmt.Errorf("rpc: calls of this executor are run later by a %T already; keep one", x.deferrer)
	}
	x.deferrer = d
	return d.Start(x)
}

// accept hands a call to the [Deferrer], when nothing is left that could be
// refused at once.
func (x *Executor) accept(ctx context.Context, c *Call) (Response, error) {
	switch {
	case x.deferrer == nil:
		return Response{}, rpcerrors.Async.New("The call cannot run later: this server has no queue.")
	case c.Builtin != nil:
		return Response{}, rpcerrors.Async.New("The call cannot run later: " + c.Method + " is answered at once.")
	case c.ID == nil:
		return Response{}, rpcerrors.Async.New("The call cannot run later: a notification has no answer to post; give it an id.")
	}
	d := c.deferred()
	if x.topics.asyncRequest.Active() {
		if err := x.topics.asyncRequest.Refuse(ctx, AsyncRequest{c, d}); err != nil {
			return Response{}, err
		}
	}
	if err := x.deferrer.Defer(ctx, d); err != nil {
		return Response{}, err
	}
	out, err := jsontext.AppendQuote([]byte(`{"async":true,"callback":`), d.Callback)
	if err != nil {
		return Response{}, err
	}
	out, err = jsontext.AppendQuote(append(out, `,"jobId":`...), d.Job)
	return Response{call: c, bytes: append(out, '}')}, err
}

// deferred is what is kept of the call.
func (c *Call) deferred() *Deferred {
	return &Deferred{
		Job: rand.Text(), Callback: c.control.callback, ID: bytes.Clone(c.ID),
		Method: c.Method, Group: c.Group(), Version: c.Version(), Params: bytes.Clone(c.Params),
		Caller: *c.caller, Language: c.Language, Door: c.Door, RayID: c.RayID, IdempotencyKey: c.IdempotencyKey,
		Header: passedOn(c.Header), Accepted: time.Now().UTC(),
	}
}

// maxPassed is the longest header that is passed on, in bytes: that of baggage
// (W3C Baggage, section 3.3.2).
const maxPassed = 8192

// passedOn are the headers that connect the answer with the request. Nothing
// else is, the token least of all.
func passedOn(header map[string][]string) map[string]string {
	out := map[string]string{}
	for _, name := range []string{"Traceparent", "Tracestate", "Baggage", "X-Request-Id", "X-Correlation-Id"} {
		if value := strings.Join(header[name], ","); value != "" && len(value) <= maxPassed {
			out[name] = value
		}
	}
	return out
}

// Resume runs a call that was deferred, with all that happens to any call; d
// is not changed. It is for a [Deferrer], which may resume until its Drain has
// returned. A method that is there no more answers as one that never was.
func (x *Executor) Resume(ctx context.Context, d *Deferred) (Response, *rpcerrors.Error) {
	x.running.more()
	defer x.running.leave()
	endpoint := x.registry.Endpoint(d.Group, d.Version)
	if endpoint == nil {
		endpoint = &Endpoint{Group: d.Group, Version: d.Version}
	}
	caller := d.Caller
	header := make(map[string][]string, len(d.Header))
	for name, value := range d.Header {
		header[name] = []string{value}
	}
	return x.perform(ctx, &Call{
		Endpoint: endpoint, Method: d.Method, Params: d.Params, ID: d.ID, Header: header,
		Caller: &caller, Language: d.Language, Door: d.Door, RayID: d.RayID, IdempotencyKey: d.IdempotencyKey,
		Control: true, control: &control{deferred: d},
	})
}

// Job is the name of the job that runs this call later than it came; empty:
// it is answered at once, or only accepted.
func (c *Call) Job() string {
	if c.control == nil || c.control.deferred == nil {
		return ""
	}
	return c.control.deferred.Job
}

// Delivered publishes rpc.async_output; it is for a [Deferrer].
func (x *Executor) Delivered(ctx context.Context, o AsyncOutput) error {
	return x.topics.asyncOutput.Publish(ctx, o)
}
