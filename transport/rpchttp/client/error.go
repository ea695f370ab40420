package client

import (
	stderrors "errors"
	"fmt"
	"net/http"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

// StatusError says that a server, or something on the way to it, answered
// with what is no JSON-RPC answer.
type StatusError struct {
	Status int    // the HTTP status
	Body   string // the first 512 bytes
}

const shownBody = 512

func newStatusError(status int, body []byte) *StatusError {
	return &StatusError{Status: status, Body: string(body[:min(len(body), shownBody)])}
}

// Error tells the status and how the body begins.
func (e *StatusError) Error() string {
	return fmt.Sprintf("HTTP status %d %s, and the body is no JSON-RPC answer to the request: %.80q",
		e.Status, http.StatusText(e.Status), e.Body)
}

// wrap says which method failed, unless the server says what is wrong.
func wrap(method string, err error) error {
	if err == nil {
		return nil
	}
	if e := (*rpcerrors.Error)(nil); stderrors.As(err, &e) {
		return e
	}
	return fmt.Errorf("rpc: %s: %w", method, err)
}
