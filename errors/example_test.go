package errors_test

import (
	"errors"
	"fmt"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

// Left is the data of OutOfStock.
type Left struct {
	SKU  string `json:"sku"`
	Left int    `json:"left"`
}

// OutOfStock is declared once: code, kind, text; Left is its data.
var OutOfStock = rpcerrors.Define[Left](1001, "OutOfStock", "Only {{.Left}} of {{.SKU}} left.")

func buy() error { return OutOfStock.New(Left{SKU: "tea", Left: 2}) }

func ExampleDefine() {
	err := fmt.Errorf("buy: %w", buy())
	fmt.Println(errors.Is(err, OutOfStock))
	if data, ok := OutOfStock.Data(err); ok {
		fmt.Println(data.SKU, data.Left)
	}
	// Output:
	// true
	// tea 2
}

func ExampleKind_Wrap() {
	cause := errors.New("dial tcp 10.0.0.7:5432: connection refused")
	err := rpcerrors.Unavailable.Wrap(cause, "The shop is closed for a moment.")
	fmt.Println(err)                   // what callers see
	fmt.Println(errors.Is(err, cause)) // for the log only
	// Output:
	// The shop is closed for a moment.
	// true
}

func ExampleFrom() {
	fmt.Println(rpcerrors.From(buy()))
	fmt.Println(rpcerrors.From(errors.New("pq: relation does not exist")))
	// Output:
	// Only 2 of tea left.
	// Internal error.
}

func ExampleError_AppendJSON() {
	fmt.Println(string(rpcerrors.From(buy()).AppendJSON(nil)))
	// Output:
	// {"code":1001,"message":"Only 2 of tea left.","data":{"exception":"OutOfStock","details":{"sku":"tea","left":2}}}
}

func ExampleReceived() {
	err := rpcerrors.Received(1001, "Only 2 of tea left.", []byte(`{"exception":"OutOfStock","details":{"sku":"tea","left":2}}`))
	data, _ := OutOfStock.Data(err)
	fmt.Println(errors.Is(err, OutOfStock), data.Left)
	// Output:
	// true 2
}
