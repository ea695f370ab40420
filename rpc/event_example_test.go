package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
)

// The events of a call that runs, of one that is answered from the cache, and
// of one that fails.
func ExamplePostResponse() { // R-E01 R-E02
	bus := new(events.Bus)
	events.On(bus, func(_ context.Context, e rpc.Request) error { fmt.Println("  " + e.EventName()); return nil })
	events.On(bus, func(_ context.Context, e rpc.PreExecute) error { fmt.Println("  " + e.EventName()); return nil })
	events.On(bus, func(_ context.Context, e rpc.PostExecute) error { fmt.Println("  " + e.EventName()); return nil })
	events.On(bus, func(_ context.Context, e rpc.PreResponse) error { fmt.Println("  " + e.EventName()); return nil })
	sent := make(chan struct{}, 1)
	events.On(bus, func(_ context.Context, e rpc.PostResponse) error {
		fmt.Println("  " + e.EventName())
		sent <- struct{}{}
		return nil
	})
	events.On(bus, func(_ context.Context, e rpc.Failed) error { fmt.Println("  " + e.EventName()); return nil })

	pool, err := cache.NewMemory(1 << 20)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	greet := func(p struct {
		Name string `json:"name"`
	}) (string, error) {
		fmt.Println("  the method")
		if p.Name == "nobody" {
			return "", errors.New("there is nobody")
		}
		return "Hello " + p.Name, nil
	}
	registry, err := rpc.NewRegistry(rpc.App{Name: "events", Version: "1"},
		rpc.Service{Name: "Greeter", Methods: []rpc.Method{{Name: "greet", Func: greet, Cache: rpc.Cache{TTL: time.Minute}}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{Events: bus, Store: pool, Records: pool})
	if err != nil {
		fmt.Println(err)
		return
	}
	endpoint := registry.Endpoint(rpc.DefaultGroup, 1)
	for _, params := range []string{`{"name":"Anna"}`, `{"name":"Anna"}`, `{"name":"nobody"}`} {
		fmt.Println(params)
		response, failure := exec.Do(context.Background(), &rpc.Call{Endpoint: endpoint, Method: "Greeter.greet", Params: []byte(params)})
		if failure != nil {
			continue
		}
		executed := response.Value() != nil
		fmt.Println("  the answer is sent:", string(response.Bytes())) // an edge does that
		response.Sent()
		if executed {
			<-sent // so that the lines are in one order here
		}
	}
	// Output:
	// {"name":"Anna"}
	//   rpc.request
	//   rpc.pre_execute
	//   the method
	//   rpc.post_execute
	//   rpc.pre_response
	//   the answer is sent: "Hello Anna"
	//   rpc.post_response
	// {"name":"Anna"}
	//   rpc.request
	//   the answer is sent: "Hello Anna"
	// {"name":"nobody"}
	//   rpc.request
	//   rpc.pre_execute
	//   the method
	//   rpc.error
}
