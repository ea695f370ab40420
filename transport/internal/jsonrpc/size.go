package jsonrpc

import (
	"fmt"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

// ResponseTooLarge is the error (-32603) of a call that ran, but whose answer is larger than what
// one call or one HTTP request may answer.
var ResponseTooLarge = rpcerrors.Protocol(rpcerrors.CodeInternal, "ResponseTooLarge", "The answer is too large.")

// Sizes bound answers, in bytes.
type Sizes struct {
	// Response bounds what one HTTP request is answered, Result what one call is.
	Response, Result int64
}

// DefaultResponse is Sizes.Response where an edge does not say.
const DefaultResponse = 32 << 20

// OrDefaults fills in what is 0: Response with [DefaultResponse], Result with half of Response,
// which it never exceeds.
func (s Sizes) OrDefaults() Sizes {
	if s.Response == 0 {
		s.Response = DefaultResponse
	}
	if s.Result == 0 {
		s.Result = s.Response / 2
	}
	s.Result = min(s.Result, s.Response)
	return s
}

// ResultTooLarge is the answer to a call that answers more than s.Result.
func (s Sizes) ResultTooLarge() *rpcerrors.Error {
	return ResponseTooLarge.New(fmt.Sprintf(
		"The call ran, but its answer is larger than %d bytes. Ask for less.", s.Result))
}

// ResponseTooLarge is the answer to a member of a batch that does not fit into s.Response.
func (s Sizes) ResponseTooLarge() *rpcerrors.Error {
	return ResponseTooLarge.New(fmt.Sprintf(
		"The call ran, but the answers of its batch are larger than %d bytes together. Ask for less, or call it alone.", s.Response))
}
