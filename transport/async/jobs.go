package async

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/go-json-experiment/json"
	"go.uber.org/zap"
)

// Options says what [Jobs] works with.
type Options struct {
	// Queue keeps the jobs; nil: a [Memory].
	Queue Queue
	// Records keep what is known of jobs. Required: processes that share a
	// Queue share them too; for one process a cache.Memory.
	Records rpc.Records
	// Webhooks says where answers are posted to. Required.
	Webhooks Webhooks
	// Keep is for how long a job can be asked for after it changed last; 0: 24
	// hours.
	Keep time.Duration
	// MaxResult is the most bytes of a result; a larger one is answered with an
	// error; 0: 1 MiB.
	MaxResult int64
}

// Jobs runs calls that have a callback, and posts their answers. It is given
// to [guard.Mount] like an edge:
//
//	jobs, err := async.New(async.Options{…})
//	err = guard.Mount(engine, exec, policy, rpchttp.Edge{}, jobs)
//
// It brings the methods rpc.job.get and rpc.job.cancel to the JSON-RPC edges.
// Jobs run from then on, and [rpc.Executor.Shutdown] stops them.
type Jobs struct {
	queue   Queue
	records records
	sender  *sender
	max     int64
	exec    *rpc.Executor // set by Start
	started atomic.Bool
}

// New makes Jobs. The error tells all that is wrong with the options.
func New(o Options) (*Jobs, error) {
	s, err := newSender(o.Webhooks)
	if o.Records == nil {
		err = errors.Join(err, errors.New("async: Options.Records is nil; set it, for one process to a cache.NewMemory"))
	}
	if o.Keep < 0 || o.MaxResult < 0 {
		err = errors.Join(err, errors.New("async: Options.Keep or MaxResult is below 0; 0 means the default"))
	}
	if err != nil {
		return nil, err
	}
	if o.Queue == nil {
		o.Queue = NewMemory(MemoryOptions{})
	}
	return &Jobs{
		queue: o.Queue, sender: s, max: cmp.Or(o.MaxResult, 1<<20),
		records: records{store: o.Records, keep: cmp.Or(o.Keep, 24*time.Hour)},
	}, nil
}

// Routes implements [guard.Edge]: there are none.
func (j *Jobs) Routes(*guard.Site) ([]guard.Route, error) { return nil, nil }

// Start implements [rpc.Deferrer] and is called by [guard.Mount].
func (j *Jobs) Start(x *rpc.Executor) error {
	if j.started.Swap(true) {
		return errors.New("async: the Jobs are mounted already; make one for each executor")
	}
	j.exec = x
	j.records.app = x.Registry().App().Name
	return j.queue.Start(j.handle)
}

// Permit implements [rpc.Deferrer].
func (j *Jobs) Permit(callback string) (problem string) {
	_, problem = j.sender.permit(callback)
	return problem
}

// Defer implements [rpc.Deferrer].
func (j *Jobs) Defer(ctx context.Context, d *rpc.Deferred) error {
	if _, err := j.sender.keysFor(d.Caller.ID); err != nil {
		return rpcerrors.Async.Wrap(err, "The call cannot run later: there is no secret to sign its answer with.")
	}
	payload, err := json.Marshal(d)
	if err != nil {
		return err
	}
	if err := j.records.put(ctx, d, Job{State: Queued}, nil); err != nil {
		return rpcerrors.Unavailable.Wrap(err, "The call cannot be queued now.")
	}
	err = j.queue.Add(ctx, Task{Kind: Run, ID: d.Job, Payload: payload, Attempts: maxRuns, Limit: maxRun})
	if err == nil {
		return nil
	}
	j.records.forget(ctx, d.Job)
	if errors.Is(err, ErrFull) {
		return rpcerrors.Unavailable.Wrap(err, "The queue is full; try again later.")
	}
	return rpcerrors.Unavailable.Wrap(err, "The call cannot be queued now.")
}

// Drain implements [rpc.Deferrer]: see [Queue].Stop.
func (j *Jobs) Drain(ctx context.Context) error {
	err := j.queue.Stop(ctx)
	if err != nil {
		j.exec.Logger().Error("jobs were cut short by the stop", zap.Error(err))
	}
	j.sender.client.CloseIdleConnections()
	return err
}

// Dead lists what was given up, the newest first.
func (j *Jobs) Dead(ctx context.Context, limit int) ([]Dead, error) { return j.queue.Dead(ctx, limit) }

// maxRuns is how often a method is begun when its process dies, or the queue
// or the Records fail; maxRun how long it may take if it has no timeout.
const (
	maxRuns = 10
	maxRun  = 24 * time.Hour
)

// handle does a step of a job.
func (j *Jobs) handle(ctx context.Context, t Task, attempt int) error {
	if t.Kind == Run {
		return j.run(ctx, t, attempt)
	}
	return j.deliver(ctx, t, attempt)
}

// fields names a job in a log.
func fields(d *rpc.Deferred, attempt int, err error) []zap.Field {
	out := []zap.Field{zap.String("job", d.Job), zap.String("method", d.Method), zap.Int("attempt", attempt)}
	if d.RayID != "" {
		out = append(out, zap.String("ray", d.RayID))
	}
	if d.Caller.ID != "" {
		out = append(out, zap.String("caller", d.Caller.ID))
	}
	return append(out, zap.Error(err))
}
