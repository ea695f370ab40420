package async

import (
	"context"
	"time"

	"github.com/facet-rpc/facet/rpc"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// State is how far a job is.
type State string

// The states of a job. The last four are its end.
const (
	Queued     State = "queued"     // the method did not begin
	Running    State = "running"    // the method runs, or its process died
	Delivering State = "delivering" // the answer is there and not delivered yet
	Done       State = "done"       // a result was delivered
	Failed     State = "failed"     // an error was delivered
	GivenUp    State = "dead"       // the answer was given up
	Cancelled  State = "cancelled"  // nothing is posted
)

// Job is what its caller sees of a job.
type Job struct {
	ID     string `json:"id"`
	State  State  `json:"state" jsonschema_description:"queued, running, delivering, done, failed, dead or cancelled"`
	Method string `json:"method"`
	// Attempts is how often the answer was posted.
	Attempts int       `json:"attempts" jsonschema_description:"How often the answer was posted"`
	Accepted time.Time `json:"accepted" jsonschema_description:"When the call came"`
	// Problem is why the last attempt failed.
	Problem string `json:"problem,omitzero" jsonschema_description:"Why the last attempt to post the answer failed"`
	// Response is the JSON-RPC response, as it is posted, once it is there.
	Response jsontext.Value `json:"response,omitzero" jsonschema_description:"The JSON-RPC response, as it is posted, once it is there"`
}

// record is what is kept of a job.
type record struct {
	Caller string `json:"caller"`
	Job    Job    `json:"job"`
	Body   []byte `json:"body,omitzero"` // the response, byte for byte
	Failed bool   `json:"failed,omitzero"`
}

// records keep what is known of jobs.
type records struct {
	store rpc.Records
	keep  time.Duration
	app   string
}

func (r *records) key(job string) string { return "facet1.job." + r.app + "." + job }

// put keeps the state of a job; the rest of its Job is filled in.
func (r *records) put(ctx context.Context, d *rpc.Deferred, job Job, answer *answer) error {
	job.ID, job.Method, job.Accepted = d.Job, d.Method, d.Accepted
	kept := record{Caller: d.Caller.ID, Job: job}
	if answer != nil {
		kept.Body, kept.Failed = answer.Body, answer.Failed
	}
	value, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	return r.store.Put(context.WithoutCancel(ctx), r.key(d.Job), value, r.keep)
}

// get is the record of a job; nil: there is none.
func (r *records) get(ctx context.Context, job string) (*record, error) {
	value, found, err := r.store.Get(context.WithoutCancel(ctx), r.key(job))
	if err != nil || !found {
		return nil, err
	}
	kept := new(record)
	return kept, json.Unmarshal(value, kept)
}

func (r *records) forget(ctx context.Context, job string) {
	_, _ = r.store.Delete(context.WithoutCancel(ctx), r.key(job)) // else its TTL ends it
}

// What is decided about a job, by whoever comes first.
const (
	begun    = "begun"    // a worker began the method
	stopped  = "stopped"  // the caller cancelled the job before that
	stopping = "stopping" // the caller cancelled the job after that
)

// decide notes that a job is begun, or stopped before it could begin. It
// returns what holds now, which may have been decided before.
func (r *records) decide(ctx context.Context, job, what string) (holds string, err error) {
	ctx = context.WithoutCancel(ctx)
	key := r.key(job) + ".fate"
	for {
		stored, err := r.store.PutIfAbsent(ctx, key, []byte(what), r.keep)
		if err != nil || stored {
			return what, err
		}
		value, found, err := r.store.Get(ctx, key)
		if err != nil || found {
			return string(value), err
		}
	}
}

// stop notes that a job that was begun is not wanted any more.
func (r *records) stop(ctx context.Context, job string) error {
	return r.store.Put(context.WithoutCancel(ctx), r.key(job)+".fate", []byte(stopping), r.keep)
}

// isStopped reports whether a job is not wanted any more.
func (r *records) isStopped(ctx context.Context, job string) (bool, error) {
	value, _, err := r.store.Get(context.WithoutCancel(ctx), r.key(job)+".fate")
	return string(value) == stopped || string(value) == stopping, err
}
