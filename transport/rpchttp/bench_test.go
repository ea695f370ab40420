package rpchttp_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
)

// sink is a ResponseWriter that costs nothing.
type sink struct{ header http.Header }

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(int)             {}
func (s *sink) Write(p []byte) (int, error) { return len(p), nil }
func (s *sink) Flush()                      {}

// BenchmarkServe is gin, guard, edge and executor, without net/http.
func BenchmarkServe(b *testing.B) {
	engine := gin.New()
	mount(b, engine, execute(b, rpc.Options{}, F{}, newT()), rpchttp.Edge{}, guard.Policy{})
	for _, c := range []struct{ name, body string }{
		{"notification", `{"jsonrpc":"2.0","method":"F.add","params":{"a":%d,"b":2}}`},
		{"add", `{"jsonrpc":"2.0","id":1,"method":"F.add","params":{"a":%d,"b":2}}`},
		{"lost", `{"jsonrpc":"2.0","id":%d,"method":"F.lost"}`},
		{"batch50", ""},
		{"large", `{"jsonrpc":"2.0","id":%d,"method":"T.big","params":[1000000]}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			var bodies [64][]byte
			for i := range bodies {
				if bodies[i] = fmt.Appendf(nil, c.body, i); c.body == "" {
					bodies[i] = []byte(batchOf(50, "F.add", fmt.Sprintf("[%d,2]", i)))
				}
			}
			w := &sink{header: http.Header{}}
			reader := bytes.NewReader(nil)
			r, _ := http.NewRequestWithContext(b.Context(), "POST", "http://localhost/rpc", reader)
			r.Header.Set("Content-Type", "application/json")
			r.Body = io.NopCloser(reader)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				body := bodies[i%len(bodies)]
				i++
				reader.Reset(body)
				r.ContentLength = int64(len(body))
				clear(w.header)
				engine.ServeHTTP(w, r)
			}
		})
	}
}
