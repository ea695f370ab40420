package rpc

import (
	"context"
	stderrors "errors"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

// flight is one execution that answers all who asked for a result while it
// ran. It has a goroutine and a Call of its own, so that no caller who leaves
// ends it; it ends when nobody waits for it any more.
type flight struct {
	key    string
	call   *Call
	cancel context.CancelFunc
	done   chan struct{} // closed when bytes or failure is there

	bytes   []byte
	failure *rpcerrors.Error
	err     error       // what failure was made of, in no language
	refused bool        // by a listener, which looked at one of the callers only
	told    atomic.Bool // rpc.post_response was published
	leased  atomic.Bool // this node has the lease on the result
	late    bool        // the result was invalidated while it was computed

	// Guarded by flights.mu.
	waiting   int
	lasting   bool    // a refresh: nobody needs to wait for it
	abandoned bool    // everybody left
	landing   bool    // it has a result to store
	before    *flight // one that was landing when f took its place
	replaced  bool    // another runs, or ran, beside it

	progress sync.Mutex
	reports  map[*Call]func(done, total float64, message string)
}

// maxLasting bounds the refreshes and warm-ups at one time. Beyond it they are
// left out: the next stale hit tries again.
const maxLasting = 256

// maxDistrust bounds how often an execution looks for results that may be
// older than its own.
const maxDistrust = 3

// flights are those of one executor. A newer flight takes the place of one
// with the same key that still runs, which then stores nothing.
type flights struct {
	handlers map[*Spec]Handler // complete before the first call
	mu       sync.Mutex
	byKey    map[string]*flight
	lasting  int
}

// refresh starts an execution that nobody waits for, unless there is one.
func (x *Executor) refresh(ctx context.Context, c *Call, run Handler) {
	key := c.lookup.key
	p := &x.flights
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byKey[key] != nil || p.lasting >= maxLasting {
		return
	}
	f := p.add(key)
	f.lasting = true
	p.lasting++
	x.prepare(ctx, f, c)
	go x.land(f, run)
}

// add makes a flight; p.mu is held.
func (p *flights) add(key string) *flight {
	f := &flight{key: key, done: make(chan struct{})}
	if old := p.byKey[key]; old != nil {
		old.replaced = true
		f.before = old.before
		if old.landing {
			f.before = old
		}
	}
	p.byKey[key] = f
	return f
}

// prepare gives f a Call of its own: c ends when its caller leaves. The
// decoded params are f's from now on.
func (x *Executor) prepare(ctx context.Context, f *flight, c *Call) {
	x.running.more()
	detached, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f.cancel = cancel
	f.call = &Call{
		Endpoint: c.Endpoint, Method: c.Method, Params: slices.Clone(c.Params), Caller: c.Caller, Language: c.Language, Door: c.Door, RayID: c.RayID,
		Detached: true, Control: c.Control, Builtin: c.Builtin, Report: f.progressed,
		exec: x, spec: c.spec, caller: c.caller, sequence: c.sequence, params: c.params, keepParams: true, lookup: &lookup{},
	}
	*f.call.lookup = *c.lookup
	f.call.lookup.flight = f
	if c.ignoresCache() {
		f.call.control = &control{ignoreCache: true}
	}
	f.call.context = callContext{detached, f.call}
	c.keepParams = true
}

// land runs f to its end. The goroutine is counted by the executor's drain. A
// panic of the method is rescued like that of any call, one of a backend here.
func (x *Executor) land(f *flight, run Handler) {
	c := f.call
	ctx := &c.context
	returned := false
	defer x.running.leave()
	defer f.cancel()
	defer func() {
		if !returned {
			if v := recover(); v != nil {
				f.err = &panicked{v, debug.Stack()}
				f.failure = x.fail(ctx, c, f.err)
			} else { // runtime.Goexit, which rescue has told
				f.err = errGoexit
				f.failure, _ = x.public(ctx, c, f.err)
			}
			x.flights.remove(f)
			x.release(c)
		}
		close(f.done)
	}()
	response, err := rescue(x, c.spec, run)(ctx, c)
	f.err = err
	if err == nil {
		f.bytes = response.bytes
		x.store(ctx, f, response)
	} else if !x.flights.left(f) || !stderrors.Is(err, context.Canceled) {
		f.failure = x.fail(ctx, c, err)
	} else {
		f.failure = rpcerrors.Canceled.Wrap(err, "") // nobody is there to see it
	}
	x.release(c)
	if beside := x.flights.remove(f); beside || f.late {
		x.distrust(f)
	}
	returned = true
}

// store keeps the result of f, unless it was loaded itself, nobody waited for
// it, a newer flight took its place, or it was invalidated meanwhile. The
// bytes of the flight are then those of the entry: many callers read them.
func (x *Executor) store(ctx context.Context, f *flight, response Response) {
	c := f.call
	if !c.ran {
		return
	}
	k := &c.spec.Declared.Cache
	var fresh time.Time
	if k.StaleFor > 0 {
		fresh = time.Now().Add(k.TTL)
	}
	entry := make([]byte, 0, 16+len(f.key)+len(response.bytes))
	entry = appendEntry(entry, f.key, fresh)
	from := len(entry)
	entry = append(entry, response.bytes...)
	f.bytes = slices.Clip(entry[from:])
	response.discard()
	if f.late = !x.current(ctx, c, c.spec, c.lookup); f.late || ctx.Err() != nil || !x.flights.lands(f) {
		return
	}
	if err := x.options.Store.Save(ctx, f.key, entry, k.TTL+k.StaleFor); err != nil {
		x.bypassed(ctx, c, err)
		return
	}
	x.counters.stores.Add(1)
}

// remove takes f from the table, before its callers have the answer. beside:
// another execution runs, or ran, beside it, and f has callers.
func (p *flights) remove(f *flight) (beside bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.lasting {
		f.lasting = false
		p.lasting--
	}
	if p.byKey[f.key] == f {
		delete(p.byKey, f.key)
	}
	return f.replaced && !f.abandoned
}

// distrust ends what another execution, which ran beside f or began after an
// invalidation that f did not see, stored or is about to: f may have seen
// newer data, and who asks after f's answer must not get older data. Where
// invalidations come faster than it can look, it makes one itself.
func (x *Executor) distrust(f *flight) {
	c, l := f.call, f.call.lookup
	ctx := context.WithoutCancel(&c.context)
	known := ""
	for range maxDistrust {
		if !c.ran {
			return
		}
		method, exact, err := x.generations(ctx, c.spec, l.id)
		if err != nil {
			x.bypassed(ctx, c, err)
			return
		}
		key := x.resultKey(c, l.audience, l.id, method, exact)
		if key == known {
			return
		}
		known = key
		if landing := x.flights.retire(key); landing != nil {
			<-landing
		}
		if err := x.options.Store.Drop(ctx, key); err != nil {
			x.bypassed(ctx, c, err)
		}
	}
	if err := x.bump(ctx, l.id.generation); err != nil {
		x.bypassed(ctx, c, err)
	}
}

// retire lets nobody join the flight of key any more, nor its result be
// stored; the channel, if any, closes when a result that is being stored has been.
func (p *flights) retire(key string) (landing chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.byKey[key]
	if f == nil {
		return nil
	}
	delete(p.byKey, key)
	f.replaced = true
	if f.landing {
		return f.done
	}
	return nil
}

func (p *flights) left(f *flight) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return f.abandoned
}

// lands reports whether f may store its result: no newer one took its place.
// It waits for an older one that is being stored, so that it is not stored
// last.
func (p *flights) lands(f *flight) bool {
	if f.before != nil { // written below and before f's goroutine began
		<-f.before.done
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f.before = nil
	f.landing = p.byKey[f.key] == f
	return f.landing
}
