package rpc_test

import (
	"context"
	"fmt"

	"github.com/facet-rpc/facet/rpc"
)

// Greeter is a plain Go service.
type Greeter struct{}

// HelloParams are the parameters of Greeter.Hello.
type HelloParams struct {
	Name string `json:"name" validate:"min=1,max=50"`
	Loud bool   `json:"loud" default:"false"`
}

// Hello greets somebody.
func (Greeter) Hello(_ context.Context, p HelloParams) (string, error) {
	if p.Loud {
		return "HELLO " + p.Name, nil
	}
	return "Hello " + p.Name, nil
}

// A service is registered once and called by name or by position; everything
// that is wrong with the parameters is told at once.
func Example() {
	registry, err := rpc.NewRegistry(rpc.App{Name: "greeter", Version: "1.0.0"}, Greeter{})
	if err != nil {
		fmt.Println(err)
		return
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, params := range []string{`{"name":"Anna"}`, `["Bob",true]`, `{"name":"","volume":11}`} {
		response, err := exec.Do(context.Background(), &rpc.Call{
			Endpoint: registry.Endpoint(rpc.DefaultGroup, 1), Method: "Greeter.hello", Params: []byte(params),
		})
		if err != nil {
			fmt.Println(err.Code(), err)
			for _, v := range err.Violations() {
				fmt.Println(" ", v.Pointer, v.Message)
			}
			continue
		}
		fmt.Printf("%s\n", response.Bytes())
		response.Sent()
	}
	// Output:
	// "Hello Anna"
	// "HELLO Bob"
	// -32602 Invalid params: /volume is not a known parameter (and 1 more).
	//   /volume is not a known parameter
	//   /name must have at least 1 character
}

// Interceptors wrap every call; the first listed acts first.
func ExampleInterceptor() {
	say := func(name string) rpc.Interceptor {
		return func(next rpc.Handler) rpc.Handler {
			return func(ctx context.Context, c *rpc.Call) (rpc.Response, error) {
				fmt.Println(name, "before", c.Method)
				response, err := next(ctx, c)
				fmt.Println(name, "after", c.Method)
				return response, err
			}
		}
	}
	registry, _ := rpc.NewRegistry(rpc.App{Name: "greeter", Version: "1.0.0"}, Greeter{})
	exec, _ := rpc.NewExecutor(registry, rpc.Options{Interceptors: []rpc.Interceptor{say("first"), say("second")}})
	response, _ := exec.Do(context.Background(), &rpc.Call{
		Endpoint: registry.Endpoint(rpc.DefaultGroup, 1), Method: "Greeter.hello", Params: []byte(`["Anna"]`),
	})
	fmt.Printf("%s\n", response.Bytes())
	response.Sent()
	// Output:
	// first before Greeter.hello
	// second before Greeter.hello
	// second after Greeter.hello
	// first after Greeter.hello
	// "Hello Anna"
}
