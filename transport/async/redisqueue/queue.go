// Package redisqueue keeps the jobs of package async on Redis, where they
// survive the processes. It works through asynq.
//
//	queue, err := redisqueue.Open(ctx, "redis://127.0.0.1:6379")
//	if err != nil { … }
//	defer queue.Close()
//	jobs, err := async.New(async.Options{Queue: queue, Records: pool, Webhooks: …})
//
// # What is promised
//
// A task that was added is handed out until it is done or given up, whichever
// process dies. The tasks of one that died are found within two minutes: its
// lease of them ends after 30 seconds, another 30 allow for clocks that differ,
// and asynq looks once a minute. They are then handed out again, which counts
// as an attempt; so what a task does may happen more than once.
//
// What Redis forgets is lost. Run it with appendonly yes and appendfsync
// always, and a restart loses nothing that Add confirmed; with everysec, the
// default, it can lose a second. An Add that times out may have added.
//
// A waiting process asks Redis for work about five times a second, and each
// second for tasks whose pause is over. Tasks that were given up stay for 90
// days, the last 10 000 of each kind.
package redisqueue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/facet-rpc/facet/transport/async"
	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"
)

const (
	defaultPrefix  = "facet"
	defaultWorkers = 8
	defaultTasks   = 100_000
	// defaultTimeout bounds connecting, and each command, when the URL does not.
	defaultTimeout = 2 * time.Second
	// poll is how long an idle worker waits before it asks again, forward how
	// often tasks are looked for whose pause is over.
	poll    = 200 * time.Millisecond
	forward = time.Second
	// noLimit is for tasks without a Limit: asynq would take 30 minutes.
	noLimit = 365 * 24 * time.Hour
	// The headers carry Task.Attempts, since asynq's own count would give tasks
	// up without asking the handler, and Task.Limit in nanoseconds.
	headerAttempts = "attempts"
	headerLimit    = "limit"
)

// Options says which Redis a [Queue] is on, and how much it does.
type Options struct {
	// Redis is how to reach it: redis.ParseURL of go-redis makes it of a URL;
	// clusters, sentinels and TLS are written here. Required.
	Redis *redis.UniversalOptions
	// Prefix begins the names of the queues, so that several applications can
	// share a Redis; empty: facet.
	Prefix string
	// Workers is how many methods this process runs at a time, and how many
	// deliveries; 0: 8.
	Workers int
	// Tasks is how many jobs may wait, together with answers that wait for
	// their next try; 0: 100 000. Processes that add at the same moment may
	// exceed it a little.
	Tasks int
	// Logger gets the warnings of asynq; nil: nothing is logged.
	Logger *zap.Logger
}

// Queue is an [async.Queue] on Redis, made by [New] or [Open].
type Queue struct {
	options   Options
	redis     redis.UniversalClient
	client    *asynq.Client
	inspector *asynq.Inspector
	servers   []*asynq.Server
	life      context.Context // of all tries
	end       context.CancelFunc
	stopped   atomic.Bool
	down      sync.Once     // of the servers
	ended     chan struct{} // closed when they are down
}

// kinds are the steps, each with a queue and workers of its own.
func kinds() []async.Kind { return []async.Kind{async.Run, async.Deliver} }

// New connects to Redis and makes a Queue. Call Close when done.
func New(ctx context.Context, o Options) (*Queue, error) {
	if o.Redis == nil {
		return nil, errors.New("redisqueue: Options.Redis is nil; say which Redis")
	}
	if o.Workers < 0 || o.Tasks < 0 {
		return nil, errors.New("redisqueue: Options.Workers or Tasks is below 0; 0 means the default")
	}
	o.Prefix, o.Workers, o.Tasks = cmp.Or(o.Prefix, defaultPrefix), cmp.Or(o.Workers, defaultWorkers), cmp.Or(o.Tasks, defaultTasks)
	if o.Logger == nil {
		o.Logger = zap.NewNop()
	}
	r := *o.Redis
	r.DialTimeout, r.ReadTimeout, r.WriteTimeout = cmp.Or(r.DialTimeout, defaultTimeout), cmp.Or(r.ReadTimeout, defaultTimeout), cmp.Or(r.WriteTimeout, defaultTimeout)
	r.ContextTimeoutEnabled = true
	q := &Queue{options: o, redis: redis.NewUniversalClient(&r), ended: make(chan struct{})}
	if err := q.redis.Ping(ctx).Err(); err != nil {
		_ = q.redis.Close()
		return nil, fmt.Errorf("redisqueue: connect to Redis at %q: %w", r.Addrs, err)
	}
	q.client = asynq.NewClientFromRedisClient(q.redis)
	q.inspector = asynq.NewInspectorFromRedisClient(q.redis)
	q.life, q.end = context.WithCancel(context.Background())
	return q, nil
}

// Open is [New] for a URL such as redis://user:password@host:6379/0, or
// rediss:// for TLS.
func Open(ctx context.Context, url string) (*Queue, error) {
	o, err := redis.ParseURL(url)
	if err != nil {
		// The error of a URL quotes it, with the password.
		return nil, errors.New("redisqueue: the URL of Redis cannot be read; write redis://user:password@host:6379/0")
	}
	return New(ctx, Options{Redis: &redis.UniversalOptions{
		Addrs: []string{o.Addr}, Username: o.Username, Password: o.Password, DB: o.DB, TLSConfig: o.TLSConfig,
		DialTimeout: o.DialTimeout, ReadTimeout: o.ReadTimeout, WriteTimeout: o.WriteTimeout,
	}})
}

// Close ends the connections. Stop the queue before, as
// [github.com/facet-rpc/facet/rpc.Executor.Shutdown] does; otherwise what is
// handled is broken off.
func (q *Queue) Close() error {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	_ = q.Stop(over) // at once when it has stopped
	select {
	case <-q.ended:
		return q.redis.Close()
	default:
	}
	// A subscription of asynq panics when its client is closed.
	go func() {
		<-q.ended
		_ = q.redis.Close()
	}()
	return errors.New("redisqueue: Redis does not answer; the connections are closed when it does, or their commands time out")
}

// name is that of asynq's queue for a kind.
func (q *Queue) name(k async.Kind) string { return q.options.Prefix + ":" + string(k) }

// key is that of what asynq keeps of a queue, such as pending.
func (q *Queue) key(k async.Kind, of string) string { return "asynq:{" + q.name(k) + "}:" + of }

// Add implements [async.Queue].
func (q *Queue) Add(ctx context.Context, t async.Task) error {
	if q.stopped.Load() {
		return async.ErrStopped
	}
	if t.Kind == async.Run {
		if err := q.room(ctx); err != nil {
			return err
		}
	}
	headers := map[string]string{headerAttempts: strconv.Itoa(t.Attempts), headerLimit: strconv.FormatInt(int64(t.Limit), 10)}
	task := asynq.NewTaskWithHeaders(string(t.Kind), t.Payload, headers,
		asynq.Queue(q.name(t.Kind)), asynq.TaskID(taskID(t.Kind, t.ID)),
		asynq.MaxRetry(math.MaxInt32), asynq.Timeout(cmp.Or(t.Limit, noLimit)))
	switch _, err := q.client.EnqueueContext(ctx, task); {
	case errors.Is(err, asynq.ErrTaskIDConflict):
		return nil
	case err != nil:
		return fmt.Errorf("redisqueue: add a task: %w", err)
	}
	return nil
}

// room is an error when there is none for one more job.
func (q *Queue) room(ctx context.Context) error {
	pipe := q.redis.Pipeline()
	waiting := pipe.LLen(ctx, q.key(async.Run, "pending"))
	answers := pipe.LLen(ctx, q.key(async.Deliver, "pending"))
	again := pipe.ZCard(ctx, q.key(async.Deliver, "retry"))
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("redisqueue: count tasks: %w", err)
	}
	if waiting.Val()+answers.Val()+again.Val() >= int64(q.options.Tasks) {
		return async.ErrFull
	}
	return nil
}

// taskOf is the task that was added.
func taskOf(id, kind string, payload []byte, headers map[string]string) (async.Task, error) {
	attempts, err := strconv.Atoi(headers[headerAttempts])
	limit, bad := strconv.ParseInt(headers[headerLimit], 10, 64)
	if err = errors.Join(err, bad); err != nil {
		return async.Task{}, fmt.Errorf("redisqueue: a task of another program: %w", err)
	}
	k := async.Kind(kind)
	return async.Task{
		Kind: k, ID: strings.TrimPrefix(id, taskID(k, "")), Payload: payload, Attempts: attempts, Limit: time.Duration(limit),
	}, nil
}

// taskID is unique among all queues, as asynq's cancellation needs it.
func taskID(k async.Kind, id string) string { return string(k) + "-" + id }

// Cancel implements [async.Queue].
func (q *Queue) Cancel(_ context.Context, kind async.Kind, id string) (removed bool, err error) {
	name, task := q.name(kind), taskID(kind, id)
	info, err := q.inspector.GetTaskInfo(name, task)
	switch {
	case errors.Is(err, asynq.ErrTaskNotFound), errors.Is(err, asynq.ErrQueueNotFound):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("redisqueue: look for a task: %w", err)
	case info.State == asynq.TaskStateArchived:
		return false, nil
	case info.State != asynq.TaskStateActive:
		switch err := q.inspector.DeleteTask(name, task); {
		case err == nil:
			return true, nil
		case errors.Is(err, asynq.ErrTaskNotFound):
			return false, nil
		}
		// It began in between.
	}
	if err := q.inspector.CancelProcessing(task); err != nil {
		return false, fmt.Errorf("redisqueue: cancel a task: %w", err)
	}
	return false, nil
}
