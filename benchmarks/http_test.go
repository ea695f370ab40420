package benchmarks_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/facet-rpc/facet/benchmarks/load"
	"github.com/facet-rpc/facet/benchmarks/peer"
)

// BenchmarkHTTP is a whole request without a network, through every server:
// policy, envelope, call, answer.
func BenchmarkHTTP(b *testing.B) {
	for _, name := range []string{"add", "search", "order", "batch50", "echo1m", "tool2025", "tool2026"} {
		m, err := load.FindMode(name)
		if err != nil {
			b.Fatal(err)
		}
		for _, server := range []string{"facet", "facet+token", peer.Floor} {
			s, err := peer.Find(server)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(name+"/"+server, func(b *testing.B) { serve(b, m, s) })
		}
	}
}

func serve(b *testing.B, m load.Mode, s peer.Server) {
	handler, err := s.New(m.Size)
	if err != nil {
		b.Fatal(err)
	}
	exchanges := m.Exchanges(s)
	requests := make([]*request, len(exchanges))
	for i, x := range exchanges {
		requests[i] = newRequest(b, x)
	}
	w := &writer{header: http.Header{}}
	for i, r := range requests {
		r.send(handler, w)
		if err := exchanges[i].Judge(w.body.Bytes()); err != nil {
			b.Fatal(err)
		}
	}
	loop(b, func(i int) {
		requests[i%len(requests)].send(handler, w)
		if w.status != http.StatusOK {
			b.Fatal(w.status, w.body.String())
		}
	})
}

// request can be sent many times.
type request struct {
	http *http.Request
	body *bytes.Reader
	text []byte
}

func newRequest(b *testing.B, x load.Exchange) *request {
	body := bytes.NewReader(x.Body)
	r, err := http.NewRequest(http.MethodPost, "http://127.0.0.1"+x.Path, body)
	if err != nil {
		b.Fatal(err)
	}
	r.Body = io.NopCloser(body)
	r.RemoteAddr = "127.0.0.1:1"
	r.Header.Set("Content-Type", "application/json")
	for _, h := range x.Header {
		r.Header.Set(h[0], h[1])
	}
	return &request{r, body, x.Body}
}

func (r *request) send(handler http.Handler, w *writer) {
	r.body.Reset(r.text)
	w.reset()
	handler.ServeHTTP(w, r.http)
}

// writer keeps an answer.
type writer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *writer) reset() {
	clear(w.header)
	w.status = http.StatusOK
	w.body.Reset()
}

func (w *writer) Header() http.Header         { return w.header }
func (w *writer) WriteHeader(status int)      { w.status = status }
func (w *writer) Write(b []byte) (int, error) { return w.body.Write(b) }
