package rpchttp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
)

// Math calculates.
type Math struct{}

// Terms are what is added.
type Terms struct {
	A int `json:"a"`
	B int `json:"b"`
}

// Add adds.
func (Math) Add(t Terms) int { return t.A + t.B }

func Example() {
	registry, err := rpc.NewRegistry(rpc.App{Name: "calc", Version: "1.0.0"}, Math{})
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
	engine := gin.New()
	if err := guard.Mount(engine, exec, guard.Policy{Open: true}, rpchttp.Edge{}); err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(engine)
	defer server.Close()

	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"Math.add","params":{"a":1,"b":2}}`,
		`[{"jsonrpc":"2.0","id":"x","method":"Math.add","params":[3,4]},{"jsonrpc":"2.0","id":"y","method":"ping"}]`,
		`{"jsonrpc":"2.0","method":"Math.add","params":[3,4]}`,
	} {
		resp, err := server.Client().Post(server.URL+"/rpc", "application/json", strings.NewReader(body))
		if err != nil {
			fmt.Println(err)
			return
		}
		answer, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		fmt.Println(resp.StatusCode, http.StatusText(resp.StatusCode), string(answer))
	}
	// Output:
	// 200 OK {"jsonrpc":"2.0","id":1,"result":3}
	// 200 OK [{"jsonrpc":"2.0","id":"x","result":7},{"jsonrpc":"2.0","id":"y","result":"PONG"}]
	// 204 No Content
}

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

func ExampleEdge_references() {
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
	engine := gin.New()
	if err := guard.Mount(engine, exec, guard.Policy{Open: true}, rpchttp.Edge{References: true}); err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(engine)
	defer server.Close()

	resp, err := server.Client().Post(server.URL+"/rpc", "application/json", strings.NewReader(`[
		{"jsonrpc":"2.0","id":"where","method":"Shelf.find","params":{"name":"tea"}},
		{"jsonrpc":"2.0","id":"got","method":"Shelf.take","params":{"shelf":"@FROM:where(0.shelf)","count":"@FROM:where(0.left)"}}
	]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(resp.Body)
	fmt.Println(string(answer))
	// Output:
	// [{"jsonrpc":"2.0","id":"where","result":[{"shelf":"tea-7","left":3}]},{"jsonrpc":"2.0","id":"got","result":"3 from tea-7"}]
}
