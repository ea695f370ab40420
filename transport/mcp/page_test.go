package mcp_test

import (
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc"
)

// many is a service of n methods m0, m1, …
func many(n int) rpc.Service {
	s := rpc.Service{Name: "Many", Groups: []string{"mcp"}}
	for i := range n {
		s.Methods = append(s.Methods, rpc.Method{Name: "m" + strconv.Itoa(i), Func: func() int { return i }})
	}
	return s
}

// case D14: DeusData/codebase-memory-mcp#1247, modelcontextprotocol/java-sdk#615
func TestPages(t *testing.T) {
	for _, n := range []int{1, 999, 1000, 1001, 2000, 2500} {
		p := mount(t, setup{services: []any{many(n)}})
		seen, pages, rest := 0, 0, ""
		for {
			l := p.list(t, rest)
			for _, x := range l.Tools {
				if x.Name != "Many.m"+strconv.Itoa(seen) {
					t.Fatalf("%d: tool %d is %s", n, seen, x.Name)
				}
				seen++
			}
			pages++
			if l.NextCursor == nil {
				break
			}
			rest = `"cursor":"` + *l.NextCursor + `"`
		}
		if want := (n + 999) / 1000; seen != n || pages != want {
			t.Errorf("%d tools on %d pages, want %d on %d", seen, pages, n, want)
		}
	}
}

func TestCursors(t *testing.T) { // case D14, mcp row 51
	p := mount(t, setup{services: []any{many(1001)}, edge: standsAlone.edge})
	good := *p.list(t, "").NextCursor
	for cursor, ok := range map[string]bool{
		`"` + good + `"`: true, `""`: true, `null`: true,
		`"garbage"`: false, `"` + good + `="`: false, `"dG9vbCAw"`: false, `"dG9vbCA1MDAw"`: false, `"dG9vbCAwNQ"`: false, `"dG9vbCAtMQ"`: false,
		`1`: false, `{}`: false,
	} {
		for _, send := range []func() *httptest.ResponseRecorder{
			func() *httptest.ResponseRecorder {
				body, headers := modern("tools/list", `"cursor":`+cursor)
				return p.post(body, headers...)
			},
			func() *httptest.ResponseRecorder {
				return p.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":` + cursor + `}}`)
			},
		} {
			w := send()
			if w.Code != 200 || strings.Contains(w.Body.String(), `"code":-32602`) == ok {
				t.Errorf("%s: %d %.200s", cursor, w.Code, w.Body)
			}
		}
	}
}

// A long list is the same in a batch and as an event.
func TestLongList(t *testing.T) {
	p := mount(t, setup{services: []any{many(200)}, edge: standsAlone.edge})
	const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	alone := p.post(body).Body.String()
	if n := strings.Count(alone, `"inputSchema"`); n != 200 || !strings.HasSuffix(alone, "]}}") {
		t.Fatalf("%d tools, %d bytes", n, len(alone))
	}
	if got := p.post(`[` + body + `,` + body + `]`).Body.String(); got != "["+alone+","+alone+"]" {
		t.Errorf("in a batch: %d bytes, alone %d", len(got), len(alone))
	}
	if got := p.post(body, "Accept: text/event-stream").Body.String(); got != "event: message\ndata: "+alone+"\n\n" {
		t.Errorf("as an event: %d bytes, alone %d", len(got), len(alone))
	}
}
