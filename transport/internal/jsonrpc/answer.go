package jsonrpc

import rpcerrors "github.com/facet-rpc/facet/errors"

const (
	opening      = `{"jsonrpc":"2.0"`
	idMember     = `,"id":`
	resultMember = `,"result":`
	errorMember  = `,"error":`
)

// AppendResult appends the answer to a request that succeeded (section 5): jsonrpc, id, result.
// id is the request's raw id, nil is written as null. result is the JSON of the result; nil, the
// result of a method without one, is written as null, because the member must be there.
func AppendResult(dst, id, result []byte) []byte {
	dst = appendID(dst, id)
	dst = append(dst, resultMember...)
	if result == nil {
		dst = append(dst, "null"...)
	} else {
		dst = append(dst, result...)
	}
	return append(dst, '}')
}

// AppendError appends the answer to a request that failed (section 5.1): jsonrpc, id, error.
// A nil id is written as null: the request's id was null or could not be read.
func AppendError(dst, id []byte, e *rpcerrors.Error) []byte {
	dst = appendID(dst, id)
	dst = append(dst, errorMember...)
	return append(e.AppendJSON(dst), '}')
}

// AppendErrorNoID is AppendError without the member id, which MCP leaves out where JSON-RPC
// writes null.
func AppendErrorNoID(dst []byte, e *rpcerrors.Error) []byte {
	dst = append(dst, opening...)
	dst = append(dst, errorMember...)
	return append(e.AppendJSON(dst), '}')
}

// appendID begins an answer.
func appendID(dst, id []byte) []byte {
	dst = append(dst, opening+idMember...)
	if id == nil {
		return append(dst, "null"...)
	}
	return append(dst, id...)
}
