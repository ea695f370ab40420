package mcp_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// discard is a ResponseWriter that costs little.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(int)             {}
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }

// replayed is a request that can be sent again and again.
type replayed struct {
	r    *http.Request
	body bytes.Reader
	text []byte
	w    discard
}

func replayOf(body string, headers ...string) *replayed {
	x := &replayed{text: []byte(body), w: discard{http.Header{}}}
	x.r = httptest.NewRequest(http.MethodPost, "/mcp", nil)
	x.r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	for i := 0; i < len(headers); i += 2 {
		x.r.Header[headers[i]] = []string{headers[i+1]}
	}
	x.r.Body, x.r.ContentLength = io.NopCloser(&x.body), int64(len(body))
	return x
}

func (x *replayed) send(h http.Handler) {
	x.body.Reset(x.text)
	clear(x.w.header)
	h.ServeHTTP(&x.w, x.r)
}

// recorded sends the request once and keeps the answer.
func (x *replayed) recorded(h http.Handler) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	x.body.Reset(x.text)
	h.ServeHTTP(w, x.r)
	return w
}

// BenchmarkCall is a tools/call in each era, from the router to the answer.
func BenchmarkCall(b *testing.B) {
	p := mount(b, setup{})
	session := strings.TrimPrefix(p.begin("2025-11-25")[1], "Mcp-Session-Id: ")
	body, _ := modern("tools/call", `"name":"Depot.find","arguments":{"query":"tea"}`)
	for name, x := range map[string]*replayed{
		"2026-07-28": replayOf(body, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "Depot.find"),
		"2025-11-25": replayOf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Depot.find","arguments":{"query":"tea"}}}`, "Mcp-Protocol-Version", "2025-11-25", "Mcp-Session-Id", session),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x.send(p)
			}
		})
	}
}

// BenchmarkList: the list is rendered once, whatever its length.
func BenchmarkList(b *testing.B) {
	for _, n := range []int{20, 200} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			p := mount(b, setup{services: []any{many(n)}, edge: standsAlone.edge})
			x := replayOf(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "Mcp-Protocol-Version", "2025-11-25")
			b.ReportAllocs()
			for b.Loop() {
				x.send(p)
			}
		})
	}
}
