package rpchttp

import (
	"fmt"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

// ResponseTooLarge is the error (-32603) of a call that ran, but whose answer
// is larger than [Edge].MaxResult, or does not fit into [Edge].MaxResponse
// with the answers of its batch.
var ResponseTooLarge = rpcerrors.Protocol(rpcerrors.CodeInternal, "ResponseTooLarge", "The answer is too large.")

func (s *server) resultTooLarge() *rpcerrors.Error {
	return ResponseTooLarge.New(fmt.Sprintf(
		"The call ran, but its answer is larger than %d bytes. Ask for less.", s.maxResult))
}

func (s *server) responseTooLarge() *rpcerrors.Error {
	return ResponseTooLarge.New(fmt.Sprintf(
		"The call ran, but the answers of its batch are larger than %d bytes together. Ask for less, or call it alone.", s.maxResponse))
}
