//go:build unix

package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/go-json-experiment/json"
)

// TestForward: what was chosen is on the broker once, in order, and nothing
// else is.
func TestForward(t *testing.T) { // R-E01, R-E02
	redis := rpctest.Redis(t)
	publisher, subscriber, err := open(t.Context(), redis.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer publisher.Close()
	defer subscriber.Close()
	bus := new(events.Bus)
	forwardAll(bus, publisher)
	orders, failures := subscribe(t, subscriber, "orders.created"), subscribe(t, subscriber, "calls.failed")

	srv := rpctest.Start(t, shop.App(), rpc.Options{Events: bus}, shop.Services(shop.NewStore(nil))...)
	place := func(quantity int) (shop.Order, error) {
		return rpctest.Call[shop.Order](srv, "Orders.create", map[string]any{
			"customer": "c000001", "lines": []any{map[string]any{"sku": "TEA-05", "quantity": quantity}},
		})
	}
	var made []shop.Order
	for range 2 { // there are two
		order, err := place(1)
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, order)
	}
	if _, err := place(1); !errors.Is(err, shop.OutOfStock) {
		t.Errorf("the third order: %v, want OutOfStock", err)
	}
	if _, err := rpctest.Call[shop.Order](srv, "Orders.get", []any{made[0].ID}); err != nil {
		t.Error(err)
	}
	if _, err := rpctest.Call[any](srv, "Orders.nothing", nil); !errors.Is(err, rpcerrors.MethodNotFound) {
		t.Errorf("a method that is not there: %v", err)
	}
	srv.Drain() // as server.Run does at the end

	for _, want := range made {
		m := receive(t, orders)
		var got shop.Order
		if err := json.Unmarshal(m.Payload, &got); err != nil || got.ID != want.ID || m.Metadata.Get("event") != "rpc.post_response" {
			t.Errorf("got %s with %v, %v; want the order %s", m.Payload, m.Metadata, err, want.ID)
		}
		m.Ack()
	}
	if m := receive(t, failures); string(m.Payload) != `{"method":"Orders.create","kind":"OutOfStock"}` {
		t.Errorf("got %s", m.Payload)
	} else {
		m.Ack()
	}
	for _, c := range []<-chan *message.Message{orders, failures} {
		select {
		case m := <-c:
			t.Errorf("nobody chose %s", m.Payload)
		default:
		}
	}
}

// TestBrokerDown: calls go on without the broker.
func TestBrokerDown(t *testing.T) {
	redis := rpctest.Redis(t)
	publisher, subscriber, err := open(t.Context(), redis.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer publisher.Close()
	defer subscriber.Close()
	bus := new(events.Bus)
	forwardAll(bus, publisher)
	lost := make(chan events.Failed, 1)
	events.On(bus, func(_ context.Context, e events.Failed) error {
		lost <- e
		return nil
	})
	srv := rpctest.Start(t, shop.App(), rpc.Options{Events: bus}, shop.Services(shop.NewStore(nil))...)
	redis.Kill()
	began := time.Now()
	_, err = rpctest.Call[shop.Order](srv, "Orders.create", map[string]any{
		"customer": "c000001", "lines": []any{map[string]any{"sku": "TEA-01", "quantity": 1}},
	})
	if took := time.Since(began); err != nil || took > 2*time.Second {
		t.Errorf("the order: %v after %v", err, took)
	}
	srv.Drain()
	if e := <-lost; e.Event != "rpc.post_response" || e.Err == nil {
		t.Errorf("got %+v", e)
	}
}

// TestNoBroker: what is wrong is said at the start.
func TestNoBroker(t *testing.T) {
	for url, want := range map[string]string{
		"redis://127.0.0.1:1": "no Redis at 127.0.0.1:1",
		"nonsense":            "-redis is no URL",
	} {
		if err := run(t.Context(), "127.0.0.1:0", url); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("-redis %s: %v; want %s", url, err, want)
		}
	}
}

func subscribe(t *testing.T, s message.Subscriber, topic string) <-chan *message.Message {
	t.Helper()
	messages, err := s.Subscribe(t.Context(), topic)
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

func receive(t *testing.T, messages <-chan *message.Message) *message.Message {
	t.Helper()
	select {
	case m := <-messages:
		return m
	case <-time.After(10 * time.Second):
		t.Fatal("no message")
		return nil
	}
}
