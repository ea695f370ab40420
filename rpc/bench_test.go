package rpc_test

import (
	"context"
	"strconv"
	"testing"

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
