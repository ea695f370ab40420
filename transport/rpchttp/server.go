package rpchttp

import (
	"context"
	"net/http"
	"sync"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// server serves one endpoint.
type server struct {
	endpoint *rpc.Endpoint
	builtins map[string]*rpc.Spec
	limits   jsonrpc.Limits
	parallel int
	sizes    jsonrpc.Sizes
	// references are understood in batches
	references bool

	exchanges sync.Pool
}

// exchange is what answering one HTTP request needs, kept for the next one.
type exchange struct {
	requests []jsonrpc.Request
	out      []byte
	batch    batch
}

// serve answers one admitted HTTP request.
func (s *server) serve(w http.ResponseWriter, r *http.Request, v *guard.Visit) {
	body, ok := v.Body(w, r)
	if !ok {
		return
	}
	x := s.take()
	requests, isBatch, err := jsonrpc.Parse(body, s.limits, x.requests)
	switch {
	case err != nil:
		refuse(w, x, nil, v.Fail(r.Context(), v.Call("", nil), err))
	case isBatch && !v.Charge(w, r, len(requests)-1): // 429 is written
	case isBatch:
		s.serveBatch(w, r, v, x, requests)
	default:
		s.serveSingle(w, r, v, x, &requests[0])
	}
	s.free(x, requests)
}

// fault reports a request that is invalid.
func (s *server) fault(ctx context.Context, v *guard.Visit, req *jsonrpc.Request) *rpcerrors.Error {
	return v.Fail(ctx, v.Call(s.endpoint.Intern(req.Method), nil), req.Fault)
}

// do runs one valid request.
func (s *server) do(ctx context.Context, v *guard.Visit, req *jsonrpc.Request, idempotencyKey string) (rpc.Response, *rpcerrors.Error) {
	c := v.Call(s.endpoint.Intern(req.Method), req.Params)
	c.Control = true
	c.ID = req.ID
	c.IdempotencyKey = idempotencyKey
	c.Builtin = s.builtins[string(req.Method)]
	return v.Do(ctx, c)
}

func (s *server) take() *exchange {
	if x, ok := s.exchanges.Get().(*exchange); ok {
		return x
	}
	return new(exchange)
}

// keptRequests and keptBuffer bound what one exchange keeps for the next.
const (
	keptRequests = 128
	keptBuffer   = 128 << 10
)

// free keeps x. It is not called after a panic: who panicked may still hold
// parts of it.
func (s *server) free(x *exchange, requests []jsonrpc.Request) {
	clear(requests) // they point into the body
	if cap(requests) > cap(x.requests) && cap(requests) <= keptRequests {
		x.requests = requests[:0]
	}
	if cap(x.out) > keptBuffer {
		x.out = nil
	}
	s.exchanges.Put(x)
}
