package rpc_test

// State is where an order is.
type State string

// The states of an order.
const (
	Open State = "open" // it can still be changed
	Paid State = "paid" // it will be shipped
)
