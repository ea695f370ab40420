// Package errors is what a caller of a method may see: an [Error] with a
// code, a stable kind, a text and, where declared, typed data.
//
// An application declares its errors once with [Define] and returns them like
// any other error:
//
//	var OutOfStock = rpcerrors.Define[Left](1001, "OutOfStock", "Only {{.Left}} of {{.SKU}} left.")
//
//	return nil, OutOfStock.New(Left{SKU: "tea", Left: 2})
//
// [errors.Is] and [errors.As] of the standard library work on them, on the
// server and on what the Go client returns. Errors that need no declaration
// use a ready kind: [NotFound], [Runtime], [Logic] or [Custom].
//
// Any other error a method returns is internal: callers get code -32603 and
// one generic message, the cause goes to the log only.
//
// Import it as rpcerrors.
package errors
