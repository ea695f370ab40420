package events_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/facet-rpc/facet/events"
)

// OrderPaid is published when an order has been paid.
type OrderPaid struct{ ID string }

func (OrderPaid) EventName() string { return "order.paid" }

func Example() {
	bus := new(events.Bus)
	off := events.On(bus, func(_ context.Context, e OrderPaid) error {
		fmt.Println("send a receipt for", e.ID)
		return nil
	})

	ctx := context.Background()
	fmt.Println(events.Publish(ctx, bus, OrderPaid{ID: "7"}))
	off()
	fmt.Println(events.Publish(ctx, bus, OrderPaid{ID: "8"}))
	// Output:
	// send a receipt for 7
	// <nil>
	// <nil>
}

func ExamplePriority() {
	bus := new(events.Bus)
	say := func(text string) func(context.Context, OrderPaid) error {
		return func(context.Context, OrderPaid) error { fmt.Println(text); return nil }
	}
	events.On(bus, say("normal"))
	events.On(bus, say("last"), events.Priority(-10))
	events.On(bus, say("first"), events.Priority(10))
	events.On(bus, say("normal, registered later"))

	_ = events.Publish(context.Background(), bus, OrderPaid{})
	// Output:
	// first
	// normal
	// normal, registered later
	// last
}

func ExampleTopic_Refuse() {
	bus := new(events.Bus)
	events.On(bus, func(context.Context, OrderPaid) error { return errors.New("not today") })
	events.On(bus, func(context.Context, OrderPaid) error { fmt.Println("never reached"); return nil })

	paid := events.TopicOf[OrderPaid](bus) // once
	if paid.Active() {
		fmt.Println(paid.Refuse(context.Background(), OrderPaid{ID: "7"}))
	}
	// Output: not today
}

func ExampleAsync() {
	bus := new(events.Bus)
	events.On(bus, func(_ context.Context, e OrderPaid) error {
		fmt.Println("mail a receipt for", e.ID) // takes a second, and nobody waits
		return nil
	}, events.Async(100))

	ctx := context.Background()
	_ = events.Publish(ctx, bus, OrderPaid{ID: "7"})
	_ = events.Publish(ctx, bus, OrderPaid{ID: "8"})
	fmt.Println(bus.Drain(ctx)) // Executor.Shutdown does that
	// Unordered output:
	// mail a receipt for 7
	// mail a receipt for 8
	// <nil>
}
