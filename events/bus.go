// Package events is a typed bus within one process.
//
// An event is a Go type with a name. Listeners register for the type, so a
// listener gets the fields and not a map of anything, and listening to a type
// that is no event does not compile:
//
//	type OrderPaid struct{ ID string }
//
//	func (OrderPaid) EventName() string { return "order.paid" }
//
//	bus := new(events.Bus)
//	off := events.On(bus, func(ctx context.Context, e OrderPaid) error { … })
//	err := events.Publish(ctx, bus, OrderPaid{ID: "7"})
//
// Listeners run one after another on the goroutine that publishes, those with a
// higher [Priority] first, those with an equal one in order of registration;
// [Async] ones get the event in that order and run on their own. A
// panic of a listener becomes a [*PanicError]. Two ways of publishing differ in
// what an error does: with [Topic.Publish] all listeners run and the errors are
// joined; with [Topic.Refuse] the first error stops the rest.
//
// Events meet listeners by the static type alone: OrderPaid and *OrderPaid are
// two events, and a listener of an interface type hears only what was published
// as that interface.
//
// A publisher on a hot path resolves its [Topic] once; an event that nobody
// listens to then costs one atomic load.
package events

import (
	"context"
	"reflect"
	"sync"
)

// Event is what can be published. EventName returns a constant name such as
// "order.paid", for logs and errors; it takes no part in finding listeners.
type Event interface{ EventName() string }

// Bus brings events to their listeners. The zero value is ready. A Bus must not
// be copied after first use; all functions on it are safe for concurrent use.
type Bus struct {
	topics  sync.Map // reflect.Type of E → *Topic[E]
	pending pending
}

// On calls fn for each event of type E published on b from now on, until off is
// called. off may be called more than once, at any time, also by fn itself.
//
// A publication goes to the listeners there were when it began: one that is
// added during it is not called, one that is removed may still be called by it.
//
// On panics when b or fn is nil: such a listener would never be called.
func On[E Event](b *Bus, fn func(context.Context, E) error, opts ...Option) (off func()) {
	if b == nil {
		panic("events: On: the bus is nil; pass new(events.Bus)")
	}
	if fn == nil {
		panic("events: On: the listener of " + reflect.TypeFor[E]().String() + " is nil")
	}
	l := &listener[E]{call: fn}
	for _, o := range opts {
		o.apply(&l.settings)
	}
	if l.queue > 0 {
		q := &queue[E]{bus: b, call: fn, room: make(chan struct{}, l.queue)}
		l.call = q.add
	}
	t := TopicOf[E](b)
	t.add(l)
	return func() { t.remove(l) }
}

// Publish gives e to all its listeners, see [Topic.Publish]. It looks the topic
// up each time, which suits events of an application; hold a [Topic] where that
// matters. On a nil bus nobody listens.
func Publish[E Event](ctx context.Context, b *Bus, e E) error {
	if b == nil {
		return nil
	}
	t, ok := b.topics.Load(reflect.TypeFor[E]())
	if !ok {
		return nil
	}
	return t.(*Topic[E]).Publish(ctx, e)
}

// TopicOf returns the topic of E on b, the same one each time. The topic of a
// nil bus is one that nobody can listen to.
func TopicOf[E Event](b *Bus) *Topic[E] {
	if b == nil {
		return new(Topic[E])
	}
	key := reflect.TypeFor[E]()
	t, ok := b.topics.Load(key)
	if !ok {
		t, _ = b.topics.LoadOrStore(key, new(Topic[E]))
	}
	return t.(*Topic[E])
}
