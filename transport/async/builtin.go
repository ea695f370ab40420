package async

import (
	"context"
	"slices"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/go-json-experiment/json/jsontext"
)

type jobParams struct {
	ID string `json:"id" validate:"min=1,max=128" jsonschema_description:"The jobId of the answer to the call"`
}

// Builtins implements [guard.Builtins].
func (j *Jobs) Builtins(*guard.Site) []rpc.Method {
	return []rpc.Method{{
		Func: j.get, Name: "rpc.job.get", Title: "Get a job",
		Description: "Answers how far a call with a callback is, and its response once it is there.",
		Hints:       rpc.Hints{ReadOnly: rpc.Yes},
	}, {
		Func: j.cancel, Name: "rpc.job.cancel", Title: "Cancel a job",
		Description: "Ends a call with a callback. One that waits never runs, the context of one that runs is cancelled, an answer that was not delivered is not posted again.",
		Hints:       rpc.Hints{Idempotent: rpc.Yes},
	}}
}

// get answers a job to the caller who started it.
func (j *Jobs) get(ctx context.Context, p jobParams) (Job, error) {
	var kept *record
	var err error
	if strings.Trim(p.ID, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == "" { // else it is no job's, but may be another key's
		kept, err = j.records.get(ctx, p.ID)
	}
	if err != nil {
		return Job{}, rpcerrors.Unavailable.Wrap(err, "Jobs cannot be looked up now.")
	}
	if kept == nil || kept.Caller != rpc.CallFrom(ctx).Caller.ID {
		return Job{}, rpcerrors.NotFound.New("There is no such job.")
	}
	job := kept.Job
	if kept.Body != nil {
		job.Response = jsontext.Value(kept.Body)
	}
	return job, nil
}

// cancel ends a job; what has ended already stays as it is.
func (j *Jobs) cancel(ctx context.Context, p jobParams) (Job, error) {
	job, err := j.get(ctx, p)
	if err != nil || slices.Contains([]State{Done, Failed, GivenUp, Cancelled}, job.State) {
		return job, err
	}
	removed, err := j.end(ctx, p.ID)
	if err != nil {
		return Job{}, rpcerrors.Unavailable.Wrap(err, "The job cannot be cancelled now.")
	}
	if removed { // no worker will have it any more
		d := &rpc.Deferred{Job: job.ID, Method: job.Method, Accepted: job.Accepted, Caller: *rpc.CallFrom(ctx).Caller}
		if err := j.cancelled(ctx, d); err != nil {
			return Job{}, err
		}
	}
	return j.get(ctx, p)
}

// end takes a job out of the queue, or tells its worker. removed: no worker
// has it, or will.
func (j *Jobs) end(ctx context.Context, id string) (removed bool, err error) {
	fate, err := j.records.decide(ctx, id, stopped)
	if err != nil {
		return false, err
	}
	waited := fate == stopped
	if fate == begun {
		if err := j.records.stop(ctx, id); err != nil {
			return false, err
		}
	}
	for _, kind := range []Kind{Run, Deliver} {
		out, err := j.queue.Cancel(ctx, kind, id)
		if err != nil && !waited {
			return false, err
		}
		removed = removed || out
	}
	return removed || waited, nil
}
