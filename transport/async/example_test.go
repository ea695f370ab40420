package async_test

import (
	"context"
	"fmt"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/async"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
)

// mountLater serves methods that may be called with a callback. secrets come
// from where tokens come from.
func mountLater(engine *gin.Engine, exec *rpc.Executor, pool rpc.Records, policy guard.Policy, secrets []string) error {
	jobs, err := async.New(async.Options{
		Records: pool,
		Webhooks: async.Webhooks{
			Hosts:   []string{"hooks.shop.example", "*.partner.example"},
			Secrets: secrets,
		},
	})
	if err != nil {
		return err
	}
	return guard.Mount(engine, exec, policy, rpchttp.Edge{}, jobs)
}

func ExampleNew() {
	pool, err := cache.NewMemory(1 << 20)
	if err != nil {
		panic(err)
	}
	defer pool.Close()
	registry, err := rpc.NewRegistry(rpc.App{Name: "shop", Version: "1.0.0"}, rpc.Service{Name: "Report", Methods: []rpc.Method{
		{Name: "make", Func: func() string { return "the report" }},
	}})
	if err != nil {
		panic(err)
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(mountLater(gin.New(), exec, pool, guard.Policy{Open: true}, []string{async.NewSecret()}))
	fmt.Println(exec.Shutdown(context.Background()))
	// Output:
	// <nil>
	// <nil>
}
