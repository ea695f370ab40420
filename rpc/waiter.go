package rpc

import "context"

// maxRefused is how many executions that were refused for another caller a
// call waits for.
const maxRefused = 3

// join waits for the execution that answers c, and starts it if there is none.
// A call that ignores the cache always starts one: another may have begun
// before what the caller knows of. One that was refused for somebody else is
// none: c asks again, in the end for itself alone.
func (x *Executor) join(ctx context.Context, c *Call, run Handler) (Response, error) {
	alone := c.ignoresCache()
	for round := 1; ; round++ {
		f, began := x.board(ctx, c, alone || round > maxRefused)
		if !x.landed(ctx, c, f, began, run) {
			return Response{}, ctx.Err()
		}
		switch {
		case f.failure == nil:
			c.lookup.flight = f
			if began {
				c.result = f.call.result
			}
			return Response{call: c, bytes: f.bytes}, nil
		case f.refused && !began:
			continue
		}
		e := f.failure
		if c.Language != f.call.Language {
			e, _ = x.public(ctx, c, f.err)
		}
		c.lookup.reported = e
		return Response{}, e
	}
}

// board takes a place in the execution that answers c, or makes one.
func (x *Executor) board(ctx context.Context, c *Call, alone bool) (f *flight, began bool) {
	p := &x.flights
	p.mu.Lock()
	defer p.mu.Unlock()
	f = p.byKey[c.lookup.key]
	if f == nil || alone {
		f, began = p.add(c.lookup.key), true
		x.prepare(ctx, f, c)
	} else {
		x.counters.coalesced.Add(1)
	}
	f.waiting++
	return f, began
}

// landed waits for f, which it starts if c made it; false: c's context ended
// before.
func (x *Executor) landed(ctx context.Context, c *Call, f *flight, began bool, run Handler) bool {
	f.report(c, true)
	defer f.report(c, false)
	if began {
		go x.land(f, run)
	}
	select {
	case <-f.done:
		return true
	case <-ctx.Done():
		return !x.leave(f)
	}
}

// leave takes one waiting caller from f, whose context ended; false: the
// answer is there. An execution that nobody waits for ends.
func (x *Executor) leave(f *flight) bool {
	select {
	case <-f.done:
		return false
	default:
	}
	p := &x.flights
	p.mu.Lock()
	f.waiting--
	f.abandoned = f.waiting == 0 && !f.lasting && !f.landing
	abandoned := f.abandoned
	if abandoned && p.byKey[f.key] == f {
		delete(p.byKey, f.key)
	}
	p.mu.Unlock()
	if abandoned {
		f.cancel()
		x.release(f.call)
	}
	return true
}

// report lets c hear of the progress of f, or no longer.
func (f *flight) report(c *Call, on bool) {
	if c.Report == nil {
		return
	}
	f.progress.Lock()
	defer f.progress.Unlock()
	if !on {
		delete(f.reports, c)
		return
	}
	if f.reports == nil {
		f.reports = map[*Call]func(float64, float64, string){}
	}
	f.reports[c] = c.Report
}

func (f *flight) progressed(done, total float64, message string) {
	f.progress.Lock()
	defer f.progress.Unlock()
	for _, tell := range f.reports {
		tell(done, total, message)
	}
}
