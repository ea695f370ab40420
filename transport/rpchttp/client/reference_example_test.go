package client_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/facet-rpc/facet/transport/rpchttp/client"
	"github.com/gin-gonic/gin"
)

// Shelf knows what lies where.
type Shelf struct{}

// Place is a place on a shelf.
type Place struct {
	Shelf string `json:"shelf"`
	Left  int    `json:"left"`
}

// Find tells where a product lies.
func (Shelf) Find(p struct {
	Name string `json:"name"`
}) []Place {
	return []Place{{Shelf: p.Name + "-7", Left: 3}}
}

// Take takes products from a shelf.
func (Shelf) Take(p struct {
	Shelf string `json:"shelf"`
	Count int    `json:"count"`
}) string {
	return fmt.Sprintf("%d from %s", p.Count, p.Shelf)
}

func ExampleAt() {
	registry, err := rpc.NewRegistry(rpc.App{Name: "store", Version: "1.0.0"}, Shelf{})
	if err != nil {
		fmt.Println(err)
		return
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = exec.Shutdown(context.Background()) }()
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	if err := guard.Mount(engine, exec, guard.Policy{Open: true}, rpchttp.Edge{References: true}); err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(engine)
	defer server.Close()
	c := client.New(server.URL+"/rpc", client.Options{HTTPClient: server.Client(), References: true})

	b := c.Batch()
	found := client.Add[[]Place](b, "Shelf.find", map[string]string{"name": "tea"})
	taken := client.Add[string](b, "Shelf.take", map[string]any{
		"shelf": client.At[string](found.Ref(), "0.shelf"),
		"count": 2,
	})
	if err := b.Send(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(taken.Result())
	// Output:
	// 2 from tea-7 <nil>
}
