package guard

import (
	"context"
	"net/http"
	"sync"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
)

// Visit is one admitted request.
type Visit struct {
	// Caller is who asks; never nil.
	Caller *rpc.Caller
	// Language is the effective language of the request.
	Language string

	door   *Door
	header http.Header
	body   []byte
}

// Call prepares a call by this visitor; the edge sets what it knows besides.
func (v *Visit) Call(method string, params []byte) *rpc.Call {
	return &rpc.Call{
		Endpoint: v.door.endpoint, Method: method, Params: params,
		Caller: v.Caller, Language: v.Language, Door: v.door.name, Header: v.header,
	}
}

// Do runs a call prepared with [Visit.Call].
func (v *Visit) Do(ctx context.Context, c *rpc.Call) (rpc.Response, *rpcerrors.Error) {
	return v.door.exec.Do(ctx, c)
}

// Fail makes an error public that the edge found in a request before there
// was a call to run: it is logged and published like the error of any call.
// c, made with [Visit.Call], names what is known of the call.
func (v *Visit) Fail(ctx context.Context, c *rpc.Call, err error) *rpcerrors.Error {
	return v.door.exec.Fail(ctx, c, err)
}

// Translate is e in the language of the visit, for an error that goes to the
// caller by another way than [Visit.Fail] or [Visit.Do].
func (v *Visit) Translate(e *rpcerrors.Error) *rpcerrors.Error {
	return v.door.translate(v.Language, e)
}

// visits are reused together with their body buffers.
type visits struct{ pool sync.Pool }

func (p *visits) take(d *Door, caller *rpc.Caller, language string, header http.Header) *Visit {
	v, _ := p.pool.Get().(*Visit)
	if v == nil {
		v = new(Visit)
	}
	v.door, v.Caller, v.Language, v.header = d, caller, language, header
	return v
}

// free is not called after a panic: whoever panicked may still hold the Visit.
func (p *visits) free(v *Visit) {
	if cap(v.body) > keptBody {
		v.body = nil
	}
	v.door, v.Caller, v.header = nil, nil, nil
	p.pool.Put(v)
}
