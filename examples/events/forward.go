package main

import (
	"context"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/rpc"
	"github.com/go-json-experiment/json"
)

// waiting is how many events of a kind may wait for the broker; then calls wait.
const waiting = 1000

// forward sends the events E that choose picks to a topic of the broker, as
// JSON, after the call and in order.
func forward[E events.Event](bus *events.Bus, broker message.Publisher, topic string, choose func(E) (body any, ok bool)) {
	events.On(bus, func(ctx context.Context, e E) error {
		body, ok := choose(e)
		if !ok {
			return nil
		}
		text, err := json.Marshal(body, json.Deterministic(true))
		if err != nil {
			return err
		}
		m := message.NewMessage(watermill.NewUUID(), text)
		m.Metadata.Set("event", e.EventName())
		m.SetContext(ctx)
		return broker.Publish(topic, m)
	}, events.Async(waiting))
}

// Failure is what others may know of a call that failed.
type Failure struct {
	Method string `json:"method"`
	Kind   string `json:"kind"`
}

// forwardAll chooses what others may hear: orders that were made, and calls of
// methods that failed.
func forwardAll(bus *events.Bus, broker message.Publisher) {
	forward(bus, broker, "orders.created", func(e rpc.PostResponse) (any, bool) {
		order, ok := e.Result.(shop.Order)
		return order, ok && e.Call.Method == "Orders.create"
	})
	forward(bus, broker, "calls.failed", func(e rpc.Failed) (any, bool) {
		return Failure{e.Call.Method, e.Error.Kind()}, e.Error.Code() != rpcerrors.CodeMethodNotFound
	})
}
