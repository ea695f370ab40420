package events_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/events"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type key struct{}

// R-E01: an asynchronous listener gets every event in order, on its own time.
func TestAsync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus events.Bus
		var got []string
		events.On(&bus, func(ctx context.Context, e paid) error {
			time.Sleep(time.Second)
			if ctx.Err() != nil || ctx.Value(key{}) != 7 {
				t.Errorf("context: %v, value %v", ctx.Err(), ctx.Value(key{}))
			}
			got = append(got, e.ID)
			return nil
		}, events.Async(100))
		ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, 7))
		var want []string
		began := time.Now()
		for i := range 100 {
			want = append(want, fmt.Sprint(i))
			if err := events.Publish(ctx, &bus, paid{want[i]}); err != nil {
				t.Fatal(err)
			}
		}
		cancel()
		if time.Since(began) != 0 {
			t.Errorf("publishing took %v", time.Since(began))
		}
		if err := bus.Drain(t.Context()); err != nil || time.Since(began) != 100*time.Second {
			t.Errorf("Drain: %v after %v", err, time.Since(began))
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %q", got)
		}
		if err := bus.Drain(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// A full queue makes the publisher wait, at most until its context ends.
func TestAsyncFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus events.Bus
		var heard atomic.Int64
		events.On(&bus, func(context.Context, paid) error { time.Sleep(time.Minute); heard.Add(1); return nil }, events.Async(2))
		began := time.Now()
		for i := range 4 { // one is with the listener, two wait
			if err := events.Publish(t.Context(), &bus, paid{}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if want := max(0, time.Duration(i-2)*time.Minute); time.Since(began) != want {
				t.Errorf("event %d was taken after %v, want %v", i, time.Since(began), want)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := events.Publish(ctx, &bus, paid{})
		if !errors.Is(err, context.DeadlineExceeded) || err.Error() != "events: the queue of a listener of order.paid is full: context deadline exceeded" {
			t.Errorf("got %v", err)
		}
		if err := bus.Drain(ctx); err != context.DeadlineExceeded {
			t.Errorf("Drain: %v", err)
		}
		if err := bus.Drain(t.Context()); err != nil || heard.Load() != 4 {
			t.Errorf("Drain: %v, %d heard", err, heard.Load())
		}
	})
}

// Errors and panics are published, refuse nothing and stop nothing.
func TestAsyncFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus events.Bus
		var failed []string
		events.On(&bus, func(_ context.Context, e events.Failed) error {
			failed = append(failed, e.Event+": "+e.Err.Error())
			return errors.New("the end")
		}, events.Async(1))
		events.On(&bus, func(_ context.Context, e paid) error {
			switch e.ID {
			case "panic":
				panic("x")
			case "exit":
				runtime.Goexit()
			}
			return errors.New(e.ID)
		}, events.Async(10))
		for _, id := range []string{"a", "panic", "exit", "b"} {
			if err := events.TopicOf[paid](&bus).Refuse(t.Context(), paid{id}); err != nil {
				t.Errorf("refused: %v", err)
			}
		}
		if err := bus.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := []string{"order.paid: a", "order.paid: events: a listener of order.paid panicked: x", "order.paid: b"}
		if !slices.Equal(failed, want) {
			t.Errorf("got %q, want %q", failed, want)
		}
	})
}

func TestAsyncOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus events.Bus
		var heard atomic.Int64
		off := events.On(&bus, func(context.Context, paid) error { heard.Add(1); return nil }, events.Async(1))
		_ = events.Publish(t.Context(), &bus, paid{})
		off()
		_ = events.Publish(t.Context(), &bus, paid{})
		if err := bus.Drain(t.Context()); err != nil || heard.Load() != 1 {
			t.Errorf("%v, heard %d", err, heard.Load())
		}
	})
}

func TestAsyncWithoutQueue(t *testing.T) {
	defer func() {
		if got := recover(); got != "events: Async: the length of the queue is 0; it must be above 0" {
			t.Errorf("got %v", got)
		}
	}()
	events.On(new(events.Bus), func(context.Context, paid) error { return nil }, events.Async(0))
}

func TestDrainNil(t *testing.T) {
	if err := (*events.Bus)(nil).Drain(t.Context()); err != nil {
		t.Error(err)
	}
}
