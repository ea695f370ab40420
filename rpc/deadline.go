package rpc

import (
	"context"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

// deadline ends the context of a call after the method's timeout, shortened
// by $rpc.timeout. The method must return by itself; the answer is then a
// timeout, whatever it returned. A call without a timeout has no timer.
func deadline(x *Executor, s *Spec, next Handler) Handler {
	if x.caches(s) {
		return limited(0, next) // the method's own is that of the execution
	}
	return limited(s.Declared.Timeout, next)
}

func limited(limit time.Duration, next Handler) Handler {
	return func(ctx context.Context, c *Call) (Response, error) {
		timeout := limit
		if c.control != nil {
			if t := c.control.timeout; t > 0 && (timeout == 0 || t < timeout) {
				timeout = t
			}
		}
		if timeout == 0 {
			return next(ctx, c)
		}
		limited, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		response, err := next(limited, c)
		if limited.Err() == context.DeadlineExceeded && ctx.Err() == nil && (err != nil || c.ran) {
			response.discard()
			return Response{}, rpcerrors.Timeout.Wrap(err, "")
		}
		return response, err
	}
}
