// Package rediscache keeps the pool of many processes on one Redis.
//
// A [Pool] does what Memory of package cache does in one process: it is a store of
// results (Load, Save, Drop) and a table of records (Get, PutIfAbsent, Put,
// Touch, Incr, Delete), with separate keys. Besides, it keeps the token buckets
// (Take) of a rate that the processes share.
//
//	pool, err := rediscache.Open(ctx, "redis://127.0.0.1:6379")
//	if err != nil { … }
//	defer pool.Close()
//
// # What is local
//
// Results and counters are kept in the process after the first read, by the
// client-side caching of Redis: a second Load or Get of them asks nobody. Redis
// remembers who has a copy and pushes a message when the key changes. Therefore
//   - in the process that writes, the old value is gone when the write returns;
//   - in others it is gone when the push arrives, mostly within a millisecond;
//   - a process that loses its connection loses its copies. One that is cut
//     off without noticing drops them after a second at the latest, when Redis
//     has not answered a ping;
//   - that something is not there is remembered too, in the same way.
//
// A record that is the text of a whole number is a counter, whether Incr or
// Put made it. Every other record, and that there is none, is read from Redis
// each time: sessions and idempotency keys are the same on all nodes at once.
//
// # What is promised
//
// A ttl counts in milliseconds, rounded up; 0 means for ever, below 0 it is
// over already. Nothing waits longer than half a second for Redis (the
// ConnWriteTimeout of its options), or than the deadline of ctx; then there is
// an error, and a write may have happened or not. A ctx that is cancelled ends
// a call that has not begun. With more than 8000 calls under way on a Redis that
// does not answer, the rest waits until the connection is given up, 0.9 seconds.
// Values that are read are shared and must not be changed. All methods are safe
// for concurrent use.
//
// Redis 6.2 or later, or Valkey, is needed, with an eviction policy that spares
// records: noeviction, or one of volatile-*, which drop by preference what has
// a ttl. What a restart of Redis forgets is forgotten here too; with appendonly
// that is little or nothing.
package rediscache

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/rueidis"
)

const (
	defaultPrefix = "facet"

	// defaultTimeout bounds a command when the options do not.
	defaultTimeout = 500 * time.Millisecond
	// pingGap is how often a silent connection is asked whether it lives. Two
	// gaps and a timeout are what a process that is cut off needs to notice.
	pingGap = 200 * time.Millisecond
	// ringScale is the power of two of how many commands may be under way; a
	// caller beyond that waits for room even when its time is over, until the
	// connection is given up. 8192 take 3 MB.
	ringScale = 13
	// localTTL is how long a copy is used without asking again; the push ends
	// it earlier.
	localTTL = time.Minute
)

// Options says which Redis a [Pool] is on.
type Options struct {
	// Redis is how to reach it: rueidis.ParseURL makes it of a URL, and
	// clusters, sentinels and TLS are written here. ConnWriteTimeout is the
	// longest that a call waits for an answer, Dialer.Timeout the longest for a
	// connection; 0: half a second each. CacheSizeEachConn is the memory for
	// local copies; 0: 128 MB. The pool sets PipelineMultiplex and
	// AlwaysPipelining itself.
	Redis rueidis.ClientOption
	// Prefix begins all keys, so that several applications can share a Redis;
	// empty: facet.
	Prefix string
}

// Pool is a pool on Redis, made by [New] or [Open].
type Pool struct {
	client   rueidis.Client
	timeout  time.Duration
	results  string // prefix of the keys of results
	records  string // prefix of the keys of records
	buckets  string // prefix of the keys of buckets
	counters keySet
}

// New connects to Redis and makes a Pool. It fails when Redis cannot be
// reached, or is too old to push. Call Close when done.
func New(o Options) (*Pool, error) {
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
	if r.RetryDelay == nil {
		r.RetryDelay = retryDelay
	}
	if r.RingScaleEachConn == 0 {
		r.RingScaleEachConn = ringScale
	}
	r.DialCtxFn = greeting(r, r.ConnWriteTimeout)
	// One connection: a command sent after a write on it is answered after the
	// push that the write caused, which is how a write knows that the local copy
	// is gone.
	r.PipelineMultiplex = -1
	r.AlwaysPipelining = true
	client, err := rueidis.NewClient(r)
	if err != nil {
		return nil, fmt.Errorf("rediscache: connect to Redis at %q: %w", r.InitAddress, err)
	}
	prefix := o.Prefix
	if prefix == "" {
		prefix = defaultPrefix
	}
	return &Pool{
		client:  client,
		timeout: r.ConnWriteTimeout,
		results: prefix + ":result:",
		records: prefix + ":record:",
		buckets: prefix + ":bucket:",
	}, nil
}

// Open is [New] for a URL such as redis://user:password@host:6379/0, rediss://
// for TLS, or unix:///path; see rueidis.ParseURL. ctx bounds connecting.
func Open(ctx context.Context, url string) (*Pool, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("rediscache: %w", err)
	}
	option, err := rueidis.ParseURL(url)
	if err != nil {
		// The error of a URL quotes it, with the password.
		return nil, errors.New("rediscache: the URL of Redis cannot be read; write redis://user:password@host:6379/0")
	}
	if until, ok := ctx.Deadline(); ok && option.Dialer.Timeout == 0 {
		option.Dialer.Timeout = min(defaultTimeout, time.Until(until))
	}
	return New(Options{Redis: option})
}

// Close ends the connection and forgets the local copies. Later calls fail,
// but for a Load or Get of a copy that is still there. Close may be called more
// than once.
func (p *Pool) Close() { p.client.Close() }

// retryDelay lets a read try twice more, so that a connection that has just
// broken is not seen, and a Redis that is down is reported at once.
func retryDelay(attempts int, _ rueidis.Completed, _ error) time.Duration {
	if attempts > 2 {
		return -1
	}
	return time.Duration(attempts) * 5 * time.Millisecond
}
