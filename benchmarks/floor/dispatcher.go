// Package floor is what all figures are compared with: JSON-RPC and MCP as one
// writes them by hand in an afternoon, on net/http and encoding/json, with the
// validate tags checked and none of what a framework does besides.
package floor

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/facet-rpc/facet/benchmarks/work"
)

// Dispatcher finds methods by their names and calls them.
type Dispatcher struct {
	rules   work.Rules
	methods map[string]method
}

// Error is the error of a call.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

type method func(context.Context, json.RawMessage) (any, *Error)

// New makes a dispatcher of the four methods of each service, such as
// bench.add.
func New(services []string) *Dispatcher {
	d := &Dispatcher{work.NewRules(), map[string]method{}}
	for _, s := range services {
		d.methods[s+".echo"] = d.echo
		d.methods[s+".add"] = d.add
		d.methods[s+".search"] = d.search
		d.methods[s+".order"] = d.order
	}
	return d
}

// Call runs one call.
func (d *Dispatcher) Call(ctx context.Context, name string, params json.RawMessage) (any, *Error) {
	m, ok := d.methods[name]
	if !ok {
		return nil, &Error{-32601, "method not found"}
	}
	return m(ctx, params)
}

func (d *Dispatcher) echo(ctx context.Context, params json.RawMessage) (any, *Error) {
	var p work.Echo
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, wrong(err)
	}
	r, err := work.Shop{}.Echo(ctx, p)
	return answer(r, err)
}

func (d *Dispatcher) add(ctx context.Context, params json.RawMessage) (any, *Error) {
	var p work.Sum
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, wrong(err)
	}
	r, err := work.Shop{}.Add(ctx, p)
	return answer(r, err)
}

func (d *Dispatcher) search(ctx context.Context, params json.RawMessage) (any, *Error) {
	var p work.Query
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, wrong(err)
	}
	if err := d.rules.Check(&p); err != nil {
		return nil, wrong(err)
	}
	r, err := work.Shop{}.Search(ctx, p)
	return answer(r, err)
}

func (d *Dispatcher) order(ctx context.Context, params json.RawMessage) (any, *Error) {
	var p work.Order
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, wrong(err)
	}
	if err := d.rules.Check(&p); err != nil {
		return nil, wrong(err)
	}
	r, err := work.Shop{}.Order(ctx, p)
	return answer(r, err)
}

func wrong(err error) *Error { return &Error{-32602, fmt.Sprint("invalid params: ", err)} }

func answer(result any, err error) (any, *Error) {
	if err != nil {
		return nil, &Error{-32603, err.Error()}
	}
	return result, nil
}
