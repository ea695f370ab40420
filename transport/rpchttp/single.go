package rpchttp

import (
	"net/http"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// serveSingle answers a request that came alone.
func (s *server) serveSingle(w http.ResponseWriter, r *http.Request, v *guard.Visit, x *exchange, req *jsonrpc.Request) {
	if req.Fault != nil {
		refuse(w, x, req.ID, s.fault(r.Context(), v, req))
		return
	}
	key, problem := idempotencyKey(r)
	if problem != "" {
		refuse(w, x, req.ID, v.Fail(r.Context(), v.Call(s.endpoint.Intern(req.Method), nil), rpcerrors.InvalidRequest.New(problem)))
		return
	}
	response, failure := s.do(r.Context(), v, req, key)
	if response.Replayed() {
		w.Header().Set("Idempotency-Replayed", "true")
	}
	if req.Notification() {
		noContent(w)
		response.Sent()
		return
	}
	out, large := s.appendAnswer(v, x.out[:0], req.ID, &response, failure)
	x.out = out
	head, tail := out, out[:0]
	if large != nil {
		head, tail = split(out)
	}
	send(w, response.Awaited(), head, large, tail)
	response.Sent()
}

// idempotencyKey is the key of the header. The draft of the IETF writes it as
// a quoted string, most clients as it is. problem says why it is none: a
// client that sends one believes that the call is safe to repeat.
func idempotencyKey(r *http.Request) (key, problem string) {
	values := r.Header["Idempotency-Key"]
	if len(values) == 0 {
		return "", ""
	}
	if len(values) > 1 {
		return "", "The header Idempotency-Key is given more than once."
	}
	key = strings.TrimSpace(values[0])
	if n := len(key); n >= 2 && key[0] == '"' && key[n-1] == '"' {
		key = key[1 : n-1]
	}
	if key == "" {
		return "", "The header Idempotency-Key is empty."
	}
	return key, ""
}
