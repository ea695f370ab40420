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
	if tried >= task.Attempts { // a process died in the last attempt
		return &dead{asynq.ErrLeaseExpired}
	}
	err = h(ctx, task, tried+1)
	var final *async.Final
	if err != nil && (errors.As(err, &final) || tried+1 >= task.Attempts && !free(err)) {
		return &dead{err}
	}
	return err
}

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

// Stop implements [async.Queue]. What waits stays in Redis for other
// processes, and what is broken off is handed out again.
func (q *Queue) Stop(ctx context.Context) error {
	defer q.stopped.Store(true)
	down := make(chan struct{})
	go func() {
		defer close(down)
		var all sync.WaitGroup
		for _, s := range q.servers {
			all.Go(s.Shutdown)
		}
		all.Wait()
	}()
	select {
	case <-down:
		return nil
	case <-ctx.Done():
	}
	q.end()
	<-down // asynq waits for no handler whose context has ended
	return fmt.Errorf("redisqueue: tasks were broken off and go back to the queue: %w", ctx.Err())
}

// logger is what asynq logs to; nothing of it ends the process.
type logger struct{ *zap.SugaredLogger }

func (l logger) Fatal(args ...any) { l.Error(args...) }
