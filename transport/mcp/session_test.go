package mcp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
)

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

// end is DELETE /mcp.
func (p *program) end(headers ...string) *httptest.ResponseRecorder {
	return p.request(context.Background(), http.MethodDelete, "/mcp", "", headers...)
}

func sessionOf(headers []string) string {
	return strings.TrimPrefix(headers[len(headers)-1], "Mcp-Session-Id: ")
}

// R-M12: each kind of message within a session and without one.
func TestSession(t *testing.T) {
	p := mount(t, setup{})
	const at = "MCP-Protocol-Version: "
	session := func(version string) string { return p.begin(version)[1] }
	message := func(name, method, params string, headers ...string) row {
		return rowOf(name, `{"jsonrpc":"2.0","id":1,"method":"`+method+`"`+params+`}`, headers)
	}
	initialize := func(name, version string, headers ...string) row {
		r := message(name, "initialize", `,"params":{"protocolVersion":"`+version+`","capabilities":{}}`, headers...)
		r.begins = true
		return r
	}
	notify := func(name, method string, headers ...string) row {
		return rowOf(name, `{"jsonrpc":"2.0","method":"`+method+`"}`, headers)
	}
	const annotated = `"annotations":{"readOnlyHint":true}`
	for _, r := range []row{
		initialize("mcp E2", "2025-11-25").want(200, 0, `"protocolVersion":"2025-11-25"`),
		initialize("mcp E2", "2025-06-18").want(200, 0, `"protocolVersion":"2025-06-18"`),
		initialize("mcp E2", "2025-03-26").want(200, 0, `"protocolVersion":"2025-03-26"`),
		initialize("mcp L2, case E17", "2024-11-05").want(200, 0, `"protocolVersion":"2024-11-05"`),
		initialize("mcp E3", "2026-07-28").want(200, 0, `"protocolVersion":"2025-11-25"`),
		initialize("case E17", "2099-01-01").want(200, 0, `"protocolVersion":"2025-11-25"`),
		initialize("mcp E6", "2025-06-18", at+"2025-11-25").want(200, 0, `"protocolVersion":"2025-06-18"`),
		initialize("mcp E7", "2025-06-18", "Mcp-Session-Id: old").want(200, 0, `"protocolVersion":"2025-06-18"`),
		initialize("mcp E7 of a live session", "2025-06-18", session("2025-11-25")).want(200, 0, `"protocolVersion":"2025-06-18"`),
		message("case E03 no version", "initialize", `,"params":{}`).want(200, -32602, "protocolVersion"),
		message("case E03 no params", "initialize", "").want(200, -32602, "protocolVersion"),
		message("case E03 params twice", "initialize", `,"params":{"protocolVersion":"2025-06-18","protocolVersion":"2025-06-18"}`).want(200, -32602, "twice"),
		message("mcp E9, L4", "tools/list", "", at+"2025-11-25").want(400, -32600, "a session is required"),
		message("mcp E9 no header at all", "tools/list", "").want(400, -32600, "a session is required"),
		message("mcp E9 an empty id", "tools/list", "", at+"2025-11-25", "Mcp-Session-Id:").want(400, -32600, "a session is required"),
		message("mcp E9 a call", "tools/call", `,"params":{"name":"Depot.ping"}`, at+"2025-11-25").want(400, -32600, "a session is required"),
		message("mcp E9 a ping", "ping", "", at+"2025-11-25").want(200, 0, `"result":{}`),
		message("mcp E10, L5", "tools/list", "", at+"2025-11-25", "Mcp-Session-Id: unknown").noIDRow().want(404, -32600, "Session not found"),
		message("mcp E10 before 2025-11-25, L17", "tools/list", "", at+"2025-06-18", "Mcp-Session-Id: unknown").want(404, -32600, "Session not found"),
		message("mcp E10 a ping", "ping", "", "Mcp-Session-Id: "+strings.Repeat("A", 26)).want(404, -32600, "Session not found"),
		message("mcp E10 a long id", "ping", "", "Mcp-Session-Id: "+strings.Repeat("A", 8<<10)).want(404, -32600, "Session not found"),
		message("two ids", "ping", "", session("2025-11-25"), session("2025-11-25")).want(400, -32600, "more than once"),
		message("mcp E11, L11, case E05", "tools/list", "", session("2025-11-25")).want(200, 0, `"outputSchema"`),
		message("mcp E11 2024-11-05", "tools/list", "", session("2024-11-05")).want(200, 0, `"tools"`),
		message("mcp E12 an older header", "tools/list", "", session("2025-11-25"), at+"2025-03-26").want(200, 0, `"outputSchema"`),
		message("mcp E12 a newer header", "tools/list", "", session("2025-03-26"), at+"2025-11-25").want(200, 0, annotated),
		message("mcp E13, case E05", "tools/list", "", session("2025-11-25"), at+"1900-01-01").want(400, -32022, `"supported"`),
		message("mcp E13, case E05", "tools/list", "", session("2025-11-25"), at+"not-a-version").want(400, -32022, `"supported"`),
		message("mcp E16", "tools/list", `,"params":{`+meta+`}`, session("2025-11-25"), at+"2025-11-25").want(400, -32020, ""),
		message("mcp E17", "tools/list", `,"params":{`+meta+`}`, session("2025-11-25")).want(400, -32020, ""),
		message("mcp E19", "tools/list", `,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}`, at+"2025-11-25").want(400, -32600, "a session is required"),
		message("mcp E19 in a session", "tools/list", `,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}`, session("2025-11-25"), at+"2025-11-25").want(200, 0, `"tools"`),
		message("mcp E25", "server/discover", "", session("2025-11-25"), at+"2025-11-25").want(200, -32601, "server/discover"),
		message("mcp L6", "resources/list", "", session("2025-11-25")).want(200, -32601, ""),
		message("mcp E34", "ping", "", session("2025-11-25")).want(200, 0, `"result":{}`),
		message("mcp E34, L18", "logging/setLevel", `,"params":{"level":"info"}`, session("2025-11-25")).want(200, -32601, ""),
		notify("mcp E28, L9, case D18", "notifications/initialized", session("2025-11-25")).want(202, 0, ""),
		notify("case D18", "notifications/x", session("2025-11-25")).want(202, 0, ""),
		notify("mcp E28 unknown session", "notifications/x", "Mcp-Session-Id: x").noIDRow().want(404, -32600, ""),
		notify("mcp E28 no session", "notifications/x").noIDRow().want(400, -32600, ""),
		rowOf("mcp E29", `{"jsonrpc":"2.0","id":1,"result":{}}`, []string{session("2025-11-25")}).want(202, 0, ""),
		rowOf("mcp E20", `[`+listTools+`]`, []string{at + "2026-07-28", session("2025-03-26")}).noIDRow().want(400, -32600, "batch"),
		rowOf("mcp E22", `[`+listTools+`]`, []string{session("2025-06-18")}).noIDRow().want(400, -32600, "batch"),
		rowOf("mcp E22 whatever the header says", `[`+listTools+`]`, []string{at + "2025-03-26", session("2025-11-25")}).noIDRow().want(400, -32600, "batch"),
		rowOf("mcp L2 no batches", `[`+listTools+`]`, []string{session("2024-11-05")}).noIDRow().want(400, -32600, "batch"),
		rowOf("mcp E23", `[`+listTools+`]`, nil).noIDRow().want(400, -32600, "a session is required"),
		rowOf("mcp E23 initialize inside", `[{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}]`, nil).noIDRow().want(400, -32600, "must not be in a batch"),
	} {
		r.run(t, p)
	}
	w := p.post(`[`+listTools+`]`, session("2025-03-26")) // mcp E21
	if w.Code != 200 || !strings.HasPrefix(w.Body.String(), `[{"jsonrpc":"2.0","id":1,"result":{"tools"`) {
		t.Errorf("%d %.100s", w.Code, w.Body)
	}
}

// mcp E1, E8, case E01 (modelcontextprotocol/go-sdk#1136): requests of
// 2026-07-28 leave sessions alone, and make none.
func TestModernLeavesSessionsAlone(t *testing.T) {
	kept := &ledger{}
	p := mount(t, setup{options: rpc.Options{Records: kept.over(t)}})
	session := p.begin("2025-11-25")
	body, headers := modern("server/discover", "", session[1])
	for range 1000 {
		if w := p.post(body, headers...); w.Code != 200 || w.Header().Get("Mcp-Session-Id") != "" {
			t.Fatal(w.Code, w.Header())
		}
	}
	if kept.puts != 1 || kept.gets != 0 {
		t.Errorf("%d records, read %d times", kept.puts, kept.gets)
	}
}

// case E04: modelcontextprotocol/ruby-sdk#261, modelcontextprotocol/conformance#429
func TestEndOfSession(t *testing.T) { // mcp E31, E32, L7
	p := mount(t, setup{})
	session := p.begin("2025-11-25")
	for _, c := range []struct {
		name    string
		headers []string
		status  int
		text    string
	}{
		{"2026-07-28 has none, mcp E32", []string{"MCP-Protocol-Version: 2026-07-28", session[1]}, 405, "no sessions"},
		{"a version that is not spoken", []string{"MCP-Protocol-Version: 1900-01-01", session[1]}, 400, "-32022"},
		{"known", session, 204, ""},
		{"again", session, 404, "Session not found"},
		{"unknown", []string{"Mcp-Session-Id: x"}, 404, "Session not found"},
		{"no id", nil, 400, "Mcp-Session-Id"},
		{"two ids", []string{session[1], "Mcp-Session-Id: x"}, 400, "Mcp-Session-Id"},
	} {
		w := p.end(c.headers...)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.text) || c.status == 204 && w.Body.Len() > 0 {
			t.Errorf("%s: %d %s, want %d", c.name, w.Code, w.Body, c.status)
		}
	}
	if w := p.post(listTools, session...); w.Code != 404 {
		t.Errorf("after the end: %d", w.Code)
	}
	body := p.request(t.Context(), http.MethodDelete, "/mcp", `{"jsonrpc":`, p.begin("2025-11-25")...)
	if body.Code != 204 { // DELETE has no body; what is sent all the same is not read
		t.Errorf("with a body: %d %s", body.Code, body.Body)
	}
	get := p.request(t.Context(), http.MethodGet, "/mcp", "", session...) // mcp E30
	if get.Code != 405 || get.Header().Get("Allow") != "POST, DELETE, OPTIONS" {
		t.Errorf("GET: %d %v", get.Code, get.Header())
	}
}

// case E10: agentic-community/mcp-gateway-registry#1357. A session of somebody
// else is one that is not there, and so is one of another endpoint (mcp E33);
// a new token of the same caller keeps it (mcp row 76).
func TestForeignSession(t *testing.T) {
	caller := func(secret, id string) guard.Token {
		return guard.Token{Secret: secret, Caller: rpc.Caller{ID: id, Groups: []string{"mcp", "other"}}}
	}
	p := mount(t, setup{
		policy: guard.Policy{Tokens: []guard.Token{
			caller("one", "ann"), caller("rotated", "ann"), caller("two", "bob"),
			caller("three", strings.Repeat("c", 300)), caller("four", strings.Repeat("c", 299)+"d"),
		}},
		services: []any{&Depot{}, rpc.Service{Name: "Late", Groups: []string{"mcp"}, Since: 2, Methods: []rpc.Method{{Name: "x", Func: func() {}}}},
			rpc.Service{Name: "Other", Groups: []string{"other"}, Methods: []rpc.Method{{Name: "x", Func: func() {}}}}},
		more: []guard.Edge{mcp.Edge{Path: "/other", Group: "other"}},
	})
	ann := sessionOf(p.begin("2025-11-25", "RPC-Token: one"))
	long := sessionOf(p.begin("2025-11-25", "RPC-Token: three"))
	missing := p.post(listTools, "RPC-Token: two", "Mcp-Session-Id: "+strings.Repeat("A", 26)).Body.String()
	for _, c := range []struct {
		name, path, token, session string
		status                     int
	}{
		{"its own", "/mcp", "one", ann, 200},
		{"a rotated token", "/mcp", "rotated", ann, 200},
		{"another caller", "/mcp", "two", ann, 404},
		{"no token", "/mcp", "", ann, 401},
		{"another version", "/mcp/v2", "one", ann, 404},
		{"another group", "/other", "one", ann, 404},
		{"a long name", "/mcp", "three", long, 200},
		{"another long name", "/mcp", "four", long, 404},
	} {
		w := p.postTo(c.path, listTools, "RPC-Token: "+c.token, "Mcp-Session-Id: "+c.session)
		if w.Code != c.status || w.Code == 404 && w.Body.String() != missing {
			t.Errorf("%s: %d %.200s, want %d", c.name, w.Code, w.Body, c.status)
		}
	}
	if w := p.end("RPC-Token: two", "Mcp-Session-Id: "+ann); w.Code != 404 {
		t.Errorf("another caller ends it: %d", w.Code)
	}
	if w := p.end("RPC-Token: rotated", "Mcp-Session-Id: "+ann); w.Code != 204 {
		t.Errorf("a rotated token ends it: %d", w.Code)
	}
}

// mcp L3: ids are visible ASCII and random, and a record is small.
func TestSessionIDs(t *testing.T) {
	kept := &ledger{}
	p := mount(t, setup{
		policy: guard.Policy{Tokens: []guard.Token{
			{Secret: "s", Caller: rpc.Caller{ID: strings.Repeat("long", 100), Groups: []string{"mcp"}}},
		}},
		options: rpc.Options{Records: kept.over(t)},
	})
	seen := map[string]bool{}
	for range 1000 {
		id := sessionOf(p.begin("2025-11-25", "RPC-Token: s"))
		if seen[id] || len(id) < 26 || strings.ContainsFunc(id, func(r rune) bool { return r < 0x21 || r > 0x7e }) {
			t.Fatalf("id %q", id)
		}
		seen[id] = true
	}
	if kept.largest == 0 || kept.largest > 400 {
		t.Errorf("a record has %d bytes with its key", kept.largest)
	}
	t.Logf("%d bytes", kept.largest)
}

// Sessions end when they are not used, and leave nothing: 10 000 of them fill
// the records, and once they are over as many have room again.
func TestAbandonedSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 10_000
		pool, err := cache.NewMemory(1<<20, cache.MaxRecords(n))
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		p := mount(t, setup{options: rpc.Options{Records: pool}})
		for round := range 2 {
			for i := range n {
				if id := sessionOf(p.begin("2025-11-25")); id == "" {
					t.Fatalf("round %d: no session %d", round, i)
				}
			}
			w := p.post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`)
			if w.Code != 503 || w.Header().Get("Mcp-Session-Id") != "" {
				t.Errorf("round %d: there is room for more: %d", round, w.Code)
			}
			time.Sleep(time.Hour + time.Second) // in the test's own time
		}
	})
}

// A session lasts as long as it is used, and is not prolonged at every call.
func TestSessionLasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kept := &ledger{}
		p := mount(t, setup{edge: mcp.Edge{SessionTTL: 8 * time.Minute}, options: rpc.Options{Records: kept.over(t)}})
		session := p.begin("2025-11-25")
		for range 10 * 60 {
			time.Sleep(2 * time.Second)
			if w := p.post(listTools, session...); w.Code != 200 {
				t.Fatalf("%d after %d calls", w.Code, kept.gets)
			}
		}
		if kept.gets != 600 || kept.touches < 19 || kept.touches > 21 { // once a minute
			t.Errorf("%d reads, prolonged %d times", kept.gets, kept.touches)
		}
		time.Sleep(7 * time.Minute)
		if w := p.post(listTools, session...); w.Code != 200 {
			t.Errorf("seven minutes later: %d", w.Code)
		}
		time.Sleep(8*time.Minute + time.Second)
		if w := p.post(listTools, session...); w.Code != 404 {
			t.Errorf("after its end: %d", w.Code)
		}
	})
}
