package redisqueue

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/facet-rpc/facet/transport/async"
	"github.com/hibiken/asynq"
	"go.uber.org/zap"
)

// Start implements [async.Queue].
func (q *Queue) Start(h async.Handler) error {
	if q.servers != nil {
		return errors.New("redisqueue: the queue is started already; make one for each Jobs")
	}
	for _, k := range kinds() {
		s := asynq.NewServerFromRedisClient(q.redis, asynq.Config{
			Concurrency:              q.options.Workers,
			Queues:                   map[string]int{q.name(k): 1},
			BaseContext:              func() context.Context { return q.life },
			TaskCheckInterval:        poll,
			DelayedTaskCheckInterval: forward,
			ShutdownTimeout:          math.MaxInt64, // Stop ends the tries itself
			RetryDelayFunc:           q.delay,
			IsFailure:                q.counts,
			Logger:                   logger{q.options.Logger.Sugar()},
			LogLevel:                 asynq.WarnLevel,
		})
		if err := s.Start(asynq.HandlerFunc(func(ctx context.Context, t *asynq.Task) error { return work(ctx, t, h) })); err != nil {
			return fmt.Errorf("redisqueue: start: %w", err)
		}
		q.servers = append(q.servers, s)
	}
	return nil
}

// work is one try of a task.
func work(ctx context.Context, t *asynq.Task, h async.Handler) error {
	id, _ := asynq.GetTaskID(ctx)
	tried, _ := asynq.GetRetryCount(ctx)
	task, err := taskOf(id, t.Type(), t.Payload(), t.Headers())
	if err != nil {
		return &dead{err}
	}
	if tried >= task.Attempts { // nobody could give it up after the last attempt
		return &dead{errLast}
	}
	err = try(ctx, h, task, tried+1)
	var final *async.Final
	if err != nil && (errors.As(err, &final) || tried+1 >= task.Attempts && !free(err)) {
		return &dead{err}
	}
	return err
}

// try calls the handler; one that panics has failed.
func try(ctx context.Context, h async.Handler, t async.Task, attempt int) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("redisqueue: the handler panicked: %v", v)
		}
	}()
	return h(ctx, t, attempt)
}

var errLast = errors.New("redisqueue: the process died, or the time was up, in the last attempt")

// dead is the error of a task that is given up.
type dead struct{ error }

func (d *dead) Unwrap() error        { return d.error }
func (d *dead) Is(target error) bool { return target == asynq.SkipRetry }

func free(err error) bool {
	var again *async.Again
	return errors.As(err, &again) && again.Free
}

// counts reports whether a try that ended with err was an attempt.
func (q *Queue) counts(err error) bool {
	return !free(err) && (!errors.Is(err, context.Canceled) || q.life.Err() == nil)
}

// soon is how long a task waits whose try was broken off.
const soon = 100 * time.Millisecond

// delay is how long a task waits after a try that ended with err; tried counts
// those before it.
func (q *Queue) delay(tried int, err error, _ *asynq.Task) time.Duration {
	var again *async.Again
	if !errors.As(err, &again) && (errors.Is(err, context.Canceled) || errors.Is(err, asynq.ErrLeaseExpired)) {
		return soon
	}
	return async.Delay(tried+1, err)
}

// grace is how long giving back what was broken off may take when the time of
// Stop is over: half a second when Redis answers.
const grace = 2 * time.Second

// Stop implements [async.Queue]. What waits stays in Redis for other
// processes, and what is broken off is handed out again. When ctx ends while
// Redis does not answer, Stop returns two seconds later, and what was handled
// is found as that of a dead process is.
func (q *Queue) Stop(ctx context.Context) error {
	defer q.stopped.Store(true)
	q.down.Do(q.shutdown)
	select {
	case <-q.ended:
		return nil
	case <-ctx.Done():
	}
	q.end()
	if !q.endsSoon() { // asynq waits for its commands, and for a subscription without limit
		return fmt.Errorf("redisqueue: Redis does not answer, tasks that were broken off are handed out again in two minutes: %w", ctx.Err())
	}
	return fmt.Errorf("redisqueue: tasks were broken off and go back to the queue: %w", ctx.Err())
}

// shutdown begins to stop the servers of asynq.
func (q *Queue) shutdown() {
	var all sync.WaitGroup
	for _, s := range q.servers {
		all.Go(s.Shutdown)
	}
	go func() {
		all.Wait()
		close(q.ended)
	}()
}

func (q *Queue) endsSoon() bool {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-q.ended:
		return true
	case <-timer.C:
		return false
	}
}

// logger is what asynq logs to; nothing of it ends the process.
type logger struct{ *zap.SugaredLogger }

func (l logger) Fatal(args ...any) { l.Error(args...) }
