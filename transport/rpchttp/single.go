package rpchttp

import (
	"net/http"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// serveSingle answers a request that came alone.
func (s *server) serveSingle(w http.ResponseWriter, r *http.Request, v *guard.Visit, x *exchange, req *jsonrpc.Request) {
	if req.Fault != nil {
		refuse(w, x, req.ID, rpcerrors.From(req.Fault))
		return
	}
	response, failure := s.do(r.Context(), v, req)
	if req.Notification() {
		noContent(w)
		response.Sent()
		return
	}
	out, large := s.appendAnswer(x.out[:0], req.ID, &response, failure)
	x.out = out
	if large == nil {
		guard.Answer(w, http.StatusOK, out)
	} else {
		head, tail := split(out)
		guard.Answer(w, http.StatusOK, head, large, tail)
	}
	flush(w)
	response.Sent()
}
