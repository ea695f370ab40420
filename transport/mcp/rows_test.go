package mcp_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// mcp rows 47 to 50 and 68: every result of 2026-07-28 is complete and says
// who made it; lists say how long they last, all pages alike, calls do not.
func TestModernResults(t *testing.T) {
	p := mount(t, setup{services: []any{&Depot{}, many(1001)}})
	for _, c := range []struct {
		method, rest, name string
		lasts              bool
	}{
		{"server/discover", "", "", true},
		{"tools/list", "", "", true},
		{"tools/list", `"cursor":"dG9vbCAxMDAw"`, "", true},
		{"tools/call", `"name":"Depot.ping"`, "Depot.ping", false},
		{"tools/call", `"name":"Depot.sell"`, "Depot.sell", false},
		{"tools/call", `"name":"Depot.picture"`, "Depot.picture", false},
	} {
		body, headers := modern(c.method, c.rest, "Mcp-Name: "+c.name)
		var answer struct {
			Result map[string]jsontext.Value `json:"result"`
		}
		w := p.post(body, headers...)
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		r := answer.Result
		if string(r["resultType"]) != `"complete"` || !strings.HasPrefix(string(r["_meta"]), `{"io.modelcontextprotocol/serverInfo":{"name":"depot"`) {
			t.Errorf("%s %s: %.300s", c.method, c.rest, w.Body)
		}
		if c.lasts != (string(r["ttlMs"]) == "300000") || c.lasts != (string(r["cacheScope"]) == `"private"`) {
			t.Errorf("%s %s: ttlMs %s, cacheScope %s", c.method, c.rest, r["ttlMs"], r["cacheScope"])
		}
	}
}

// mcp rows 1 to 4 and 30, L14, case E12: the policy comes before the protocol,
// with an error that has no id.
func TestPolicyComesFirst(t *testing.T) {
	p := mount(t, setup{policy: guard.Policy{
		Hosts: []string{"localhost", "127.0.0.1", "[::1]"}, Origins: []string{"https://app.example"},
		Tokens: []guard.Token{{Secret: "s", Caller: rpc.Caller{ID: "a", Groups: []string{"mcp"}}}},
	}})
	for _, era := range []string{"2025-11-25", "2026-07-28"} {
		for host, origin := range map[string]string{"evil.example": "", "localhost": "https://evil.example"} {
			body, headers := modern("tools/list", "")
			if era == "2025-11-25" {
				body, headers = listTools, []string{"MCP-Protocol-Version: 2025-11-25"}
			}
			r := replayOf(body)
			r.r.Host = host
			for _, line := range append(headers, "Origin: "+origin) {
				if name, value, _ := strings.Cut(line, ": "); value != "" {
					r.r.Header.Set(name, value)
				}
			}
			w := r.recorded(p)
			if w.Code != http.StatusForbidden || !strings.HasPrefix(w.Body.String(), `{"jsonrpc":"2.0","error":`) {
				t.Errorf("%s, Host %s, Origin %s: %d %s", era, host, origin, w.Code, w.Body)
			}
		}
	}
	for _, host := range []string{"localhost:1234", "127.0.0.1", "[::1]:99"} {
		body, headers := modern("tools/list", "", "RPC-Token: s")
		r := replayOf(body)
		r.r.Host = host
		for _, line := range headers {
			name, value, _ := strings.Cut(line, ": ")
			r.r.Header.Set(name, value)
		}
		if w := r.recorded(p); w.Code != 200 {
			t.Errorf("Host %s: %d %s", host, w.Code, w.Body)
		}
	}
	const asked = "authorization, content-type, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, mcp-param-region, last-event-id, accept-language"
	r := replayOf("")
	r.r.Method, r.r.Host = http.MethodOptions, "localhost"
	r.r.Header.Set("Origin", "https://app.example")
	r.r.Header.Set("Access-Control-Request-Method", "DELETE")
	r.r.Header.Set("Access-Control-Request-Headers", asked)
	w := r.recorded(p)
	if w.Code != 204 || w.Header().Get("Access-Control-Allow-Headers") != asked || !strings.Contains(w.Header().Get("Access-Control-Allow-Methods"), "DELETE") {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	r = replayOf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`)
	r.r.Host = "localhost"
	r.r.Header.Set("Origin", "https://app.example")
	r.r.Header.Set("RPC-Token", "s")
	if w = r.recorded(p); !strings.Contains(w.Header().Get("Access-Control-Expose-Headers"), "Mcp-Session-Id") || w.Header().Get("Mcp-Session-Id") == "" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

// mcp rows 75 and 76: a token that is missing is told plainly, at each request,
// also within a session.
func TestTokenAtEachRequest(t *testing.T) {
	p := mount(t, setup{policy: guard.Policy{Tokens: []guard.Token{{Secret: "s", Caller: rpc.Caller{ID: "a", Groups: []string{"mcp"}}}}}})
	session := p.begin("2025-11-25", "RPC-Token: s")
	for name, w := range map[string]struct {
		method string
		body   string
	}{"a message": {http.MethodPost, listTools}, "the end": {http.MethodDelete, ""}, "initialize": {http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`}} {
		w := p.request(t.Context(), w.method, "/mcp", w.body, session[1:]...)
		if w.Code != 401 || w.Header().Get("WWW-Authenticate") != "Bearer" || w.Header().Get("Mcp-Session-Id") != "" { // case E03
			t.Errorf("%s: %d %v", name, w.Code, w.Header())
		}
	}
}

// mcp rows 8, 11, 15, 16, 24, 39, 40, 42, 44, 45, 70 and 71: what a server of
// tools alone, which keeps nothing between requests, says to the rest of
// 2026-07-28.
func TestStandsAlone(t *testing.T) {
	p := mount(t, setup{})
	list, headers := modern("tools/list", "")
	first := p.post(list, headers...).Body.String()
	for _, lines := range [][]string{{"Mcp-Session-Id: x"}, {"Last-Event-ID: 7"}, {"Mcp-Session-Id: x", "Last-Event-ID: 7"}} {
		if w := p.post(list, append(headers, lines...)...); w.Body.String() != first || w.Header().Get("Mcp-Session-Id") != "" {
			t.Errorf("%q: %d %v", lines, w.Code, w.Header())
		}
	}
	more := strings.Replace(list, `clientCapabilities":{}`, `clientCapabilities":{"extensions":{"com.example/x":{}},"elicitation":{}},"com.example/y":1`, 1)
	if got := p.post(more, headers...).Body.String(); got != first {
		t.Errorf("extensions and keys that are not known: %.200s", got)
	}
	for _, method := range []string{
		"initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "resources/list", "resources/read",
		"resources/templates/list", "prompts/list", "prompts/get", "completion/complete", "tasks/get", "tasks/update", "tasks/cancel", "subscriptions/listen",
	} {
		body, headers := modern(method, "")
		if w := p.post(body, headers...); w.Code != 404 || !strings.HasPrefix(w.Body.String(), `{"jsonrpc":"2.0","id":1,"error":{"code":-32601`) {
			t.Errorf("%s: %d %s", method, w.Code, w.Body)
		}
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		if w := p.request(t.Context(), method, "/mcp", "", "MCP-Protocol-Version: 2026-07-28", "Mcp-Session-Id: x"); w.Code != 405 || w.Header().Get("Allow") == "" {
			t.Errorf("%s: %d %v", method, w.Code, w.Header())
		}
	}
	discover, headers := modern("server/discover", "")
	if got := p.post(discover, headers...).Body.String(); !strings.Contains(got, `"capabilities":{"tools":{}},`) {
		t.Error(got)
	}
}

// EitherParams takes one of two.
type EitherParams struct {
	SKU  string `json:"sku,omitempty" validate:"required_without=Name"`
	Name string `json:"name,omitempty" validate:"required_without=SKU"`
}

// case D07: DeusData/codebase-memory-mcp#1524. Arguments of which one is
// needed leave the root of the schema alone: clients take no oneOf there. The
// rule is told beside each, and holds when the tool is called.
func TestEitherArgument(t *testing.T) {
	p := mount(t, setup{services: []any{rpc.Service{Name: "S", Groups: []string{"mcp"}, Methods: []rpc.Method{
		{Name: "find", Func: func(p EitherParams) string { return p.SKU + p.Name }},
	}}}})
	tool := p.list(t, "").tool("S.find")
	var root map[string]jsontext.Value
	if err := json.Unmarshal(tool.InputSchema, &root); err != nil {
		t.Fatal(err)
	}
	for _, keyword := range []string{"oneOf", "anyOf", "allOf", "not", "if"} {
		if root[keyword] != nil {
			t.Errorf("%s at the root of %s", keyword, tool.InputSchema)
		}
	}
	if !strings.Contains(string(tool.InputSchema), `"x-validate":"required_without=name"`) {
		t.Errorf("the rule is not told: %s", tool.InputSchema)
	}
	if got := p.call("S.find", `{}`).Body.String(); !strings.Contains(got, `"isError":true`) || !strings.Contains(got, "required_without") {
		t.Error(got)
	}
	if got := p.call("S.find", `{"name":"x"}`).Body.String(); !strings.Contains(got, `"result":"x"`) {
		t.Error(got)
	}
}
