package rpc_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/rpc"
)

type addParams struct {
	A int `json:"a"`
	B int `json:"b"`
}

func add(_ context.Context, p addParams) (int, error) { return p.A + p.B, nil }

func BenchmarkAdd(b *testing.B) {
	registry, err := rpc.NewRegistry(rpc.App{Name: "bench", Version: "1"}, rpc.Service{Name: "Math", Methods: []rpc.Method{{Func: add}}})
	if err != nil {
		b.Fatal(err)
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{})
	if err != nil {
		b.Fatal(err)
	}
	endpoint := registry.Endpoint(rpc.DefaultGroup, 1)
	bodies := make([][]byte, 64)
	for i := range bodies {
		bodies[i] = []byte(`{"a":` + strconv.Itoa(i*1000) + `,"b":2}`)
	}
	ctx := context.Background()
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		r, err := exec.Do(ctx, &rpc.Call{Endpoint: endpoint, Method: "Math.add", Params: bodies[i%len(bodies)], Control: true})
		if err != nil {
			b.Fatal(err)
		}
		r.Sent()
		i++
	}
}

type found struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Price float64  `json:"price"`
	Tags  []string `json:"tags"`
}

func search(_ context.Context, p struct {
	Query string `json:"query" validate:"max=200"`
	Limit int    `json:"limit,omitzero" validate:"min=1,max=100" default:"10"`
}) ([]found, error) {
	out := make([]found, p.Limit)
	for i := range out {
		out[i] = found{i, p.Query, 12.5, []string{"a", "b"}}
	}
	return out, nil
}

type orderParams struct {
	Customer string `json:"customer" validate:"min=1,max=64"`
	Lines    []struct {
		SKU string `json:"sku" validate:"required"`
		Qty int    `json:"qty" validate:"min=1"`
	} `json:"lines" validate:"min=1,dive"`
	Note string `json:"note,omitempty"`
}

func order2(_ context.Context, p orderParams) (orderParams, error) { return p, nil }

// BenchmarkHit compares a hit with running the same method.
func BenchmarkHit(b *testing.B) {
	kept := rpc.Cache{TTL: time.Hour, Shared: true}
	m, err := cache.NewMemory(64 << 20)
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	registry, err := rpc.NewRegistry(app, rpc.Service{Name: "S", Methods: []rpc.Method{
		{Name: "add", Func: add, Cache: kept}, {Name: "own", Func: add, Cache: rpc.Cache{TTL: time.Hour}}, {Name: "search", Func: search, Cache: kept}, {Name: "order", Func: order2, Cache: kept},
		{Name: "addExecuted", Func: add}, {Name: "ownExecuted", Func: add}, {Name: "searchExecuted", Func: search}, {Name: "orderExecuted", Func: order2},
	}})
	if err != nil {
		b.Fatal(err)
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{Store: m, Records: m})
	if err != nil {
		b.Fatal(err)
	}
	ctx, endpoint := context.Background(), registry.Endpoint(rpc.DefaultGroup, 1)
	for _, bc := range []struct{ name, params string }{
		{"add", `{"a":%d,"b":2}`}, {"own", `{"a":%d,"b":2}`}, {"search", `{"query":"sencha %d","limit":20}`},
		{"order", `{"customer":"c%06d","lines":[{"sku":"SEN-100","qty":2},{"sku":"MAT-30","qty":1},{"sku":"OOL-50","qty":3}],"note":"please ring"}`},
	} {
		bodies := make([][]byte, 64)
		for i := range bodies {
			bodies[i] = fmt.Appendf(nil, bc.params, i)
		}
		for _, name := range []string{bc.name, bc.name + "Executed"} {
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					r, err := exec.Do(ctx, &rpc.Call{Endpoint: endpoint, Method: "S." + name, Params: bodies[i%len(bodies)], Control: true})
					if err != nil {
						b.Fatal(err)
					}
					r.Sent()
					i++
				}
			})
		}
	}
}
