//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// answer is what a call came to.
type answer struct {
	Result jsontext.Value `json:"result"`
	Error  struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	replayed bool
}

// errAgain means that the call may be sent again: its node has died, or a
// backend was down.
var errAgain = errors.New("no answer")

// caller sends calls over HTTP, a connection each when a node has died.
type caller struct{ http *http.Client }

// call sends one call to the program at url; key is its idempotency key.
func (c *caller) call(ctx context.Context, url, method, params, key string) (answer, error) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/rpc", strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return answer{}, fmt.Errorf("%w: %w", errAgain, err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		return answer{}, fmt.Errorf("%w: status %d: %w", errAgain, res.StatusCode, err)
	}
	var a answer
	if err := json.Unmarshal(text, &a); err != nil {
		return answer{}, fmt.Errorf("%s answered %s: %w", method, text, err)
	}
	a.replayed = res.Header.Get("Idempotency-Replayed") == "true"
	if a.Error.Code == codeUnavailable {
		return a, fmt.Errorf("%w: %s", errAgain, a.Error.Message)
	}
	return a, nil
}

// The codes that are part of the proof.
const (
	codeLocked      = -32400
	codeUnavailable = -32503
)
