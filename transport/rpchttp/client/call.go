package client

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// singleID is the id of a call that travels alone: the HTTP exchange already
// connects it with its answer.
const singleID = 1

// Call calls a method and decodes its result into R. params is a struct or a
// map for parameters by name, a slice for parameters by position, or nil for
// none. Use struct{} for R if the result does not matter, jsontext.Value for
// its JSON.
//
// The call ends with ctx; the server then cancels the method.
func Call[R any](ctx context.Context, c *Client, method string, params any) (R, error) {
	var result R
	raw, err := c.call(ctx, method, params)
	if err == nil {
		err = c.result(raw, &result)
	}
	if err != nil {
		var none R
		return none, wrap(method, err)
	}
	return result, nil
}

// Notify calls a method whose answer nobody wants. The server runs it before
// it confirms, but does not say whether it succeeded: the error is about
// delivery only.
func (c *Client) Notify(ctx context.Context, method string, params any) error {
	raw, err := c.params(params)
	if err != nil {
		return wrap(method, err)
	}
	status, body, err := c.post(ctx, appendRequest(nil, 0, method, raw))
	if err == nil && status != http.StatusNoContent && len(body) > 0 {
		_, err = single(status, body)
	} else if err == nil && status/100 != 2 {
		err = newStatusError(status, body)
	}
	return wrap(method, err)
}

func (c *Client) call(ctx context.Context, method string, params any) (jsontext.Value, error) {
	raw, err := c.params(params)
	if err != nil {
		return nil, err
	}
	status, body, err := c.post(ctx, appendRequest(nil, singleID, method, raw))
	if err != nil {
		return nil, err
	}
	a, err := single(status, body)
	if err != nil {
		return nil, err
	}
	if id, ok := a.id(); !ok || id != singleID {
		return nil, fmt.Errorf("the answer is for the id %s, not %d: %w", a.ID, singleID, newStatusError(status, body))
	}
	return a.Result, nil
}

// result decodes the result of a method.
func (c *Client) result(raw jsontext.Value, into any) error {
	if _, ok := into.(*struct{}); ok {
		return nil
	}
	if err := json.Unmarshal(raw, into, c.decode); err != nil {
		return fmt.Errorf("result: %w", err)
	}
	return nil
}

// appendRequest appends a request object; id 0 makes it a notification.
func appendRequest(dst []byte, id int, method string, params []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0"`...)
	if id != 0 {
		dst = append(dst, `,"id":`...)
		dst = strconv.AppendInt(dst, int64(id), 10)
	}
	dst = append(dst, `,"method":`...)
	dst, _ = jsontext.AppendQuote(dst, method) // what is no UTF-8 becomes U+FFFD, which no method has
	if params != nil {
		dst = append(dst, `,"params":`...)
		dst = append(dst, params...)
	}
	return append(dst, '}')
}
