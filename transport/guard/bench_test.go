package guard_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/facet-rpc/facet/transport/guard"
	"github.com/gin-gonic/gin"
)

// sink is a ResponseWriter that costs nothing.
type sink struct{ header http.Header }

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(p []byte) (int, error) { return len(p), nil }
func (s *sink) WriteHeader(int)             {}

// again is a body that can be read again.
type again struct{ bytes.Reader }

func (*again) Close() error { return nil }

// BenchmarkGuard is what the guard adds to a call: bare is gin and the sink
// alone, empty is a handler that reads nothing.
func BenchmarkGuard(b *testing.B) {
	nothing := edge{route: calls.route, serve: func(http.ResponseWriter, *http.Request, *guard.Visit) {}}
	reads := edge{route: calls.route, serve: func(w http.ResponseWriter, r *http.Request, v *guard.Visit) {
		if _, ok := v.Body(w, r); !ok {
			b.Error("no body")
		}
	}}
	bare := gin.New()
	bare.Any("/rpc", func(*gin.Context) {})
	for _, c := range []struct {
		name   string
		engine *gin.Engine
	}{
		{"bare", bare},
		{"open/empty", mounted(b, guard.Policy{Open: true}, nothing)},
		{"open/body", mounted(b, guard.Policy{Open: true}, reads)},
		{"token/empty", mounted(b, twoTokens(), nothing)},
		{"token/body", mounted(b, twoTokens(), reads)},
	} {
		b.Run(c.name, func(b *testing.B) {
			payload := bytes.Repeat([]byte("x"), 300)
			body := new(again)
			r := onLoopback(request("POST", "/rpc", "", "Host: 127.0.0.1:8080",
				"Content-Type: application/json", "Authorization: Bearer default-secret"))
			r.Body, r.ContentLength = body, int64(len(payload))
			w := &sink{http.Header{}}
			b.ReportAllocs()
			for b.Loop() {
				body.Reset(payload)
				clear(w.header)
				c.engine.ServeHTTP(w, r)
			}
		})
	}
}

// BenchmarkAnswer is an answer of 300 bytes.
func BenchmarkAnswer(b *testing.B) {
	payload := bytes.Repeat([]byte("x"), 300)
	w := &sink{http.Header{}}
	b.ReportAllocs()
	for b.Loop() {
		clear(w.header)
		guard.Answer(w, http.StatusOK, payload)
	}
}

var _ io.ReadCloser = (*again)(nil)
