package shop

import "time"

// Order is what a customer bought.
type Order struct {
	// ID is the order's key.
	ID string `json:"id"`
	// Customer is the key of who ordered.
	Customer string `json:"customer"`
	// Lines are the products ordered.
	Lines []Line `json:"lines"`
	// Total is what the customer pays.
	Total Money `json:"total"`
	// State is how far the order has come.
	State OrderState `json:"state"`
	// Delivery is where the goods go; without it they are fetched.
	Delivery *Address `json:"delivery,omitzero"`
	// Created is when the order was placed.
	Created time.Time `json:"created"`
	// Changed is when its state changed last.
	Changed time.Time `json:"changed"`
	// Tracking is the carrier's number, once the order is shipped.
	Tracking string `json:"tracking,omitempty"`
}

// Line is one product of an order.
type Line struct {
	// SKU of the product.
	SKU string `json:"sku"`
	// Name of the product when it was ordered.
	Name string `json:"name"`
	// Quantity is how many pieces.
	Quantity int `json:"quantity"`
	// Price of one piece when it was ordered.
	Price Money `json:"price"`
	// Total of the line.
	Total Money `json:"total"`
}

// Address is where goods are sent.
type Address struct {
	// Street and house number.
	Street string `json:"street" validate:"min=1,max=200"`
	// City with its postal code.
	City string `json:"city" validate:"min=1,max=100"`
	// Country is a code of ISO 3166, such as UA.
	Country string `json:"country" validate:"len=2,uppercase"`
}

// OrderState is how far an order has come.
type OrderState string

const (
	Open      OrderState = "open"      // Ordered, not paid
	Paid      OrderState = "paid"      // Paid, not sent yet
	Shipped   OrderState = "shipped"   // On its way
	Cancelled OrderState = "cancelled" // Cancelled; the goods are back in stock
)

// step moves the order to a state, if it is in one of the states from.
func (o *Order) step(to OrderState, at time.Time, from ...OrderState) error {
	for _, s := range from {
		if o.State == s {
			o.State, o.Changed = to, at
			return nil
		}
	}
	return WrongState.New(Standing{ID: o.ID, State: o.State})
}
