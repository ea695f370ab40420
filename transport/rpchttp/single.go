package rpchttp

import (
	"net/http"
	"strings"

	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// serveSingle answers a request that came alone.
func (s *server) serveSingle(w http.ResponseWriter, r *http.Request, v *guard.Visit, x *exchange, req *jsonrpc.Request) {
	if req.Fault != nil {
		refuse(w, x, req.ID, s.fault(r.Context(), v, req))
		return
	}
	response, failure := s.do(r.Context(), v, req, idempotencyKey(r))
	if response.Replayed() {
		w.Header().Set("Idempotency-Replayed", "true")
	}
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

// idempotencyKey is the key of the header. The draft of the IETF writes it as
// a quoted string, most clients as it is. Members of a batch have keys of
// their own, in $rpc.
func idempotencyKey(r *http.Request) string {
	values := r.Header["Idempotency-Key"]
	if len(values) == 0 {
		return ""
	}
	key := strings.TrimSpace(values[0])
	if n := len(key); n >= 2 && key[0] == '"' && key[n-1] == '"' {
		key = key[1 : n-1]
	}
	return key
}
