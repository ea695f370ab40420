package openrpc_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/facet-rpc/facet/openrpc"
)

// A page for a document of another program, served beside it.
func ExampleNewPage() {
	page, err := openrpc.NewPage("Pets", openrpc.PageDocument{
		Name: "v1", URL: "/openrpc.json", RPC: "https://pets.example/rpc",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle("GET /docs", page)

	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/docs", nil))
	fmt.Println(w.Code, w.Header().Get("Content-Type"))
	// Output: 200 text/html; charset=utf-8
}
