package load_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/benchmarks/load"
	"github.com/facet-rpc/facet/benchmarks/peer"
)

// TestServers asks every server in every mode it has, each question once, and
// once more on the same connection, where the answer is compared with the
// first.
func TestServers(t *testing.T) {
	for _, m := range load.Modes() {
		for _, s := range peer.Servers() {
			if !m.Fits(s) {
				continue
			}
			t.Run(m.Name+"/"+s.Name, func(t *testing.T) {
				addr := serve(t, s, m)
				exchanges, err := load.InSession(addr, s, m)
				if err != nil {
					t.Fatal(err)
				}
				c := dial(t, addr, exchanges)
				for range min(2*len(exchanges), len(exchanges)+1) {
					if err := c.Do(); err != nil {
						t.Fatal(err)
					}
				}
			})
		}
	}
}

// TestFits: every mode compares the floor with Facet and at least one peer.
func TestFits(t *testing.T) {
	for _, m := range load.Modes() {
		var names []string
		for _, s := range peer.Servers() {
			if m.Fits(s) {
				names = append(names, s.Name)
			}
		}
		if len(names) < 4 || names[0] != peer.Floor || names[1] != "facet" {
			t.Errorf("%s compares %v", m.Name, names)
		}
	}
}

// TestJudge: a wrong answer is not taken for a right one.
func TestJudge(t *testing.T) {
	list := `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`
	for _, tt := range []struct{ mode, answer, why string }{
		{"add", `{"jsonrpc":"2.0","id":1,"result":2}`, ""},
		{"add", `{"jsonrpc":"2.0","id":1,"result":3}`, "the result"},
		{"add", `{"jsonrpc":"2.0","id":2,"result":2}`, "the id"},
		{"add", `{"jsonrpc":"1.0","id":1,"result":2}`, "jsonrpc"},
		{"add", `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}`, "it failed"},
		{"add", `{"jsonrpc":"2.0","id":1,`, "unexpected end"},
		{"batch50", `[{"jsonrpc":"2.0","id":1,"result":2}]`, "1 answers to 50"},
		{"batch50", `[` + strings.Repeat(`{"jsonrpc":"2.0","id":1,"result":2},`, 49) + `{"jsonrpc":"2.0","id":1,"result":2}]`, "no answer has the id 2"},
		{"tool2025", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"no"}],"isError":true}}`, "the tool failed"},
		{"tool2025", `{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"result":[]}}}`, "the content"},
		{"tool2025", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[]"}],"structuredContent":{"result":[]}}}`, "the structured content"},
		{"tools200", list, "0 tools"},
	} {
		t.Run(tt.mode+" "+tt.why, func(t *testing.T) {
			m, err := load.FindMode(tt.mode)
			if err != nil {
				t.Fatal(err)
			}
			err = m.Exchanges(peer.Servers()[0])[0].Judge([]byte(tt.answer))
			switch {
			case tt.why == "" && err != nil:
				t.Errorf("%s is refused: %v", tt.answer, err)
			case tt.why != "" && (err == nil || !strings.Contains(err.Error(), tt.why)):
				t.Errorf("%s: %v, want %q", tt.answer, err, tt.why)
			}
		})
	}
}

// TestErrorsAreCounted: a server that answers nothing right is not fast.
func TestErrorsAreCounted(t *testing.T) {
	m, err := load.FindMode("add")
	if err != nil {
		t.Fatal(err)
	}
	floor := peer.Servers()[0]
	exchanges := m.Exchanges(floor)
	for i := range exchanges {
		exchanges[i].Path = "/nothing"
	}
	addr := serve(t, floor, m)
	conns := []*load.Conn{dial(t, addr, exchanges), dial(t, addr, exchanges)}
	result := load.Run(conns, 1<<62)
	if result.Errors == 0 || result.Errors != result.Requests || len(result.Latencies) != 0 {
		t.Errorf("%d errors in %d requests, %d latencies", result.Errors, result.Requests, len(result.Latencies))
	}
	if result.Error == nil || !strings.Contains(result.Error.Error(), "HTTP 404") {
		t.Errorf("the error is %v", result.Error)
	}
}

func serve(t *testing.T, s peer.Server, m load.Mode) (addr string) {
	t.Helper()
	handler, err := s.New(m.Size)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

func dial(t *testing.T, addr string, exchanges []load.Exchange) *load.Conn {
	t.Helper()
	c, err := load.Dial(addr, exchanges, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}
