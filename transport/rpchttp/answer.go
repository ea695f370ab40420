package rpchttp

import (
	"net/http"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// largeResult is the size in bytes from which a result is written from where
// it lies and not copied.
const largeResult = 64 << 10

// appendAnswer appends the answer to one valid request, the same alone and in
// a batch. If large is not nil it is the result, and its place is before the
// last byte; see split.
func (s *server) appendAnswer(v *guard.Visit, dst, id []byte, response *rpc.Response, failure *rpcerrors.Error) (out, large []byte) {
	if failure != nil {
		out = jsonrpc.AppendError(dst, id, failure)
		if int64(len(out)-len(dst)) > s.sizes.Result {
			return jsonrpc.AppendError(dst, id, v.Translate(s.sizes.ResultTooLarge())), nil
		}
		return out, nil
	}
	result := response.Bytes()
	switch n := int64(len(result)); {
	case n > s.sizes.Result:
		return jsonrpc.AppendError(dst, id, fail(response, s.sizes.ResultTooLarge())), nil
	case n > largeResult:
		return jsonrpc.AppendResult(dst, id, result[:0]), result
	}
	return jsonrpc.AppendResult(dst, id, result), nil
}

// split parts an answer where its large result belongs.
func split(answer []byte) (head, tail []byte) {
	last := len(answer) - 1
	return answer[:last], answer[last:]
}

// fail lets go of a result that is too large to be sent, at once and not
// after the answer, so that a batch does not pile them up. The call has failed.
func fail(response *rpc.Response, tooLarge *rpcerrors.Error) *rpcerrors.Error {
	failure := response.Fail(tooLarge)
	*response = rpc.Response{}
	return failure
}

// refuse answers with one error for the body as a whole.
func refuse(w http.ResponseWriter, x *exchange, id []byte, failure *rpcerrors.Error) {
	x.out = jsonrpc.AppendError(x.out[:0], id, failure)
	guard.Answer(w, http.StatusBadRequest, x.out)
}

// noContent confirms notifications.
func noContent(w http.ResponseWriter) {
	w.WriteHeader(http.StatusNoContent)
	if f, ok := w.(http.Flusher); ok {
		f.Flush() // the listeners of rpc.post_response come after it
	}
}

// send writes an answer; awaited: it is on the wire when send returns, before
// rpc.post_response is told.
func send(w http.ResponseWriter, awaited bool, parts ...[]byte) {
	if awaited {
		guard.AnswerNow(w, http.StatusOK, parts...)
		return
	}
	guard.Answer(w, http.StatusOK, parts...)
}
