package async

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// Queue keeps the tasks of jobs until they are done, and gives each to a
// [Handler]: [Memory] in this process, redisqueue for many.
//
// A task that is handed out and not heard of again, because the process died,
// is handed out once more by a queue that outlives processes: a Handler may
// get a task twice.
type Queue interface {
	// Add keeps a task. One of the same Kind and ID that is there already is
	// left as it is, without an error. [ErrFull]: there is no room for one
	// more Run now; a Deliver, which a Handler adds in place of its Run, is
	// always taken.
	Add(ctx context.Context, t Task) error
	// Start hands out tasks, each Kind to workers of its own, so that long
	// methods do not keep answers waiting. It is called once, returns at once,
	// and tasks are handed out until Stop.
	Start(h Handler) error
	// Cancel takes a task out that waits for its first or next try: removed.
	// Of one that is handled now, in any process, it ends the context.
	Cancel(ctx context.Context, kind Kind, id string) (removed bool, err error)
	// Dead lists tasks that were given up, the newest first, at most limit.
	Dead(ctx context.Context, limit int) ([]Dead, error)
	// Stop hands out no more tasks and waits for those that are handled. When
	// ctx ends before, it ends their contexts and returns ctx's error. What a
	// queue cannot keep for another process it hands out before, as far as the
	// time of ctx goes.
	Stop(ctx context.Context) error
}

// Kind is a step of a job.
type Kind string

// The steps of a job.
const (
	Run     Kind = "run"     // run the method
	Deliver Kind = "deliver" // post its answer
)

// Task is one step of a job.
type Task struct {
	Kind Kind
	// ID is the job's: letters and digits, unique among the tasks of a Kind.
	ID string
	// Payload is what the Handler needs, in any process of the same program.
	Payload []byte
	// Attempts is how often the task is handed out at most; then it is dead.
	Attempts int
	// Limit is how long one try may take: its context ends then.
	Limit time.Duration
}

// Handler does a task. attempt counts from 1; the last one is t.Attempts, and
// whoever handles it says goodbye. It runs on many goroutines.
//
// nil: the task is done. An [Again] says when to try again; any other error
// means after [Delay]. A [Final] error, or an error of the last attempt: the
// task is dead.
type Handler func(ctx context.Context, t Task, attempt int) error

// Dead is a task that was given up.
type Dead struct {
	Task     Task
	Attempts int       // how often it was tried
	Problem  string    // of the last try
	At       time.Time // when it was given up
}

var (
	// ErrFull: the queue has no room for one more task now.
	ErrFull = errors.New("async: the queue is full")
	// ErrStopped: the queue takes no more tasks.
	ErrStopped = errors.New("async: the queue has stopped")
)

// Again is the error of a [Handler] that knows when to try again.
type Again struct {
	// After is how long to wait.
	After time.Duration
	// Free: the task was not tried at all, so this is no attempt.
	Free bool
	// Err is why.
	Err error
}

// Error is the text of Err.
func (e *Again) Error() string { return e.Err.Error() }

// Unwrap is Err.
func (e *Again) Unwrap() error { return e.Err }

// Final is the error of a [Handler] for which no other try would help.
type Final struct{ Err error }

// Error is the text of Err.
func (e *Final) Error() string { return e.Err.Error() }

// Unwrap is Err.
func (e *Final) Unwrap() error { return e.Err }

// The first pause between two tries, and the longest one. Each is four times
// the one before: 5 s, 20 s, 80 s, 5 min, 21 min, 85 min, 5.7 h, 6 h, …
const (
	firstDelay = 5 * time.Second
	maxDelay   = 6 * time.Hour
)

// Delay is how long a [Queue] waits after the attempt, counted from 1, that
// ended with err: what an [Again] says, else four times longer after each.
// Up to a quarter is added at random, so that tasks that failed together do
// not come back together.
func Delay(attempt int, err error) time.Duration {
	delay := firstDelay
	for range min(max(attempt, 1)-1, 10) {
		delay *= 4
	}
	delay = min(delay, maxDelay)
	var again *Again
	if errors.As(err, &again) {
		delay = max(again.After, time.Millisecond)
	}
	return delay + rand.N(delay/4+1)
}
