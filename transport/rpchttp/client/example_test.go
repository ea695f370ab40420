package client_test

import (
	"context"
	stderrors "errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/transport/rpchttp/client"
)

// shop stands for a server with the methods math.add and Catalog.find.
func shop() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sum := `{"jsonrpc":"2.0","id":1,"result":5}`
		missing := `{"jsonrpc":"2.0","id":%d,"error":{"code":-32404,"message":"No such product.","data":{"exception":"NotFound"}}}`
		switch {
		case body[0] == '[':
			_, _ = fmt.Fprintf(w, "[%s,"+missing+"]", sum, 2)
		case strings.Contains(string(body), "math.add"):
			_, _ = io.WriteString(w, sum)
		default:
			_, _ = fmt.Fprintf(w, missing, 1)
		}
	}))
}

func ExampleCall() {
	server := shop()
	defer server.Close()
	c := client.New(server.URL, client.Options{HTTPClient: server.Client(), Token: "secret"})

	sum, err := client.Call[int](context.Background(), c, "math.add", map[string]int{"a": 2, "b": 3})
	fmt.Println(sum, err)

	_, err = client.Call[string](context.Background(), c, "Catalog.find", map[string]string{"sku": "milk"})
	fmt.Println(stderrors.Is(err, rpcerrors.NotFound), err)
	// Output:
	// 5 <nil>
	// true No such product.
}

func ExampleBatch() {
	server := shop()
	defer server.Close()
	c := client.New(server.URL, client.Options{HTTPClient: server.Client()})

	b := c.Batch()
	sum := client.Add[int](b, "math.add", []int{2, 3})
	product := client.Add[string](b, "Catalog.find", []string{"milk"})
	if err := b.Send(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	n, err := sum.Result()
	fmt.Println(n, err)
	_, err = product.Result()
	fmt.Println(err)
	// Output:
	// 5 <nil>
	// No such product.
}
