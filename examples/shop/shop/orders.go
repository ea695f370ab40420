package shop

import (
	"context"
	"slices"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
)

// Orders takes orders and follows them until they are shipped.
type Orders struct{ store *Store }

// RPC says how orders are published. Steps of one order exclude each other,
// and so do orders of one customer.
func (o *Orders) RPC() rpc.Service {
	read := rpc.Hints{ReadOnly: rpc.Yes}
	readers := []string{rpc.DefaultGroup, agents}
	one := rpc.Lock{Name: "order", On: "id", Wait: time.Second}
	stock := []string{"Catalog.search", "Catalog.find"}
	return rpc.Service{
		Methods: []rpc.Method{
			{
				Func: o.Create, Errors: []rpcerrors.Declared{OutOfStock},
				Lock: rpc.Lock{On: "customer", Wait: time.Second}, Timeout: 10 * time.Second,
				Invalidates: stock, Idempotency: rpc.Idempotency{TTL: 24 * time.Hour},
				Examples: ordering(),
			},
			{Func: o.Get, Groups: readers, Hints: read, Examples: sample("shipped", OrderParams{ID: "o000001"})},
			{Func: o.List, Groups: readers, Hints: read, Examples: sample("open", ListParams{States: []OrderState{Open}})},
			{
				Func: o.Pay, Lock: one, Errors: []rpcerrors.Declared{WrongState, WrongAmount},
				Docs:     "https://shop.example/help/paying",
				Examples: sample("two cups", PayParams{ID: "o000002", Amount: euro(1980)}),
			},
			{
				Func: o.Cancel, Lock: one, Errors: []rpcerrors.Declared{WrongState},
				Hints: rpc.Hints{Destructive: rpc.Yes}, Invalidates: stock,
				Examples: sample("tea", OrderParams{ID: "o000101"}),
			},
			{
				Func: o.Ship, Lock: one, Errors: []rpcerrors.Declared{WrongState}, Groups: []string{internal},
				Examples: sample("two cups", ShipParams{ID: "o000002", Tracking: "UA100200301"}),
			},
		},
	}
}

// CreateParams are a new order.
type CreateParams struct {
	// Customer is the key of who orders.
	Customer string `json:"customer" validate:"max=20"`
	// Lines are what is ordered, each product once.
	Lines []LineParams `json:"lines" validate:"min=1,max=50,unique=SKU,dive"`
	// Delivery is where the goods go; without it they are fetched.
	Delivery *Address `json:"delivery,omitzero"`
}

// LineParams are one product of a new order.
type LineParams struct {
	// SKU of the product.
	SKU string `json:"sku" validate:"sku"`
	// Quantity is how many pieces.
	Quantity int `json:"quantity,omitzero" validate:"min=1,max=99" default:"1"`
}

// Create places an order: the goods are taken from stock, all or none.
func (o *Orders) Create(ctx context.Context, p CreateParams) (Order, error) {
	if err := ctx.Err(); err != nil {
		return Order{}, err // who has left does not buy
	}
	return o.store.placeOrder(p)
}

// OrderParams name an order.
type OrderParams struct {
	// ID is the order's key.
	ID string `json:"id" validate:"max=20"`
}

// Get returns one order.
func (o *Orders) Get(p OrderParams) (Order, error) { return o.store.order(p.ID) }

// ListParams say which orders are listed; what is left out does not narrow
// the list.
type ListParams struct {
	// Customer is the key of who ordered.
	Customer string `json:"customer,omitempty" validate:"max=20"`
	// States the orders may be in.
	States []OrderState `json:"states,omitempty" validate:"max=4"`
	// Created is when the orders were placed.
	Created TimeRange `json:"created,omitzero"`
	// Limit is how many orders a page has at most.
	Limit int `json:"limit,omitzero" validate:"min=1,max=100" default:"10"`
	// After is the next of the page before.
	After string `json:"after,omitempty" validate:"max=20"`
}

// List lists orders, the oldest first, page by page.
func (o *Orders) List(p ListParams) Page[Order] {
	all := slices.DeleteFunc(o.store.allOrders(), func(x Order) bool {
		return p.Customer != "" && x.Customer != p.Customer ||
			len(p.States) > 0 && !slices.Contains(p.States, x.State) ||
			!p.Created.holds(x.Created)
	})
	return paged(all, p.After, p.Limit, func(x Order) string { return x.ID })
}

// PayParams are a payment.
type PayParams struct {
	// ID is the order's key.
	ID string `json:"id" validate:"max=20"`
	// Amount is the order's total, in full.
	Amount Money `json:"amount"`
}

// Pay pays an open order in full.
func (o *Orders) Pay(p PayParams) (Order, error) {
	return o.store.changeOrder(p.ID, func(x *Order, now time.Time) error {
		if x.State == Open && p.Amount != x.Total {
			return WrongAmount.New(Due{ID: x.ID, Due: x.Total})
		}
		return x.step(Paid, now, Open)
	})
}

// Cancel cancels an order that was not shipped yet and puts the goods back.
func (o *Orders) Cancel(p OrderParams) (Order, error) { return o.store.cancelOrder(p.ID) }

// ShipParams say what was sent.
type ShipParams struct {
	// ID is the order's key.
	ID string `json:"id" validate:"max=20"`
	// Tracking is the carrier's number.
	Tracking string `json:"tracking" validate:"min=1,max=40"`
}

// Ship notes that a paid order was given to the carrier.
func (o *Orders) Ship(p ShipParams) (Order, error) {
	return o.store.changeOrder(p.ID, func(x *Order, now time.Time) error {
		if err := x.step(Shipped, now, Paid); err != nil {
			return err
		}
		x.Tracking = p.Tracking
		return nil
	})
}
