package openrpc_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/rpc"
)

// BenchmarkDocument writes a document of 500 methods; a reader's first
// request waits for it.
func BenchmarkDocument(b *testing.B) {
	service := rpc.Service{Name: "Many"}
	for i := range 500 {
		service.Methods = append(service.Methods, rpc.Method{Func: new(Depot).Tree, Name: "tree" + strconv.Itoa(i)})
	}
	registry, err := rpc.NewRegistry(app(), service)
	if err != nil {
		b.Fatal(err)
	}
	endpoint := registry.Endpoint(rpc.DefaultGroup, 1)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := openrpc.Document(registry, endpoint, openrpc.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUnchanged is a request whose answer is 304.
func BenchmarkUnchanged(b *testing.B) {
	h := serve(b, "https://depot.example")
	tag := ask(h, "GET", "/openrpc", anna).Header().Get("ETag")
	r := httptest.NewRequest("GET", "/openrpc", nil)
	r.Header.Set("RPC-Token", "anna")
	r.Header.Set("If-None-Match", tag)
	b.ReportAllocs()
	for b.Loop() {
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != http.StatusNotModified {
			b.Fatal(w.Code)
		}
	}
}
