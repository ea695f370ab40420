// Package lock gives one caller at a time the lease of a key, within one process.
//
//	var locks lock.Local
//	lease, free, held, err := locks.Lock(ctx, "sku:7", time.Second, 0)
//	switch {
//	case err != nil: // ctx ended first
//	case !held:      // somebody else has had it the whole second
//	default:
//		defer free()
//		return buy(lease)
//	}
//
// Callers get a key in the order in which they asked for it. A key that nobody
// holds or waits for takes no memory.
//
// A hold time bounds the lease and not the lock: when it is over, the context of
// the lease ends, so that the work stops; the key goes to the next caller when
// the holder calls free and never before. A holder that ignores its context
// therefore blocks the others, but never runs beside them.
package lock

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"
)

// ErrLost is the cause ([context.Cause]) of a lease that ended because its hold
// time was over. The error of such a context is [context.DeadlineExceeded].
var ErrLost = errors.New("lock: the lease has ended: its hold time is over")

// Local is a set of locks by key, in this process only. The zero value is ready.
// It must not be copied after first use.
type Local struct {
	mu    sync.Mutex
	keys  map[string]holding // those held
	grant uint64             // number of the latest grant
}

// holding is who has a key and who comes next.
type holding struct {
	grant uint64     // the holder's; a free with another number is late
	queue *list.List // of chan uint64, first come first; nil: nobody has waited
}

// Lock gets the key, waiting at most wait for it, and no longer than ctx lasts.
// A wait of 0 or less fails at once.
//
// held true: the key is the caller's until it calls free, which it must. lease
// is the context to work with: it ends with ctx and, when hold is more than 0,
// when hold is over (cause [ErrLost]) or free has been called. Without a hold
// time the lease is ctx itself. free may be called more than once and from any
// goroutine; only the first call does something.
//
// held false and no error: somebody else had the key all the time. An error is
// ctx.Err(): ctx ended before the key was free. In both cases lease and free
// are nil and there is nothing to free.
func (l *Local) Lock(ctx context.Context, key string, wait, hold time.Duration) (lease context.Context, free func(), held bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, false, err
	}
	grant, ticket := l.take(key, wait > 0)
	if ticket != nil {
		grant, err = l.wait(ctx, key, ticket, wait)
	}
	if grant == 0 {
		return nil, nil, false, err
	}
	if hold <= 0 {
		return ctx, func() { l.free(key, grant) }, true, nil
	}
	lease, end := context.WithTimeoutCause(ctx, hold, ErrLost)
	return lease, func() { end(); l.free(key, grant) }, true, nil
}

// take grants a key that nobody holds. Of one that is held it gives a place in
// the queue, or nothing when the caller will not wait.
func (l *Local) take(key string, queue bool) (grant uint64, ticket *list.Element) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h, taken := l.keys[key]
	if !taken {
		if l.keys == nil {
			l.keys = make(map[string]holding)
		}
		l.grant++
		l.keys[key] = holding{grant: l.grant}
		return l.grant, nil
	}
	if !queue {
		return 0, nil
	}
	if h.queue == nil {
		h.queue = list.New()
		l.keys[key] = h
	}
	return 0, h.queue.PushBack(make(chan uint64, 1))
}

// wait returns the grant, or 0 when it did not come in time.
func (l *Local) wait(ctx context.Context, key string, ticket *list.Element, wait time.Duration) (uint64, error) {
	granted := ticket.Value.(chan uint64)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case grant := <-granted:
		return grant, nil
	case <-timer.C:
		return l.leave(key, ticket), nil // a grant that came just now is in time
	case <-ctx.Done():
		if grant := l.leave(key, ticket); grant != 0 {
			l.free(key, grant) // the next one must not miss its turn
		}
		return 0, ctx.Err()
	}
}

// leave gives up a place in the queue. It returns the grant when the place has
// been reached meanwhile, else 0.
func (l *Local) leave(key string, ticket *list.Element) uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case grant := <-ticket.Value.(chan uint64):
		return grant
	default:
		l.keys[key].queue.Remove(ticket)
		return 0
	}
}

// free hands the key to the first in the queue, or forgets it.
func (l *Local) free(key string, grant uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h, taken := l.keys[key]
	if !taken || h.grant != grant {
		return
	}
	if h.queue == nil || h.queue.Len() == 0 {
		delete(l.keys, key)
		return
	}
	l.grant++
	h.grant = l.grant
	l.keys[key] = h
	h.queue.Remove(h.queue.Front()).(chan uint64) <- l.grant // has room for it
}
