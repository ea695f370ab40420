package peer

import (
	"context"
	"net/http"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/handler"
	"github.com/creachadair/jrpc2/jhttp"
	"github.com/facet-rpc/facet/benchmarks/work"
)

func jrpc2Server() Server {
	return Server{
		Name: "jrpc2",
		RPC:  &RPC{Path: "/rpc", Batch: true},
		New: func(size Size) (http.Handler, error) {
			var shop work.Shop
			rules := work.NewRules()
			methods := handler.Map{}
			for _, name := range size.services() {
				methods[name+".echo"] = handler.New(shop.Echo)
				methods[name+".add"] = handler.New(shop.Add)
				methods[name+".search"] = handler.New(ruled(rules, shop.Search))
				methods[name+".order"] = handler.New(ruled(rules, shop.Order))
			}
			return route("/rpc", jhttp.NewBridge(methods, nil)), nil
		},
	}
}

// ruled checks the rules before the method.
func ruled[P, R any](rules work.Rules, method func(context.Context, P) (R, error)) func(context.Context, P) (R, error) {
	return func(ctx context.Context, p P) (R, error) {
		if err := rules.Check(&p); err != nil {
			var none R
			return none, jrpc2.Errorf(jrpc2.InvalidParams, "%v", err)
		}
		return method(ctx, p)
	}
}
