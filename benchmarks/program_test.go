// Package benchmarks_test has the benchmarks within one process. They show
// where the time goes; what counts are their allocations, and the ratio of
// /facet to /floor in one run.
package benchmarks_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/facet-rpc/facet/benchmarks/floor"
	"github.com/facet-rpc/facet/benchmarks/work"
	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/lock"
	"github.com/facet-rpc/facet/rpc"
)

// program is an executor and the endpoint that is called.
type program struct {
	exec     *rpc.Executor
	endpoint *rpc.Endpoint
	bus      *events.Bus
}

// start makes a program of services, with all that one process can have. The
// newest version of the default group is called.
func start(b *testing.B, services ...any) program {
	b.Helper()
	registry, err := rpc.NewRegistry(rpc.App{Name: "bench", Version: "1.0.0"}, services...)
	if err != nil {
		b.Fatal(err)
	}
	pool, err := cache.NewMemory(64 << 20)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(pool.Close)
	bus := new(events.Bus)
	exec, err := rpc.NewExecutor(registry, rpc.Options{Store: pool, Records: pool, Locker: new(lock.Local), Events: bus})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := exec.Shutdown(context.Background()); err != nil {
			b.Error(err)
		}
	})
	versions := registry.Versions(rpc.DefaultGroup)
	return program{exec, registry.Endpoint(rpc.DefaultGroup, versions[len(versions)-1]), bus}
}

// shop is the four methods as a service, each with what is set in m.
func shop(name string, m rpc.Method) rpc.Service {
	var s work.Shop
	out := rpc.Service{Name: name}
	for _, fn := range []any{s.Echo, s.Add, s.Search, s.Order} {
		m.Func = fn
		out.Methods = append(out.Methods, m)
	}
	return out
}

// call runs one call, params to result, and returns the length of the result.
func (p program) call(b *testing.B, method string, params []byte) int {
	response, err := p.exec.Do(context.Background(), &rpc.Call{
		Endpoint: p.endpoint, Method: method, Params: params, Control: true,
	})
	if err != nil {
		b.Fatal(err)
	}
	n := len(response.Bytes())
	response.Sent()
	return n
}

// run benchmarks calls of a service. All have been made once before.
func (p program) run(b *testing.B, service string, calls []work.Call) {
	b.Helper()
	method := service + "." + calls[0].Method
	for _, c := range calls {
		p.call(b, method, c.Params)
	}
	loop(b, func(i int) {
		if p.call(b, method, calls[i%len(calls)].Params) == 0 {
			b.Fatal("the result is empty")
		}
	})
}

// runFloor is the same for the floor.
func runFloor(b *testing.B, d *floor.Dispatcher, calls []work.Call) {
	b.Helper()
	method := "bench." + calls[0].Method
	loop(b, func(i int) {
		result, failure := d.Call(b.Context(), method, calls[i%len(calls)].Params)
		if failure != nil {
			b.Fatal(failure.Message)
		}
		out, err := json.Marshal(result)
		if err != nil || len(out) == 0 {
			b.Fatal(err)
		}
	})
}

// loop runs f as often as it takes. Besides the time it reports what the
// process took of the CPU, garbage collection included, which can be believed
// on a busy machine too.
func loop(b *testing.B, f func(i int)) {
	b.ReportAllocs()
	before := cpuTime()
	i := 0
	for b.Loop() {
		f(i)
		i++
	}
	if used := cpuTime() - before; used > 0 {
		b.ReportMetric(float64(used)/float64(i), "cpu-ns/op")
	}
}
