package mcp_test

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// row is one message and what is answered: the status, and the error's code,
// 0 for none. text must be in the body.
type row struct {
	name    string // the row of the protocol's table, or the reported case
	body    string
	headers []string
	status  int
	code    int
	text    string
	noID    bool // the error has no id
	begins  bool // a session begins
}

func rowOf(name, body string, headers []string) row {
	return row{name: name, body: body, headers: headers}
}

func (r row) want(status, code int, text string) row {
	r.status, r.code, r.text = status, code, text
	return r
}

func (r row) run(t *testing.T, p *program) {
	t.Helper()
	t.Run(r.name, func(t *testing.T) {
		t.Helper()
		checkRow(t, r, p.post(r.body, r.headers...))
	})
}

func checkRow(t *testing.T, r row, w *httptest.ResponseRecorder) {
	t.Helper()
	body := w.Body.String()
	shown := body[:min(len(body), 400)]
	if w.Code != r.status {
		t.Errorf("status %d, want %d; body %s", w.Code, r.status, shown)
	}
	if begins := w.Header().Get("Mcp-Session-Id") != ""; begins != r.begins { // case E01, case E03
		t.Errorf("a session began: %v", begins)
	}
	if w.Code == 202 || w.Code == 204 {
		if body != "" {
			t.Errorf("body %q, want none", body)
		}
		return
	}
	var answer struct {
		JSONRPC string         `json:"jsonrpc"`
		ID      jsontext.Value `json:"id"`
		Result  jsontext.Value `json:"result"`
		Error   struct {
			Code int `json:"code"`
		} `json:"error"`
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		t.Fatalf("body %s: %v", shown, err)
	}
	if answer.Error.Code != r.code {
		t.Errorf("code %d, want %d; body %s", answer.Error.Code, r.code, shown)
	}
	if !strings.Contains(body, r.text) {
		t.Errorf("body %s, want %q in it", shown, r.text)
	}
	if r.noID != (answer.ID == nil) {
		t.Errorf("id %s; body %s", answer.ID, shown)
	}
}

// case E06, mcp rows 17 to 19, 35 and 36: the checks of a request of 2026-07-28,
// in the order that lets clients of both eras learn what they talk to.
func TestModernEnvelope(t *testing.T) {
	p := mount(t, setup{})
	const v = "MCP-Protocol-Version: 2026-07-28"
	list := func(params string, headers ...string) row {
		return row{
			body:    `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":` + params + `}`,
			headers: over([]string{v, "Mcp-Method: tools/list"}, headers),
		}
	}
	named := func(name string, r row) row { r.name = name; return r }
	full := func(name, method, rest string, headers ...string) row {
		body, all := modern(method, rest, headers...)
		return rowOf(name, body, all)
	}
	withMeta := func(name, more string) row {
		return named(name, list(`{"_meta":{`+metaVersion+`,`+metaCaps+`,`+more+`}}`))
	}
	metaOf := func(version string) string {
		return `{"_meta":{"io.modelcontextprotocol/protocolVersion":"` + version + `",` + metaCaps + `}}`
	}
	for _, r := range []row{
		full("mcp E1", "tools/list", "").want(200, 0, `"resultType":"complete"`),
		full("mcp row 37", "server/discover", "").want(200, 0, `"supportedVersions":["2026-07-28"`),
		full("mcp E4", "initialize", `"protocolVersion":"2026-07-28"`).want(404, -32601, ""),
		named("mcp E5", row{body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`, headers: []string{v, "Mcp-Method: initialize"}}).
			want(400, -32602, "send initialize without the header"),
		full("mcp E8 a session id is ignored", "tools/list", "", "Mcp-Session-Id: bogus").want(200, 0, `"tools"`),
		named("mcp E13 no version at all", row{body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, headers: []string{"MCP-Protocol-Version: foo"}}).
			want(400, -32022, `"requested":"foo"`),
		named("mcp E13 too old", row{body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, headers: []string{"MCP-Protocol-Version: 1900-01-01"}}).
			want(400, -32022, `"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]`),
		named("mcp E14", list(metaOf("v999.0.0"), "MCP-Protocol-Version: v999.0.0")).want(400, -32022, `"requested":"v999.0.0"`),
		named("mcp E14 later", list(metaOf("2099-01-01"), "MCP-Protocol-Version: 2099-01-01")).want(400, -32022, `"requested":"2099-01-01"`),
		named("mcp E15", list(metaOf("2025-11-25"))).want(400, -32020, ""),
		named("mcp row 36 a difference is told before an unknown version", list(metaOf("v999.0.0"))).want(400, -32020, ""),
		named("mcp E16", list(metaOf("2026-07-28"), "MCP-Protocol-Version: 2025-11-25")).want(400, -32020, ""),
		named("mcp E17", list(metaOf("2026-07-28"), "MCP-Protocol-Version:")).want(400, -32020, "is missing"),
		named("mcp row 29 version twice", list(`{`+meta+`}`, v, v)).want(400, -32020, "more than once"),
		named("mcp row 29 version twice, session era", row{body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, headers: []string{"MCP-Protocol-Version: 2025-06-18", "MCP-Protocol-Version: 2025-06-18"}}).
			want(400, -32020, "more than once"),
		named("mcp E18 no params", row{body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, headers: []string{v, "Mcp-Method: tools/list"}}).want(400, -32602, keyBoth),
		named("mcp E18 params by position", list(`[]`)).want(400, -32602, keyBoth),
		named("mcp E18 no _meta", list(`{}`)).want(400, -32602, keyBoth),
		named("mcp E18 _meta null", list(`{"_meta":null}`)).want(400, -32602, keyBoth),
		named("mcp E18 _meta empty", list(`{"_meta":{}}`)).want(400, -32602, keyBoth),
		named("mcp E18 no version", list(`{"_meta":{`+metaCaps+`}}`)).want(400, -32602, "protocolVersion"),
		named("mcp E18 no capabilities", list(`{"_meta":{`+metaVersion+`}}`)).want(400, -32602, "clientCapabilities"),
		named("mcp row 31 version no string", list(`{"_meta":{"io.modelcontextprotocol/protocolVersion":1,`+metaCaps+`}}`)).want(400, -32602, "protocolVersion"),
		named("mcp row 31 capabilities no object", list(`{"_meta":{`+metaVersion+`,"io.modelcontextprotocol/clientCapabilities":[]}}`)).want(400, -32602, "clientCapabilities"),
		withMeta("mcp row 32 clientInfo", `"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"}`).want(200, 0, ""),
		withMeta("mcp row 32 clientInfo no object", `"io.modelcontextprotocol/clientInfo":"x"`).want(400, -32602, "clientInfo"),
		withMeta("mcp row 33 logLevel", `"io.modelcontextprotocol/logLevel":"info"`).want(200, 0, ""),
		withMeta("mcp row 33 unknown logLevel", `"io.modelcontextprotocol/logLevel":"loud"`).want(400, -32602, "logLevel"),
		withMeta("mcp row 33 progressToken", `"progressToken":"a"`).want(200, 0, ""),
		withMeta("mcp row 33 progressToken a number", `"progressToken":7`).want(200, 0, ""),
		withMeta("mcp row 33 progressToken an object", `"progressToken":{}`).want(400, -32602, "progressToken"),
		withMeta("mcp row 33 trace context", `"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"`).want(200, 0, ""),
		withMeta("mcp row 34 unknown keys", `"example.com/key":1`).want(200, 0, ""),
		withMeta("case A11 _meta key twice", metaCaps).want(400, -32602, "is given twice"),
		named("case A11 _meta twice", list(`{`+meta+`,`+meta+`}`)).want(400, -32602, "is given twice"),
		named("case A11 _META is another name", list(`{"_META":{`+metaVersion+`,`+metaCaps+`}}`)).want(400, -32602, keyBoth),
		named("mcp row 20 Mcp-Method missing", list(`{`+meta+`}`, "Mcp-Method:")).want(400, -32020, "Mcp-Method"),
		named("mcp row 20 Mcp-Method differs", list(`{`+meta+`}`, "Mcp-Method: tools/call")).want(400, -32020, "Mcp-Method"),
		named("mcp row 22 values by case", list(`{`+meta+`}`, "Mcp-Method: Tools/List")).want(400, -32020, "Mcp-Method"),
		named("mcp row 22 white space", list(`{`+meta+`}`, "Mcp-Method:   tools/list  ")).want(200, 0, ""),
		named("mcp row 29 Mcp-Method twice", list(`{`+meta+`}`, "Mcp-Method: tools/list", "Mcp-Method: tools/list")).want(400, -32020, "more than once"),
		full("mcp row 41", "unknown/method", "").want(404, -32601, "unknown/method"),
		full("mcp row 42 ping", "ping", "").want(404, -32601, ""),
		full("mcp row 42 logging/setLevel", "logging/setLevel", "").want(404, -32601, ""),
		full("mcp row 42 resources/subscribe", "resources/subscribe", "").want(404, -32601, ""),
		full("mcp row 39 prompts/list", "prompts/list", "").want(404, -32601, ""),
		full("mcp row 69 subscriptions/listen", "subscriptions/listen", "").want(404, -32601, ""),
		named("mcp E24", row{body: `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`}).want(400, -32602, keyBoth),
		named("mcp E27", row{body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, headers: []string{v}}).want(202, 0, ""),
		named("mcp E27 of a version that is not spoken", row{body: `{"jsonrpc":"2.0","method":"notifications/x"}`, headers: []string{"MCP-Protocol-Version: 2099-01-01"}, noID: true}).want(400, -32022, ""),
		named("mcp E29", row{body: `{"jsonrpc":"2.0","id":1,"result":{}}`, headers: []string{v}}).want(400, -32600, ""),
		named("mcp E20 header", row{body: `[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]`, headers: []string{v}, noID: true}).want(400, -32600, "batch"),
		named("mcp E20 meta", row{body: `[{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}]`, noID: true}).want(400, -32600, "batch"),
		named("mcp row 9 no JSON", row{body: `{`, headers: []string{v}, noID: true}).want(400, -32700, ""),
		named("mcp row 10 id null", row{body: `{"jsonrpc":"2.0","id":null,"method":"tools/list","params":{` + meta + `}}`, headers: []string{v, "Mcp-Method: tools/list"}, noID: true}).want(400, -32600, `\"id\"`),
		named("mcp row 10 id a fraction", row{body: `{"jsonrpc":"2.0","id":1.5,"method":"tools/list","params":{` + meta + `}}`, headers: []string{v, "Mcp-Method: tools/list"}}).want(400, -32600, `\"id\"`),
		named("mcp row 43 ids as they were", row{body: `{"jsonrpc":"2.0","id":"a\u0062","method":"x","params":{` + meta + `}}`, headers: []string{v, "Mcp-Method: x"}}).want(404, -32601, `"id":"a\u0062"`),
		named("case A24", row{body: `{"jsonrpc":"1.0","id":7,"method":"tools/list"}`, headers: []string{v}}).want(400, -32600, `"id":7`),
	} {
		r.run(t, p)
	}
}

// over is the header lines of base without those that more says otherwise.
func over(base, more []string) []string {
	var out []string
	for _, line := range base {
		name, _, _ := strings.Cut(line, ":")
		if !slices.ContainsFunc(more, func(l string) bool { return strings.HasPrefix(l, name+":") }) {
			out = append(out, line)
		}
	}
	return append(out, more...)
}

// keyBoth is in the message when both keys of _meta are missing.
const keyBoth = `protocolVersion\" and \"io.modelcontextprotocol/clientCapabilities`

func TestMcpName(t *testing.T) {
	p := mount(t, setup{})
	call := func(name, tool string, headers ...string) row {
		body, all := modern("tools/call", `"name":"`+tool+`","arguments":{}`, headers...)
		return rowOf(name, body, all)
	}
	for _, r := range []row{
		call("mcp row 21", "Depot.ping", "Mcp-Name: Depot.ping").want(200, 0, "pong x"),
		call("mcp row 21 missing", "Depot.ping").want(400, -32020, "Mcp-Name is missing"),
		call("mcp row 21 differs", "Depot.ping", "Mcp-Name: Depot.find").want(400, -32020, "Mcp-Name"),
		call("mcp row 22 by case", "Depot.ping", "Mcp-Name: depot.ping").want(400, -32020, "Mcp-Name"),
		call("mcp row 22 name of the header", "Depot.ping", "mCP-nAME: Depot.ping").want(200, 0, "pong x"),
		call("mcp row 23", "Depot.ping", "Mcp-Name: =?base64?RGVwb3QucGluZw==?=").want(200, 0, "pong x"),
		call("mcp row 23 other text", "Depot.ping", "Mcp-Name: =?base64?RGVwb3QuZmluZA==?=").want(400, -32020, "Mcp-Name"),
		call("mcp row 23 no padding", "Depot.ping", "Mcp-Name: =?base64?RGVwb3QucGluZw?=").want(400, -32020, "base64"),
		call("mcp row 23 other alphabet", "Depot.ping", "Mcp-Name: =?base64?RGVwb3Q_-GluZw==?=").want(400, -32020, "base64"),
		call("mcp row 23 stray bits at the end", "Depot.ping", "Mcp-Name: =?base64?RGVwb3QucGluZx==?=").want(400, -32020, "base64"),
		call("mcp row 23 nothing inside", "Depot.ping", "Mcp-Name: =?base64??=").want(400, -32020, "body says"),
		call("mcp row 23 the marks overlap, another name", "Depot.ping", "Mcp-Name: =?base64?=").want(400, -32020, "body says"),
		call("mcp row 23 mark by case", "Depot.ping", "Mcp-Name: =?BASE64?RGVwb3QucGluZw==?=").want(400, -32020, "body says"),
		call("mcp row 23 only the prefix", "=?base64?x", "Mcp-Name: =?base64?x").want(200, -32602, "Unknown tool"),
		call("mcp row 23 only the suffix", "x?=", "Mcp-Name: x?=").want(200, -32602, "Unknown tool"),
		call("mcp row 23 the marks overlap", "=?base64?=", "Mcp-Name: =?base64?=").want(200, -32602, "Unknown tool"),
		call("mcp row 23 beyond ASCII", "чай", "Mcp-Name: =?base64?0YfQsNC5?=").want(200, -32602, "Unknown tool: чай"),
		call("mcp row 29", "Depot.ping", "Mcp-Name: Depot.ping", "Mcp-Name: Depot.ping").want(400, -32020, "more than once"),
		call("mcp row 28", "Depot.ping", "Mcp-Name: Depot.ping", "Mcp-Param-X: y").want(200, 0, "pong x"),
	} {
		r.run(t, p)
	}
}

// case E01: modern requests never get a session; checkRow looks at every
// answer for one.
func TestDiscoverThenInitialize(t *testing.T) { // mcp E26, anthropics/claude-code#96183
	p := mount(t, setup{})
	body, headers := modern("server/discover", "")
	rowOf("discover", body, headers).want(200, 0, `"supportedVersions"`).run(t, p)
	row{name: "initialize", begins: true, body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}`}.
		want(200, 0, `"protocolVersion":"2025-11-25"`).run(t, p)
}

func TestDiscover(t *testing.T) { // mcp rows 37, 38 and 49
	p := mount(t, setup{})
	body, headers := modern("server/discover", "")
	want := `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",` +
		`"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],` +
		`"capabilities":{"tools":{}},"instructions":"Keeps goods.","ttlMs":300000,"cacheScope":"private",` +
		`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"depot","title":"Depot","version":"1.2.3",` +
		`"description":"Keeps goods.","websiteUrl":"https://depot.example"}}}}`
	if got := p.post(body, headers...).Body.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A header that is no UTF-8 is told back as text, not as broken JSON.
func TestRequestedVersionIsText(t *testing.T) { // case A28
	p := mount(t, setup{})
	w := p.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "MCP-Protocol-Version: \xff\"<x>")
	var v any
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Errorf("%q: %v", w.Body, err)
	}
	if !strings.Contains(w.Body.String(), "\"requested\":\"\uFFFD\\\"<x>\"") {
		t.Error(w.Body)
	}
}
