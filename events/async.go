package events

import (
	"context"
	"fmt"
	"sync"
)

// Async calls the listener on a goroutine of its own, one event after another
// in the order they were published, so that the publisher does not wait for
// it. At most n events wait; when so many do, publishing waits until there is
// room, or until its context ends, and the event is then lost for this listener
// and its publisher told. On panics when n is below 1.
//
// The listener gets a context with the values of the publisher's and without
// its end, and must not change what it is given. Its error reaches no
// publisher and refuses nothing: it is published as [Failed]. It must not
// publish its own event: it would wait for itself when the queue is full.
// [Bus.Drain] waits for it; the goroutine ends when nothing waits.
func Async(n int) Option { return async(n) }

type async int

func (n async) apply(s *settings) {
	if n < 1 {
		panic(fmt.Sprintf("events: Async: the length of the queue is %d; it must be above 0", int(n)))
	}
	s.queue = int(n)
}

// Failed is published when an [Async] listener returned an error or panicked.
// An error of an Async listener of Failed itself is lost.
type Failed struct {
	Event string // the name of the event
	Err   error
}

// EventName is events.failed.
func (Failed) EventName() string { return "events.failed" }

// queue is the events that wait for one listener.
type queue[E Event] struct {
	bus  *Bus
	call func(context.Context, E) error
	room chan struct{} // a token for each event that waits

	mu      sync.Mutex
	waiting []published[E]
	running bool
}

type published[E Event] struct {
	ctx context.Context
	e   E
}

// add is what the topic calls in place of the listener.
func (q *queue[E]) add(ctx context.Context, e E) error {
	select {
	case q.room <- struct{}{}:
	default:
		select {
		case q.room <- struct{}{}:
		case <-ctx.Done():
			return fmt.Errorf("events: the queue of a listener of %s is full: %w", nameOf(e), ctx.Err())
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, published[E]{context.WithoutCancel(ctx), e})
	q.bus.pending.add()
	if !q.running {
		q.running = true
		go q.run()
	}
	return nil
}

// run calls the listener until nothing waits.
func (q *queue[E]) run() {
	for {
		q.mu.Lock()
		if len(q.waiting) == 0 {
			q.running, q.waiting = false, nil
			q.mu.Unlock()
			return
		}
		next := q.waiting[0]
		q.waiting[0] = published[E]{}
		q.waiting = q.waiting[1:]
		q.mu.Unlock()
		<-q.room
		q.deliver(next)
	}
}

func (q *queue[E]) deliver(p published[E]) {
	returned := false
	defer func() {
		if !returned { // runtime.Goexit ends this goroutine: the rest goes on in another
			go q.run()
		}
		q.bus.pending.done()
	}()
	l := listener[E]{call: q.call}
	if err := l.run(p.ctx, p.e); err != nil {
		if _, own := any(p.e).(Failed); !own {
			_ = Publish(p.ctx, q.bus, Failed{nameOf(p.e), err})
		}
	}
	returned = true
}

// pending counts the events that wait for Async listeners or are with them.
type pending struct {
	mu    sync.Mutex
	count int
	idle  chan struct{} // closed when the count is 0; nil: nobody waits for that
}

func (p *pending) add() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count++
}

func (p *pending) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.count--; p.count == 0 && p.idle != nil {
		close(p.idle)
		p.idle = nil
	}
}

// Drain waits until the [Async] listeners have had every event published so
// far, or ctx ends, whose error it then returns. The bus can be used on. On a
// nil bus there is nothing to wait for.
func (b *Bus) Drain(ctx context.Context) error {
	if b == nil {
		return nil
	}
	b.pending.mu.Lock()
	if b.pending.count == 0 {
		b.pending.mu.Unlock()
		return nil
	}
	if b.pending.idle == nil {
		b.pending.idle = make(chan struct{})
	}
	idle := b.pending.idle
	b.pending.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
