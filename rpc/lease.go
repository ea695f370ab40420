package rpc

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

const (
	// leaseTime is how long a node that computes a result keeps others from
	// doing the same, and how long they wait for it at most.
	leaseTime = 5 * time.Second
	// firstPoll and lastPoll are the pauses between two looks at a record of
	// another node; each is twice the one before.
	firstPoll = 2 * time.Millisecond
	lastPoll  = 100 * time.Millisecond
)

// leased lets one node compute a result while the others wait for it. This
// spares work and promises nothing: a node whose time is over, or whose
// Records fail, goes ahead.
func leased(x *Executor, _ *Spec, next Handler) Handler {
	return func(ctx context.Context, c *Call) (Response, error) {
		if c.ignoresCache() {
			return next(ctx, c)
		}
		key, until, pause := leaseKey(c.lookup.key), time.Now().Add(leaseTime), firstPoll
		for {
			held, err := x.options.Records.PutIfAbsent(ctx, key, []byte{1}, leaseTime)
			if err != nil {
				x.bypassed(ctx, c, err)
			}
			if held {
				c.lookup.flight.leased.Store(true)
			}
			// Another flight may have ended since the store was asked.
			if result, fresh, ok := x.load(ctx, c, c.lookup.key); ok && fresh {
				return Response{call: c, bytes: result}, nil
			}
			if held || err != nil || time.Now().After(until) {
				return next(ctx, c)
			}
			if !sleep(ctx, &pause) {
				return Response{}, ctx.Err()
			}
		}
	}
}

// release gives the lease of a flight back, if it has it.
func (x *Executor) release(c *Call) {
	if !c.lookup.flight.leased.CompareAndSwap(true, false) {
		return
	}
	ctx := context.WithoutCancel(&c.context)
	if _, err := x.options.Records.Delete(ctx, leaseKey(c.lookup.key)); err != nil {
		x.bypassed(ctx, c, err)
	}
}

func leaseKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return "facet1.lease." + hex.EncodeToString(sum[:])
}

// sleep waits for the pause and doubles it; false: ctx ended.
func sleep(ctx context.Context, pause *time.Duration) bool {
	timer := time.NewTimer(*pause)
	defer timer.Stop()
	*pause = min(2**pause, lastPoll)
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
