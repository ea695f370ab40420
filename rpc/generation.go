package rpc

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"maps"
	"strconv"
	"sync"
	"sync/atomic"

	"go.uber.org/zap"
)

// Generations end results. Each cached method has a record with a random
// token, and so have the shares of its results by params; the two tokens are
// part of the key of a result and are read before the method runs. A new
// token makes all results from before unreachable, on every node that sees
// it, also those that are still being computed. Tokens are random, so a lost
// record cannot bring old results back, and they are decimal int64, so that
// Records on a network can tell them from other records and keep a local copy
// that is dropped by a push.

// shares is into how many the results of a method are parted. Results of exact
// params end together with those of the same share: one in 256 others.
const shares = 256

func generationKey(app string, s *Spec) string {
	return "facet1.generation." + app + "." + s.Declared.Name
}

// unsettled are the invalidations that Records refused. Until they are made
// up for, no result is read: it could be one that was to end.
type unsettled struct {
	some     atomic.Bool // so that the usual case is one load
	settling sync.Mutex  // held by the one call that tries again
	mu       sync.Mutex
	last     uint64
	keys     map[string]uint64 // the number of its last failure
}

var errUnsettled = errors.New("an invalidation that failed has not been made up for yet")

// generations reads the tokens of a call's results.
func (x *Executor) generations(ctx context.Context, s *Spec, id *identity) (method, exact []byte, err error) {
	if x.unsettled.some.Load() {
		if err := x.settle(ctx); err != nil {
			return nil, nil, err
		}
	}
	if method, err = x.token(ctx, s.bound.generation); err != nil {
		return nil, nil, err
	}
	exact, err = x.token(ctx, id.generation)
	return method, exact, err
}

// token reads a generation, and begins it if there is none.
func (x *Executor) token(ctx context.Context, key string) ([]byte, error) {
	token, ok, err := x.options.Records.Get(ctx, key)
	if err != nil || ok {
		return token, err
	}
	token = newToken()
	stored, err := x.options.Records.PutIfAbsent(ctx, key, token, 0)
	if err != nil || stored {
		return token, err
	}
	token, ok, err = x.options.Records.Get(ctx, key) // another call was faster
	if err == nil && !ok {
		err = errors.New("the generation of the method's results cannot be read")
	}
	return token, err
}

func newToken() []byte {
	var b [8]byte
	rand.Read(b[:])
	return strconv.AppendUint(nil, binary.BigEndian.Uint64(b[:])>>1, 10)
}

// bump ends the results of a generation. That is not undone by a caller who
// leaves.
func (x *Executor) bump(ctx context.Context, key string) error {
	x.counters.invalidations.Add(1)
	err := x.options.Records.Put(context.WithoutCancel(ctx), key, newToken(), 0)
	if err != nil {
		x.counters.failures.Add(1)
		x.unsettled.add(key)
	}
	return err
}

func (u *unsettled) add(key string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.keys == nil {
		u.keys = map[string]uint64{}
	}
	u.last++
	u.keys[key] = u.last
	u.some.Store(true)
}

// settle makes up for invalidations that failed.
func (x *Executor) settle(ctx context.Context) error {
	u := &x.unsettled
	if !u.settling.TryLock() {
		return errUnsettled
	}
	defer u.settling.Unlock()
	u.mu.Lock()
	open := maps.Clone(u.keys)
	u.mu.Unlock()
	for key, n := range open {
		if err := x.options.Records.Put(context.WithoutCancel(ctx), key, newToken(), 0); err != nil {
			return err
		}
		u.mu.Lock()
		if u.keys[key] == n { // it has not failed again since
			delete(u.keys, key)
		}
		u.some.Store(len(u.keys) > 0)
		u.mu.Unlock()
	}
	return nil
}

// current reports whether no invalidation came since l was made.
func (x *Executor) current(ctx context.Context, c *Call, s *Spec, l *lookup) bool {
	method, exact, err := x.generations(ctx, s, l.id)
	if err != nil {
		x.bypassed(ctx, c, err)
		return false
	}
	return string(method) == l.method && string(exact) == l.exact
}

// bypassed notes that the cache failed and the call goes on without it.
func (x *Executor) bypassed(ctx context.Context, c *Call, err error) {
	if ctx.Err() != nil {
		return // the call ends, which says nothing about the cache
	}
	x.counters.failures.Add(1)
	x.options.Logger.Warn("the cache failed and was passed by", append(c.fields(), zap.Error(err))...)
}
