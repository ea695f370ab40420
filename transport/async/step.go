package async

import (
	"context"
	"errors"
	"slices"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
	"github.com/go-json-experiment/json"
	"go.uber.org/zap"
)

// answer is what a job came to, and all that delivering it needs.
type answer struct {
	Deferred rpc.Deferred `json:"deferred"` // without Params
	Body     []byte       `json:"body"`     // the JSON-RPC response
	Failed   bool         `json:"failed"`   // it is an error
}

// run runs the method of a job, once, and queues its answer. Only a process
// that died in between makes it run again.
func (j *Jobs) run(ctx context.Context, t Task, attempt int) error {
	var d rpc.Deferred
	if err := json.Unmarshal(t.Payload, &d); err != nil {
		return &Final{err}
	}
	fate, err := j.records.decide(ctx, d.Job, begun)
	if err != nil {
		return j.delayed(ctx, t, &d, attempt, err)
	}
	if fate != begun {
		return j.cancelled(ctx, &d)
	}
	before, err := j.records.get(ctx, d.Job)
	if err != nil {
		return j.delayed(ctx, t, &d, attempt, err)
	}
	if before != nil && before.Body != nil { // it ran, and its process could not queue the answer
		return j.queued(ctx, t, attempt, j.outcome(&d, before.Body, before.Failed))
	}
	j.note(ctx, &d, Job{State: Running}, nil)
	response, failure := j.resume(ctx, &d)
	if failure != nil && errors.Is(ctx.Err(), context.Canceled) {
		if stopped, err := j.records.isStopped(ctx, d.Job); stopped && err == nil {
			return j.cancelled(ctx, &d)
		}
		return &Again{Free: true, Err: ctx.Err()} // the process stops
	}
	a := j.answered(&d, response, failure)
	if err := j.records.put(ctx, &d, Job{State: Delivering}, a); err != nil {
		j.exec.Logger().Error("the answer of a job could not be kept: a crash now would run its method again", fields(&d, attempt, err)...)
	}
	err = j.queued(ctx, t, attempt, a)
	response.Sent()
	return err
}

// resume runs a call on a goroutine of its own, which its method may end.
func (j *Jobs) resume(ctx context.Context, d *rpc.Deferred) (response rpc.Response, failure *rpcerrors.Error) {
	failure = rpcerrors.Internal.New("")
	done := make(chan struct{})
	go func() {
		defer close(done)
		response, failure = j.exec.Resume(ctx, d)
	}()
	<-done
	return response, failure
}

// maxEnvelope is what an error may be longer than a result, in bytes: its id
// and its own members.
const maxEnvelope = 4 << 10

// answered makes the JSON-RPC response of a call that has run.
func (j *Jobs) answered(d *rpc.Deferred, response rpc.Response, failure *rpcerrors.Error) *answer {
	sizes := jsonrpc.Sizes{Result: j.max}
	if failure == nil && int64(len(response.Bytes())) > j.max {
		failure = response.Fail(sizes.ResultTooLarge())
	}
	if failure != nil {
		body := jsonrpc.AppendError(nil, d.ID, failure)
		if int64(len(body)) > j.max+maxEnvelope {
			body = jsonrpc.AppendError(nil, d.ID, sizes.ResultTooLarge())
		}
		return j.outcome(d, body, true)
	}
	return j.outcome(d, jsonrpc.AppendResult(nil, d.ID, response.Bytes()), false)
}

func (j *Jobs) outcome(d *rpc.Deferred, body []byte, failed bool) *answer {
	a := &answer{Deferred: *d, Body: body, Failed: failed}
	a.Deferred.Params = nil
	return a
}

// queued hands an answer on to be delivered.
func (j *Jobs) queued(ctx context.Context, t Task, attempt int, a *answer) error {
	payload, err := json.Marshal(a)
	if err != nil {
		return &Final{err}
	}
	err = j.queue.Add(context.WithoutCancel(ctx), Task{
		Kind: Deliver, ID: t.ID, Payload: payload,
		Attempts: j.sender.options.Attempts, Limit: 2 * j.sender.options.Timeout,
	})
	if err != nil {
		return j.delayed(ctx, t, &a.Deferred, attempt, err)
	}
	return nil
}

// delayed is a step that the queue or the records did not let through. After
// the last attempt the job is dead.
func (j *Jobs) delayed(ctx context.Context, t Task, d *rpc.Deferred, attempt int, err error) error {
	if attempt < t.Attempts {
		j.exec.Logger().Warn("a job has to wait", fields(d, attempt, err)...)
		return err
	}
	j.exec.Logger().Error("a job was given up", fields(d, attempt, err)...)
	j.note(ctx, d, Job{State: GivenUp, Problem: "the answer could not be queued"}, nil)
	return &Final{err}
}

// deliver posts the answer of a job once.
func (j *Jobs) deliver(ctx context.Context, t Task, attempt int) error {
	var a answer
	if err := json.Unmarshal(t.Payload, &a); err != nil {
		return &Final{err}
	}
	d := &a.Deferred
	if stopped, err := j.records.isStopped(ctx, d.Job); err == nil && stopped {
		return j.cancelled(ctx, d)
	}
	err := j.sender.post(ctx, d, a.Body)
	var again *Again
	var final *Final
	switch {
	case err == nil:
		state := Done
		if a.Failed {
			state = Failed
		}
		j.note(ctx, d, Job{State: state, Attempts: attempt}, &a)
		j.published(ctx, rpc.AsyncOutput{Deferred: d, Body: slices.Clone(a.Body), Attempts: attempt})
		return nil
	case errors.As(err, &again) && again.Free:
		return err
	case errors.Is(ctx.Err(), context.Canceled):
		if stopped, failed := j.records.isStopped(ctx, d.Job); stopped && failed == nil {
			return j.cancelled(ctx, d)
		}
		return &Again{Free: true, Err: err} // the process stops
	case errors.As(err, &final), attempt >= t.Attempts:
		j.note(ctx, d, Job{State: GivenUp, Attempts: attempt, Problem: publicly(err)}, &a)
		j.exec.Logger().Error("an answer was given up", fields(d, attempt, err)...)
		j.published(ctx, rpc.AsyncOutput{Deferred: d, Body: slices.Clone(a.Body), Attempts: attempt, Err: err})
		return &Final{err}
	}
	j.note(ctx, d, Job{State: Delivering, Attempts: attempt, Problem: publicly(err)}, &a)
	j.exec.Logger().Info("an answer could not be posted", fields(d, attempt, err)...)
	return err
}

// cancelled ends a job that its caller does not want any more.
func (j *Jobs) cancelled(ctx context.Context, d *rpc.Deferred) error {
	j.note(ctx, d, Job{State: Cancelled}, nil)
	return nil
}

// note keeps the state of a job for who asks; the job goes on without.
func (j *Jobs) note(ctx context.Context, d *rpc.Deferred, job Job, a *answer) {
	if err := j.records.put(ctx, d, job, a); err != nil {
		j.exec.Logger().Warn("the state of a job could not be kept", append(fields(d, job.Attempts, err), zap.String("state", string(job.State)))...)
	}
}

func (j *Jobs) published(ctx context.Context, o rpc.AsyncOutput) {
	if err := j.exec.Delivered(context.WithoutCancel(ctx), o); err != nil {
		j.exec.Logger().Error("a listener of rpc.async_output failed", fields(o.Deferred, o.Attempts, err)...)
	}
}
