package events_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/facet-rpc/facet/events"
)

type paid struct{ ID string }

func (paid) EventName() string { return "order.paid" }

type shipped struct{ ID string }

func (shipped) EventName() string { return "order.shipped" }

// record returns a listener that notes its name and returns err.
func record(seen *[]string, name string, err error) func(context.Context, paid) error {
	return func(context.Context, paid) error {
		*seen = append(*seen, name)
		return err
	}
}

func TestListenersRunInOrder(t *testing.T) { // R-E01
	type reg struct {
		name     string
		priority []events.Option
	}
	p := func(n int) []events.Option { return []events.Option{events.Priority(n)} }
	for _, tc := range []struct {
		rule string
		regs []reg
		want []string
	}{
		{"no listener", nil, nil},
		{"registration order", []reg{{"a", nil}, {"b", nil}, {"c", nil}}, []string{"a", "b", "c"}},
		{"higher first", []reg{{"low", p(1)}, {"high", p(2)}}, []string{"high", "low"}},
		{"equal: registration order", []reg{{"a", p(5)}, {"b", p(5)}, {"c", p(9)}, {"d", p(5)}}, []string{"c", "a", "b", "d"}},
		{"none is 0", []reg{{"neg", p(-1)}, {"none", nil}, {"zero", p(0)}, {"pos", p(1)}}, []string{"pos", "none", "zero", "neg"}},
		{"the last option wins", []reg{{"a", nil}, {"b", []events.Option{events.Priority(-1), events.Priority(1)}}}, []string{"b", "a"}},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			var bus events.Bus
			var seen []string
			for _, r := range tc.regs {
				events.On(&bus, record(&seen, r.name, nil), r.priority...)
			}
			if err := events.Publish(t.Context(), &bus, paid{}); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(seen, tc.want) {
				t.Errorf("got %v, want %v", seen, tc.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	one, two := errors.New("one"), errors.New("two")
	for _, tc := range []struct {
		rule    string
		returns []error
		publish bool // else refuse
		ran     int
		want    []error
	}{
		{"publish: none", []error{nil, nil}, true, 2, nil},
		{"publish: all run, errors joined", []error{one, nil, two, nil}, true, 4, []error{one, two}},
		{"refuse: none", []error{nil, nil}, false, 2, nil},
		{"refuse: the first error stops", []error{nil, one, two}, false, 2, []error{one}},
	} {
		t.Run(tc.rule, func(t *testing.T) { // R-E01
			var bus events.Bus
			var seen []string
			for _, err := range tc.returns {
				events.On(&bus, record(&seen, "", err))
			}
			topic := events.TopicOf[paid](&bus)
			send := topic.Refuse
			if tc.publish {
				send = topic.Publish
			}
			err := send(t.Context(), paid{})
			if len(seen) != tc.ran {
				t.Errorf("%d listeners ran, want %d", len(seen), tc.ran)
			}
			if (err == nil) != (tc.want == nil) {
				t.Fatalf("got %v, want %v", err, tc.want)
			}
			for _, w := range tc.want {
				if !errors.Is(err, w) {
					t.Errorf("%v is not in %v", w, err)
				}
			}
			if !tc.publish && tc.want != nil && err != tc.want[0] {
				t.Errorf("got %#v, want the listener's error as it is", err)
			}
		})
	}
}

func TestAnEndedContextStopsNoListener(t *testing.T) {
	var bus events.Bus
	var got error
	events.On(&bus, func(ctx context.Context, _ paid) error { got = ctx.Err(); return nil })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := events.Publish(ctx, &bus, paid{}); err != nil || got != context.Canceled {
		t.Errorf("err %v, the listener saw %v", err, got)
	}
}

// broken is an event whose name panics on a nil pointer.
type broken struct{ name string }

func (b *broken) EventName() string { return b.name }

func TestPanicIsContained(t *testing.T) {
	var bus events.Bus
	ran := false
	events.On(&bus, func(context.Context, paid) error { panic(io.ErrUnexpectedEOF) })
	events.On(&bus, func(context.Context, paid) error { ran = true; return nil })
	topic := events.TopicOf[paid](&bus)

	err := topic.Publish(t.Context(), paid{})
	var p *events.PanicError
	if !errors.As(err, &p) || !errors.Is(err, io.ErrUnexpectedEOF) || !ran {
		t.Fatalf("err %v, other listener ran: %v", err, ran)
	}
	if p.Event != "order.paid" || p.Value != io.ErrUnexpectedEOF || !strings.Contains(string(p.Stack), "TestPanicIsContained") {
		t.Errorf("got %q, %v, stack:\n%s", p.Event, p.Value, p.Stack)
	}
	if want := "events: a listener of order.paid panicked: unexpected EOF"; p.Error() != want {
		t.Errorf("got %q, want %q", p.Error(), want)
	}
	ran = false
	if err := topic.Refuse(t.Context(), paid{}); !errors.As(err, &p) || ran {
		t.Errorf("Refuse: err %v, the next listener ran: %v", err, ran)
	}

	events.On(&bus, func(context.Context, *broken) error { panic("text") })
	err = events.Publish[*broken](t.Context(), &bus, nil)
	if !errors.As(err, &p) || p.Event != "*events_test.broken" || p.Unwrap() != nil {
		t.Errorf("got %v", err)
	}
}

func TestOff(t *testing.T) {
	var bus events.Bus
	topic := events.TopicOf[paid](&bus)
	var seen []string
	offA := events.On(&bus, record(&seen, "a", nil))
	offB := events.On(&bus, record(&seen, "b", nil))
	offA()
	offA() // twice: must not take another's place
	_ = topic.Publish(t.Context(), paid{})
	if !slices.Equal(seen, []string{"b"}) || !topic.Active() {
		t.Errorf("got %v, active %v", seen, topic.Active())
	}
	offB()
	offB()
	if topic.Active() {
		t.Error("active without a listener")
	}
}

func TestOffInsideAListener(t *testing.T) {
	var bus events.Bus
	var seen []string
	var off func()
	off = events.On(&bus, func(context.Context, paid) error {
		off()
		events.On(&bus, record(&seen, "late", nil))
		seen = append(seen, "once")
		return nil
	}, events.Priority(1))
	events.On(&bus, record(&seen, "b", nil))
	_ = events.Publish(t.Context(), &bus, paid{})
	_ = events.Publish(t.Context(), &bus, paid{})
	if want := []string{"once", "b", "b", "late"}; !slices.Equal(seen, want) {
		t.Errorf("got %v, want %v", seen, want)
	}
}

func TestTypesAreSeparate(t *testing.T) {
	var bus events.Bus
	events.On(&bus, func(context.Context, shipped) error { return errors.New("shipped") })
	if err := events.Publish(t.Context(), &bus, paid{}); err != nil {
		t.Errorf("a listener of another event ran: %v", err)
	}
	if err := events.Publish(t.Context(), &bus, &shipped{}); err != nil {
		t.Errorf("*shipped is not shipped: %v", err)
	}
	if first, again := events.TopicOf[shipped](&bus), events.TopicOf[shipped](&bus); first != again {
		t.Error("two topics of one event")
	}
}

func TestNil(t *testing.T) {
	topic := events.TopicOf[paid](nil)
	if topic.Active() || topic.Publish(t.Context(), paid{}) != nil || topic.Refuse(t.Context(), paid{}) != nil {
		t.Error("the topic of a nil bus does something")
	}
	if err := events.Publish(t.Context(), nil, paid{}); err != nil {
		t.Error(err)
	}
	for name, register := range map[string]func(){
		"bus":      func() { events.On(nil, func(context.Context, paid) error { return nil }) },
		"listener": func() { events.On[paid](new(events.Bus), nil) },
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.HasPrefix(text, "events: On: the "+name) {
					t.Errorf("nil %s: got %q", name, text)
				}
			}()
			register()
		}()
	}
}

func TestConcurrent(t *testing.T) {
	var bus events.Bus
	var calls atomic.Int64
	events.On(&bus, func(context.Context, paid) error { calls.Add(1); return nil })
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				off := events.On(&bus, func(context.Context, paid) error { return nil }, events.Priority(1))
				_ = events.Publish(t.Context(), &bus, paid{})
				off()
			}
		})
	}
	wg.Wait()
	if n := calls.Load(); n != 8*200 {
		t.Errorf("the lasting listener ran %d times, want %d", n, 8*200)
	}
}

func TestNoListenerNoAllocation(t *testing.T) {
	var bus events.Bus
	events.On(&bus, func(context.Context, shipped) error { return nil })
	topic, ctx := events.TopicOf[paid](&bus), t.Context()
	if n := testing.AllocsPerRun(100, func() { _ = topic.Publish(ctx, paid{ID: "7"}) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
