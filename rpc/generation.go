package rpc

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"
)

// Generations end results. Each cached method has a record with a random
// token, and so have parameters whose results were ended by themselves; the
// tokens are part of the key of a result and are read before the method runs.
// A new token makes all results from before unreachable, on every node that
// sees it, also those that are still being computed. Tokens are never equal,
// so a lost record cannot bring old results back.

// lateBound is the age at which a result is not stored any more, and by which
// the record of exact params outlives the results it ended.
const lateBound = time.Hour

func generationKey(app string, s *Spec) string {
	return "facet1.generation." + app + "." + s.Declared.Name
}

// generation is a record to be replaced.
type generation struct {
	key string
	ttl time.Duration // 0: for ever
}

// unsettled are the invalidations that Records refused. Until they are made
// up for, no result is read: it could be one that was to end.
type unsettled struct {
	some     atomic.Bool // so that the usual case is one load
	settling sync.Mutex  // held by the one call that tries again
	mu       sync.Mutex
	last     uint64
	keys     map[generation]uint64 // the number of its last failure
}

var errUnsettled = errors.New("an invalidation that failed has not been made up for yet")

// generations reads the tokens of a call's results.
func (x *Executor) generations(ctx context.Context, s *Spec, id *identity) (method, exact []byte, err error) {
	if x.unsettled.some.Load() {
		if err := x.settle(ctx); err != nil {
			return nil, nil, err
		}
	}
	records := x.options.Records
	method, ok, err := records.Get(ctx, s.bound.generation)
	if err != nil {
		return nil, nil, err
	}
	if !ok {
		if method, err = x.begin(ctx, s.bound.generation); err != nil {
			return nil, nil, err
		}
	}
	exact, _, err = records.Get(ctx, id.generation)
	return method, exact, err
}

// begin gives a method its first token, unless another call is faster.
func (x *Executor) begin(ctx context.Context, key string) ([]byte, error) {
	token := newToken()
	stored, err := x.options.Records.PutIfAbsent(ctx, key, token, 0)
	if err != nil || stored {
		return token, err
	}
	token, ok, err := x.options.Records.Get(ctx, key)
	if err == nil && !ok {
		err = errors.New("the generation of the method's results cannot be read")
	}
	return token, err
}

func newToken() []byte { return []byte(rand.Text()) }

// bump ends the results of a generation. That is not undone by a caller who
// leaves.
func (x *Executor) bump(ctx context.Context, g generation) error {
	x.counters.invalidations.Add(1)
	err := x.options.Records.Put(context.WithoutCancel(ctx), g.key, newToken(), g.ttl)
	if err != nil {
		x.counters.failures.Add(1)
		x.unsettled.add(g)
	}
	return err
}

func (u *unsettled) add(g generation) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.keys == nil {
		u.keys = map[generation]uint64{}
	}
	u.last++
	u.keys[g] = u.last
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
	for g, n := range open {
		if err := x.options.Records.Put(context.WithoutCancel(ctx), g.key, newToken(), g.ttl); err != nil {
			return err
		}
		u.mu.Lock()
		if u.keys[g] == n { // it has not failed again since
			delete(u.keys, g)
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
