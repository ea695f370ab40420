package shop

import rpcerrors "github.com/facet-rpc/facet/errors"

// OutOfStock refuses an order for more than there is.
var OutOfStock = rpcerrors.Define[Shortage](1001, "OutOfStock", "Only {{.Left}} of {{.SKU}} left.")

// Shortage is the data of OutOfStock.
type Shortage struct {
	// SKU of the product that is short.
	SKU string `json:"sku"`
	// Left is how many pieces can still be ordered.
	Left int `json:"left"`
}

// WrongState refuses a step that the order's state does not allow.
var WrongState = rpcerrors.Define[Standing](1002, "WrongState", "Order {{.ID}} is {{.State}}.")

// Standing is the data of WrongState.
type Standing struct {
	// ID of the order.
	ID string `json:"id"`
	// State the order is in.
	State OrderState `json:"state"`
}

// WrongAmount refuses a payment of another amount than is due.
var WrongAmount = rpcerrors.Define[Due](1003, "WrongAmount", "Order {{.ID}} costs {{.Due}}.")

// Due is the data of WrongAmount.
type Due struct {
	// ID of the order.
	ID string `json:"id"`
	// Due is what is to be paid.
	Due Money `json:"due"`
}

// EmailTaken refuses a second customer with the same email address.
var EmailTaken = rpcerrors.Define[struct{}](1004, "EmailTaken", "A customer with this email address is already registered.")
