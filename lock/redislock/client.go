package redislock

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/redis/rueidis"
)

// client is between rueidislock and Redis, for two things that rueidislock
// leaves open: it prolongs a lease for as long as the new end would last, and so
// beyond the end of the key in Redis; and it waits for the removal of a key as
// long.
type client struct {
	rueidis.Client
	timeout time.Duration // for a command that no lease bounds
	margin  time.Duration // how long before the end of its key a lease is over
}

// request is one caller's asking for a key. It is in the context of all
// commands but those that remove a key.
type request struct {
	lose func() // ends the lease

	mu       sync.Mutex
	ends     time.Time   // of the key in Redis; zero: not got yet
	watchdog *time.Timer // ends the lease before, whatever the client is waiting for
	answered bool        // Redis has said whether the key is free
	err      error       // of the last asking, when it was not answered
}

type requestKey struct{}

// Do runs one of the scripts of rueidislock, whose last argument is the end of
// the key in milliseconds.
func (c *client) Do(ctx context.Context, command rueidis.Completed) rueidis.RedisResult {
	r, _ := ctx.Value(requestKey{}).(*request)
	args := command.Commands()
	if r == nil || len(args) == 0 {
		ctx, cancel := context.WithTimeout(ctx, c.timeout)
		defer cancel()
		return c.Client.Do(ctx, command)
	}
	end, err := strconv.ParseInt(args[len(args)-1], 10, 64)
	if err != nil {
		return rueidis.NewErrorResult(err)
	}
	ends := time.UnixMilli(end)
	if got := r.end(); !got.IsZero() {
		return c.prolong(ctx, command, r, got, ends)
	}
	result := c.Client.Do(ctx, command)
	r.asked(result.Error(), ends, c.margin)
	return result
}

// prolong moves the end of a key that is held, while there is time. Without
// success the lease ends here: rueidislock would try to remove the key first,
// and a client that connects again does not always keep to its context.
func (c *client) prolong(ctx context.Context, command rueidis.Completed, r *request, got, ends time.Time) rueidis.RedisResult {
	ctx, cancel := context.WithDeadline(ctx, got.Add(-c.margin))
	defer cancel()
	result := c.Client.Do(ctx, command)
	n, err := result.AsInt64()
	if reply, ok := rueidis.IsRedisErr(err); ok && reply.IsNoScript() {
		return result // rueidislock sends the script itself, then
	}
	if err != nil || n != 1 {
		r.lose()
		return result
	}
	r.last(ends, c.margin)
	return result
}

// last notes until when the key is ours, and ends the lease before.
func (r *request) last(ends time.Time, margin time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	left := time.Until(ends) - margin
	switch {
	case r.ends.IsZero():
		r.watchdog = time.AfterFunc(left, r.lose)
	case !r.watchdog.Stop():
		return // too late
	default:
		r.watchdog.Reset(left)
	}
	r.ends = ends
}

// over: the key is given back.
func (r *request) over() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.watchdog != nil {
		r.watchdog.Stop()
	}
}

func (r *request) end() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ends
}

// asked notes what Redis said: the key is ours, or another's, or nothing.
func (r *request) asked(err error, ends time.Time, margin time.Duration) {
	if err == nil {
		r.last(ends, margin)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = nil
	switch {
	case err == nil:
		r.answered = true
	case rueidis.IsRedisNil(err):
		r.answered = true
	default:
		r.err = err
	}
}

// outcome is what is known at the end of waiting: held by another (nil), or why
// that is not known; known is false when Redis has not been heard of at all.
func (r *request) outcome() (known bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.answered || r.err != nil, r.err
}
