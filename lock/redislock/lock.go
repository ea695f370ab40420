package redislock

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/rueidis/rueidislock"
)

// Lock gets the key, waiting at most wait for it, and no longer than ctx lasts.
// With a wait of 0 or less it asks once; the answer may take half a second when
// Redis is slow, and a call with a wait lasts no longer than the wait and that.
//
// held true: the key is the caller's until it calls free, which it must when
// its work has returned. lease is the context to work with: it ends with ctx,
// when the key could not be prolonged (cause [ErrLost]), when hold is more
// than 0 and over (cause ErrLost, error [context.DeadlineExceeded]), and with
// free. When hold is over the key stays the caller's until free, so that a
// holder that ignores its context never runs beside others. free may be called
// more than once and from any goroutine; it waits until Redis has removed the
// key, half a second at most: a Redis that is down removes it by its TTL.
//
// held false and no error: somebody else had the key all the time. An error:
// ctx ended, or Redis did not answer, and whether the key is free is not known.
// In both cases lease and free are nil and there is nothing to free.
func (l *Locker) Lock(ctx context.Context, key string, wait, hold time.Duration) (lease context.Context, free func(), held bool, err error) {
	g, err := l.get(ctx, key, wait)
	if g == nil {
		return nil, nil, false, err
	}
	lease, free = l.lease(ctx, g, hold)
	return lease, free, true, nil
}

// get asks once, and then waits in rounds. Without a grant and an error the key
// is another's.
func (l *Locker) get(ctx context.Context, key string, wait time.Duration) (*grant, error) {
	over := time.Now().Add(wait)
	g, err := l.attempt(ctx, key, 0)
	for g == nil && ctx.Err() == nil && !errors.Is(err, ErrClosed) {
		left := time.Until(over)
		if left <= 0 {
			break
		}
		last := err
		g, err = l.attempt(ctx, key, min(left, round))
		if errors.Is(err, errUnanswered) && left < l.timeout {
			err = last // too short a round to learn anything
		}
	}
	switch {
	case g != nil:
		return g, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("redislock: %w", err)
	}
	return nil, nil // the key is another's
}

// errUnanswered: Redis has not been heard of.
var errUnanswered = errors.New("no answer from Redis in time")

// attempt asks for the key once (wait 0), or until the wait is over.
func (l *Locker) attempt(ctx context.Context, key string, wait time.Duration) (*grant, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !l.begin() {
		return nil, ErrClosed
	}
	// The context given to rueidislock is the lease: it removes the key when
	// that context ends, so it must not end with the caller's.
	detached, end := context.WithCancel(l.life)
	r := &request{lose: end}
	detached = context.WithValue(detached, requestKey{}, r)
	g := &grant{request: r, end: end, done: make(chan struct{})}
	go func() {
		ask := l.locks.WithContext
		if wait == 0 {
			ask = l.locks.TryWithContext
		}
		if !g.answer(ask(detached, key)) {
			l.running.Done()
		}
	}()
	limit := wait
	if wait == 0 {
		limit = l.timeout
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-g.done:
	case <-timer.C:
	case <-ctx.Done():
	}
	if g.taken() {
		return g, nil
	}
	err := g.reason()
	if l.life.Err() != nil {
		err = ErrClosed
	}
	end()
	return nil, err
}

// grant is the answer to an attempt. Either the caller takes it in time, or it
// is given back.
type grant struct {
	request *request
	end     func() // ends the lease
	done    chan struct{}

	mu        sync.Mutex
	abandoned bool
	held      context.Context // ends when the key is lost
	remove    func()          // waits until the key is removed
	err       error
}

// answer notes what rueidislock says, and reports whether it becomes a lease.
// What comes too late is given back, which nobody needs to wait for.
func (g *grant) answer(held context.Context, remove context.CancelFunc, err error) bool {
	g.mu.Lock()
	abandoned := g.abandoned
	if g.err = err; err == nil && !abandoned {
		g.held, g.remove = held, remove
	}
	g.mu.Unlock()
	if err == nil && abandoned {
		remove()
		g.request.over()
	}
	close(g.done)
	return err == nil && !abandoned
}

// taken: the key is the caller's. Otherwise it never will be.
func (g *grant) taken() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.held != nil {
		return true
	}
	g.abandoned = true
	return false
}

// reason says why there is no lease; nil: the key is another's.
func (g *grant) reason() error {
	g.mu.Lock()
	err := g.err
	g.mu.Unlock()
	if errors.Is(err, rueidislock.ErrNotLocked) {
		return nil
	}
	known, why := g.request.outcome()
	switch {
	case !known:
		return errUnanswered
	case errors.Is(why, context.DeadlineExceeded), errors.Is(why, context.Canceled):
		return fmt.Errorf("%w: %w", errUnanswered, why)
	}
	return why
}

// Causes of an end.
var (
	errHold      = fmt.Errorf("%w: its hold time is over", ErrLost)
	errProlonged = fmt.Errorf("%w: Redis did not prolong it", ErrLost)
	errShut      = fmt.Errorf("%w: the locker was closed", ErrLost)
)

// lease is the context to work with, and the way to give the key back.
func (l *Locker) lease(ctx context.Context, g *grant, hold time.Duration) (context.Context, func()) {
	lease, endLease := context.WithCancelCause(ctx)
	removed := make(chan struct{})
	remove := sync.OnceFunc(func() {
		g.request.over()
		g.remove()
		l.running.Done()
		close(removed)
	})
	unwatch := context.AfterFunc(g.held, func() {
		if l.life.Err() != nil {
			endLease(errShut)
		} else {
			endLease(errProlonged)
		}
		remove()
	})
	endHold := func() {}
	if hold > 0 {
		lease, endHold = context.WithTimeoutCause(lease, hold, errHold)
	}
	return lease, sync.OnceFunc(func() {
		unwatch()
		endHold()
		endLease(nil)
		g.end()
		go remove()
		limit := time.NewTimer(l.timeout)
		defer limit.Stop()
		select {
		case <-removed:
		case <-limit.C:
		}
	})
}
