package events

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
)

// Topic is the event E on one bus: a handle that is resolved once, with
// [TopicOf], and published on many times. It must not be copied.
type Topic[E Event] struct {
	// current is replaced, never changed; nil when nobody listens, so that
	// finding that out is one load.
	current atomic.Pointer[[]*listener[E]]
	change  sync.Mutex // held while replacing current
}

type listener[E Event] struct {
	settings
	call func(context.Context, E) error
}

// Active reports whether anybody listens, so that a caller can leave out making
// the event.
func (t *Topic[E]) Active() bool { return t.current.Load() != nil }

// Publish gives e to all listeners in order, whatever they return, and joins
// their errors ([errors.Join]); nil when there are none. Listeners see ctx; its
// end does not stop those that have not run yet.
func (t *Topic[E]) Publish(ctx context.Context, e E) error {
	now := t.current.Load()
	if now == nil {
		return nil
	}
	return publish(ctx, *now, e)
}

// Refuse gives e to the listeners in order until one returns an error, and
// returns that error as it is: for events whose listeners may refuse what is
// about to happen. A listener that panics refuses too.
func (t *Topic[E]) Refuse(ctx context.Context, e E) error {
	now := t.current.Load()
	if now == nil {
		return nil
	}
	return refuse(ctx, *now, e)
}

// publish and refuse stand apart so that the methods are inlined.

func publish[E Event](ctx context.Context, listeners []*listener[E], e E) error {
	var errs []error
	for _, l := range listeners {
		if err := l.run(ctx, e); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func refuse[E Event](ctx context.Context, listeners []*listener[E], e E) error {
	for _, l := range listeners {
		if err := l.run(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// run contains a panic of the listener. runtime.Goexit cannot be contained on
// the goroutine it ends.
func (l *listener[E]) run(ctx context.Context, e E) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = panicError(e, v)
		}
	}()
	return l.call(ctx, e)
}

func (t *Topic[E]) add(l *listener[E]) {
	t.change.Lock()
	defer t.change.Unlock()
	var old []*listener[E]
	if now := t.current.Load(); now != nil {
		old = *now
	}
	at := slices.IndexFunc(old, func(o *listener[E]) bool { return o.priority < l.priority })
	if at < 0 {
		at = len(old)
	}
	changed := make([]*listener[E], 0, len(old)+1)
	changed = append(append(append(changed, old[:at]...), l), old[at:]...)
	t.current.Store(&changed)
}

func (t *Topic[E]) remove(l *listener[E]) {
	t.change.Lock()
	defer t.change.Unlock()
	now := t.current.Load()
	if now == nil || !slices.Contains(*now, l) {
		return
	}
	if len(*now) == 1 {
		t.current.Store(nil)
		return
	}
	changed := slices.DeleteFunc(slices.Clone(*now), func(o *listener[E]) bool { return o == l })
	t.current.Store(&changed)
}
