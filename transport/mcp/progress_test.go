package mcp_test

import (
	"context"

	"github.com/facet-rpc/facet/rpc"
)

// BuildParams are those of a method that takes its time.
type BuildParams struct {
	Steps int `json:"steps"`
}

// OrderParams has arguments that headers repeat.
type OrderParams struct {
	Region string `json:"region" mcp:"header=Region"`
	Part   struct {
		Count int  `json:"count,omitzero" mcp:"header=Count"`
		Sharp bool `json:"sharp,omitzero" mcp:"header=Is-Sharp"`
	} `json:"part,omitzero"`
}

// workshop tells its progress, and has an order form.
func workshop() rpc.Service {
	return rpc.Service{Name: "Workshop", Groups: []string{"mcp"}, Methods: []rpc.Method{
		{Name: "build", Func: func(ctx context.Context, p BuildParams) int {
			for i := range p.Steps {
				rpc.Progress(ctx, float64(i+1), float64(p.Steps), "sawing")
			}
			return p.Steps
		}},
		{Name: "order", Func: func(p OrderParams) string { return p.Region }},
	}}
}
