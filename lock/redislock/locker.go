// Package redislock gives one caller at a time the lease of a key, among all
// processes on one Redis. It works through rueidislock.
//
//	locks, err := redislock.Open(ctx, "redis://127.0.0.1:6379")
//	if err != nil { … }
//	defer locks.Close()
//	lease, free, held, err := locks.Lock(ctx, "sku:7", time.Second, 0)
//	switch {
//	case err != nil: // ctx ended, or Redis does not answer
//	case !held:      // somebody else has had it the whole second
//	default:
//		defer free()
//		return buy(lease)
//	}
//
// # What is promised
//
// A lock is a key in Redis that ends by itself after the TTL of the Locker, and
// is prolonged as long as the holder works: by the third part of the TTL each
// time. A process that dies therefore blocks others for one TTL at most. A
// holder that cannot prolong, because Redis is down or cut off, is told before
// its key ends: the context of its lease ends with the cause [ErrLost], a tenth
// of the TTL early, and only then can somebody else get the key. A holder that
// works on nevertheless does so at its own risk: there is no fencing beyond the
// lease.
//
// The end of a key is a time of day, so the clocks of Redis and of all
// processes must agree to a tenth of the TTL; [New] refuses one that does not.
//
// What Redis forgets is not locked any more. Run it with appendonly yes and
// appendfsync always; without that, a restart can give a key to two holders
// until the first one fails to prolong its lease. A failover to a replica that
// lags behind does the same.
//
// Callers do not get a key in the order in which they asked. A caller that
// waits is woken by Redis when the key is free, and asks by itself every
// second. Redis 7.0.5 or later, or Valkey, is needed.
package redislock

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidislock"
)

// ErrLost is the cause ([context.Cause]) of a lease that ended because its hold
// time was over, or because Redis did not prolong it.
var ErrLost = errors.New("redislock: the lease has ended")

// ErrClosed means that Close has been called.
var ErrClosed = errors.New("redislock: the locker is closed")

const (
	defaultPrefix = "facet"
	defaultTTL    = 5 * time.Second
	minTTL        = 500 * time.Millisecond

	// defaultTimeout bounds a command when the options do not.
	defaultTimeout = 500 * time.Millisecond
	// pingGap is how often a silent connection is asked whether it lives.
	pingGap = 200 * time.Millisecond
	// round is how long a caller waits before it asks again by itself, should
	// the message that the key is free have been lost with a connection.
	round = time.Second
)

// Options says which Redis a [Locker] is on.
type Options struct {
	// Redis is how to reach it: rueidis.ParseURL makes it of a URL, and
	// clusters, sentinels and TLS are written here. ConnWriteTimeout is the
	// longest that Lock waits for an answer of Redis, Dialer.Timeout the longest
	// for a connection; 0: half a second each. The locker sets what
	// client-side caching needs itself.
	Redis rueidis.ClientOption
	// Prefix begins all keys, so that several applications can share a Redis;
	// empty: facet.
	Prefix string
	// TTL is how long the lock of a process that died stays, half a second at
	// least; 0: 5 seconds. It does not bound how long a lock is held.
	TTL time.Duration
}

// Locker is a set of locks by key on Redis, made by [New] or [Open].
type Locker struct {
	locks   rueidislock.Locker
	timeout time.Duration
	life    context.Context // of all leases; ends with Close
	end     func()

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup // attempts, also those nobody waits for, and leases
}

// New connects to Redis and makes a Locker. It fails when Redis cannot be
// reached, or its clock and ours differ too much. Call Close when done.
func New(o Options) (*Locker, error) {
	r := o.Redis
	if r.ConnWriteTimeout <= 0 {
		r.ConnWriteTimeout = defaultTimeout
	}
	if r.Dialer.Timeout <= 0 {
		r.Dialer.Timeout = defaultTimeout
	}
	if r.Dialer.KeepAlive <= 0 {
		r.Dialer.KeepAlive = pingGap
	}
	ttl, prefix := o.TTL, o.Prefix
	if ttl == 0 {
		ttl = defaultTTL
	}
	if ttl < minTTL {
		return nil, fmt.Errorf("redislock: the TTL is %v; it must be at least %v, so that a lease can be prolonged in time", ttl, minTTL)
	}
	if prefix == "" {
		prefix = defaultPrefix
	}
	locks, err := rueidislock.NewLocker(rueidislock.LockerOption{
		ClientOption: r,
		ClientBuilder: func(o rueidis.ClientOption) (rueidis.Client, error) {
			c, err := rueidis.NewClient(o)
			if err != nil {
				return nil, err
			}
			return &client{Client: c, timeout: r.ConnWriteTimeout, margin: margin(ttl)}, nil
		},
		KeyPrefix:      prefix + ":lock",
		KeyValidity:    ttl,
		ExtendInterval: ttl / 3,
		TryNextAfter:   r.ConnWriteTimeout,
		KeyMajority:    1,    // one Redis, one key
		NoLoopTracking: true, // else each prolonging is pushed back and prolongs again
	})
	if err != nil {
		return nil, fmt.Errorf("redislock: connect to Redis at %q: %w", r.InitAddress, err)
	}
	if err := sameTime(locks.Client(), r.ConnWriteTimeout, margin(ttl)); err != nil {
		locks.Close()
		return nil, err
	}
	life, end := context.WithCancel(context.Background())
	return &Locker{locks: locks, timeout: r.ConnWriteTimeout, life: life, end: end}, nil
}

// Open is [New] for a URL such as redis://user:password@host:6379/0, rediss://
// for TLS, or unix:///path; see rueidis.ParseURL. ctx bounds connecting.
func Open(ctx context.Context, url string) (*Locker, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("redislock: %w", err)
	}
	option, err := rueidis.ParseURL(url)
	if err != nil {
		// The error of a URL quotes it, with the password.
		return nil, errors.New("redislock: the URL of Redis cannot be read; write redis://user:password@host:6379/0")
	}
	if until, ok := ctx.Deadline(); ok && option.Dialer.Timeout == 0 {
		option.Dialer.Timeout = min(defaultTimeout, time.Until(until))
	}
	return New(Options{Redis: option})
}

// Close gives back what is still held, which ends those leases (cause
// [ErrLost]), and ends the connection. Later calls of Lock fail with
// [ErrClosed]. Close may be called more than once.
func (l *Locker) Close() {
	l.mu.Lock()
	closed := l.closed
	l.closed = true
	l.mu.Unlock()
	if closed {
		return
	}
	l.end()
	l.running.Wait() // until the keys are removed
	l.locks.Close()
}

// begin counts an attempt and the lease it may become, unless Close has been called.
func (l *Locker) begin() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	l.running.Add(1)
	return true
}

// margin is by how much the clocks may differ, and how early a lease ends that
// cannot be prolonged.
func margin(ttl time.Duration) time.Duration { return ttl / 10 }

// sameTime compares the clock of Redis with ours.
func sameTime(c rueidis.Client, timeout, margin time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	sent := time.Now()
	parts, err := c.Do(ctx, c.B().Time().Build()).AsIntSlice()
	if err != nil {
		return fmt.Errorf("redislock: ask Redis for the time: %w", err)
	}
	if len(parts) != 2 {
		return fmt.Errorf("redislock: Redis answers %d numbers to TIME, want 2", len(parts))
	}
	// Redis looked at its clock at some moment between sent and got.
	there, got := time.Unix(parts[0], parts[1]*1000), time.Now()
	if early, late := there.Sub(sent), there.Sub(got); early < -margin || late > margin {
		return fmt.Errorf("redislock: the clocks of Redis (%v) and of this process (%v) differ by more than %v; set them by NTP",
			there.Format(time.RFC3339Nano), got.Format(time.RFC3339Nano), margin)
	}
	return nil
}
