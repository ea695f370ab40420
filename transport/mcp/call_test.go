package mcp_test

import (
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const serverInfo = `,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"depot","title":"Depot","version":"1.2.3"}}`

// R-M09, mcp rows 61 and 62, case D12, case D13: the answer in every era, byte for byte.
func TestSuccess(t *testing.T) {
	p := mount(t, setup{})
	const item = `[{\"sku\":\"t1\",\"name\":\"tea \\\"quoted\\\" \\\\ back\",\"price\":9007199254740993,\"tags\":[]}]`
	const same = `[{"sku":"t1","name":"tea \"quoted\" \\ back","price":9007199254740993,"tags":[]}]`
	for version, want := range map[string]string{
		"2024-11-05": `{"content":[{"type":"text","text":"` + item + `"}],"isError":false}`,
		"2025-03-26": `{"content":[{"type":"text","text":"` + item + `"}],"isError":false}`,
		"2025-06-18": `{"content":[{"type":"text","text":"` + item + `"}],"structuredContent":{"result":` + same + `},"isError":false}`,
		"2025-11-25": `{"content":[{"type":"text","text":"` + item + `"}],"structuredContent":{"result":` + same + `},"isError":false}`,
	} {
		want = `{"jsonrpc":"2.0","id":1,"result":` + want + `}`
		if got := p.legacyCall(version, "Depot.find", `{"query":"tea"}`).Body.String(); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", version, got, want)
		}
	}
	want := `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"` + item +
		`"}],"structuredContent":{"result":` + same + `},"isError":false` + serverInfo + `}}`
	if got := p.call("Depot.find", `{"query":"tea"}`).Body.String(); got != want {
		t.Errorf("2026-07-28\ngot  %s\nwant %s", got, want)
	}
}

func TestResults(t *testing.T) {
	p := mount(t, setup{})
	const hi = `"content":[{"type":"text","text":"hi"},{"type":"image","data":"AQID","mimeType":"image/png"}],"isError":false`
	for name, c := range map[string]struct{ tool, arguments, want string }{
		"no result, R-M09":     {"Depot.clear", `{}`, `"text":"null"}],"structuredContent":{"result":null},"isError":false`},
		"nil pointer, D12":     {"Depot.maybe", `{}`, `"text":"null"}],"structuredContent":{"result":null},"isError":false`},
		"any":                  {"Depot.anything", `{}`, `"structuredContent":{"result":{"a":1}}`},
		"blocks, R-M09":        {"Depot.picture", `{}`, hi},
		"default, C15":         {"Depot.ping", `{}`, `"result":"pong x"`},
		"arguments null":       {"Depot.ping", `null`, `"result":"pong x"`},
		"text form":            {"Depot.count", `{}`, `"result":"1m30s"`},
		"from the cache":       {"Depot.count", `{}`, `"result":"1m30s"`},
		"recursive, case C03":  {"Depot.tree", `{"root":{"name":"a","kids":[{"name":"b"}]}}`, `"result":{"name":"a","kids":[{"name":"b"}]}`},
		"by position is none":  {"Depot.ping", `["me"]`, `"error":{"code":-32602`},
		"arguments a string":   {"Depot.ping", `"me"`, `"error":{"code":-32602`},
		"$rpc is not of tools": {"Depot.ping", `{"$rpc":{"timeout":10}}`, `"pointer":"/$rpc","rule":"unknown"`},
	} {
		t.Run(name, func(t *testing.T) {
			if w := p.call(c.tool, c.arguments); w.Code != 200 || !strings.Contains(w.Body.String(), c.want) {
				t.Errorf("%d %s, want %s", w.Code, w.Body, c.want)
			}
		})
	}
}

func TestArgumentsMayBeLeftOut(t *testing.T) { // case A13
	p := mount(t, setup{})
	body, headers := modern("tools/call", `"name":"Depot.ping"`, "Mcp-Name: Depot.ping")
	if w := p.post(body, headers...); !strings.Contains(w.Body.String(), "pong x") {
		t.Error(w.Body)
	}
}

// mcp L16: a version that lacks a kind of block gets text.
func TestBlocksByVersion(t *testing.T) {
	p := mount(t, setup{})
	link := `{"type":"resource_link","uri":"https://depot.example/a","name":"A"}`
	sound := `{"type":"audio","data":"AQ==","mimeType":"audio/wav"}`
	for version, want := range map[string]string{
		"2024-11-05": `{"type":"text","text":"A https://depot.example/a"},{"type":"text","text":"[audio/wav]"}`,
		"2025-03-26": `{"type":"text","text":"A https://depot.example/a"},` + sound,
		"2025-06-18": link + `,` + sound,
		"2025-11-25": link + `,` + sound,
	} {
		got := p.legacyCall(version, "Depot.picture", `{"link":true}`).Body.String()
		if want = `"content":[` + want + `],"isError":false`; !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}

// A result that the application wrote itself may hold line breaks: they are
// no line breaks of the event, and are escaped in the text.
func TestRawResult(t *testing.T) {
	const raw = "{\r\n\t\"a\": [1,\n2]}"
	p := mount(t, setup{services: []any{rpc.Service{Name: "Raw", Groups: []string{"mcp"}, Methods: []rpc.Method{
		{Name: "get", Func: func() jsontext.Value { return jsontext.Value(raw) }},
	}}}})
	body, headers := modern("tools/call", `"name":"Raw.get"`, "Mcp-Name: Raw.get", "Accept: text/event-stream")
	got := p.post(body, headers...).Body.String()
	data, ok := strings.CutSuffix(strings.TrimPrefix(got, "event: message\ndata: "), "\n\n")
	if !ok || strings.ContainsAny(data, "\r\n") {
		t.Errorf("%q", got)
	}
	if o := toolOutcome(t, p.call("Raw.get", `{}`).Body.Bytes()); o != rpcOutcome(t, p.postTo("/rpc", `{"jsonrpc":"2.0","id":1,"method":"Raw.get"}`).Body.Bytes()) {
		t.Errorf("%+v", o)
	}
}

// R-M08, mcp rows 64 and 66, case D19: what the schema states is an error of the protocol, all
// violations listed; what only the executor knows is a result that failed.
func TestArgumentErrors(t *testing.T) {
	asError, asResult := mount(t, setup{}), mount(t, setup{edge: mcp.Edge{ArgumentErrors: mcp.AsResult}})
	for name, c := range map[string]struct {
		tool, arguments string
		protocol        bool
		rules           []string
	}{
		"missing":            {"Depot.find", `{}`, true, []string{"required"}},
		"unknown":            {"Depot.find", `{"query":"a","x":1}`, true, []string{"unknown"}},
		"kind":               {"Depot.find", `{"query":1}`, true, []string{"type"}},
		"null":               {"Depot.find", `{"query":null}`, true, []string{"null"}},
		"twice":              {"Depot.find", `{"query":"a","query":"b"}`, true, []string{"duplicate"}},
		"range, case C18":    {"Depot.find", `{"query":"a","limit":9223372036854775808}`, true, []string{"range"}},
		"stated rule":        {"Depot.find", `{"query":"a","limit":101}`, true, []string{"max"}},
		"all at once":        {"Depot.find", `{"query":"123456789012345678901","limit":101,"x":1}`, true, []string{"unknown", "max", "max"}},
		"format":             {"Depot.mail", `{"to":"nobody","from":1,"till":2}`, false, []string{"email"}},
		"across fields":      {"Depot.mail", `{"to":"a@depot.example","from":2,"till":1}`, false, []string{"gtfield"}},
		"stated and not":     {"Depot.mail", `{"to":"nobody","from":"2","till":1}`, true, []string{"type", "email"}},
		"only not stated":    {"Depot.mail", `{"to":"nobody","from":2,"till":1}`, false, []string{"email", "gtfield"}},
		"blocks of nothing":  {"Depot.picture", `{"link":1}`, true, []string{"type"}},
		"no params, C15 A13": {"Depot.clear", `{"x":1}`, true, []string{"unknown"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := asError.call(c.tool, c.arguments)
			e, isResult := errorOf(t, w.Body.Bytes())
			if w.Code != 200 || isResult == c.protocol || e.Code != -32602 {
				t.Errorf("%d %s, want an error of the protocol: %v", w.Code, w.Body, c.protocol)
			}
			if got := e.rules(); got != strings.Join(c.rules, " ") {
				t.Errorf("rules %q, want %q", got, c.rules)
			}
			w = asResult.call(c.tool, c.arguments)
			f, isResult := errorOf(t, w.Body.Bytes())
			if !isResult || string(f.raw) != string(e.raw) {
				t.Errorf("with AsResult: %s, want the same error as a result: %s", w.Body, e.raw)
			}
		})
	}
}

// R-M10, mcp rows 64 and 65, case D10: other errors are results, without structured content.
func TestFailures(t *testing.T) {
	p := mount(t, setup{})
	for tool, want := range map[string]string{
		"Depot.sell":  `{"code":1001,"message":"Only 3 left.","data":{"exception":"SoldOut","details":{"left":3}}}`,
		"Depot.break": `{"code":-32603,"message":"Internal error.","data":{"exception":"Internal"}}`,
		"Depot.panic": `{"code":-32603,"message":"Internal error.","data":{"exception":"Internal"}}`,
	} {
		w := p.call(tool, `{}`)
		e, isResult := errorOf(t, w.Body.Bytes())
		if w.Code != 200 || !isResult || string(e.raw) != want {
			t.Errorf("%s: %d %s", tool, w.Code, w.Body)
		}
		if strings.Contains(w.Body.String(), "structuredContent") || !strings.HasSuffix(w.Body.String(), `"isError":true`+serverInfo+`}}`) {
			t.Errorf("%s: %s", tool, w.Body)
		}
	}
}

// wireError is the error object of an answer.
type wireError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    struct {
		Violations []struct {
			Rule string `json:"rule"`
		} `json:"violations"`
	} `json:"data"`
	raw []byte
}

func (e wireError) rules() string {
	var out []string
	for _, v := range e.Data.Violations {
		out = append(out, v.Rule)
	}
	return strings.Join(out, " ")
}

// errorOf reads the error of an answer, of the protocol or in a result.
func errorOf(t testing.TB, body []byte) (e wireError, isResult bool) {
	t.Helper()
	var answer struct {
		Error  jsontext.Value `json:"error"`
		Result struct {
			Content []struct{ Text string } `json:"content"`
			IsError bool                    `json:"isError"`
		} `json:"result"`
	}
	if err := json.Unmarshal(body, &answer, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	e.raw = answer.Error
	if answer.Result.IsError {
		e.raw, isResult = []byte(answer.Result.Content[0].Text), true
	}
	if e.raw == nil {
		t.Fatalf("no error in %s", body)
	}
	if err := json.Unmarshal(e.raw, &e); err != nil {
		t.Fatalf("%s: %v", e.raw, err)
	}
	return e, isResult
}

// R-S05, mcp row 63: nothing tells a tool that one may not see from one that
// is not there.
func TestUnknownTool(t *testing.T) {
	p := mount(t, setup{})
	hidden := p.call("Depot.secret", `{}`)
	missing := p.call("Depot.sicret", `{}`)
	if got := strings.ReplaceAll(missing.Body.String(), "sicret", "secret"); got != hidden.Body.String() || missing.Code != hidden.Code {
		t.Errorf("hidden  %s\nmissing %s", hidden.Body, missing.Body)
	}
	if want := `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool: Depot.secret","data":{"exception":"InvalidParams"}}}`; hidden.Body.String() != want {
		t.Errorf("got  %s\nwant %s", hidden.Body, want)
	}
	// Built-ins are of /rpc only (R-C12).
	if w := p.call("ping", `{}`); !strings.Contains(w.Body.String(), "Unknown tool: ping") {
		t.Error(w.Body)
	}
	if w := p.call(strings.Repeat("x", 500), `{}`); w.Body.Len() > 300 {
		t.Errorf("a long name is sent back whole: %d bytes", w.Body.Len())
	}
}

// R-M02, case D02
func TestUnderscoredNames(t *testing.T) {
	p := mount(t, setup{edge: mcp.Edge{Names: mcp.Underscored}})
	for _, name := range []string{"Depot_ping", "Depot.ping"} {
		if w := p.call(name, `{}`); !strings.Contains(w.Body.String(), "pong x") {
			t.Errorf("%s: %s", name, w.Body)
		}
	}
	body, headers := modern("tools/list", "")
	if got := p.post(body, headers...).Body.String(); !strings.Contains(got, `"name":"Depot_find"`) || strings.Contains(got, `"name":"Depot.`) {
		t.Error(got)
	}
	q := mount(t, setup{})
	if w := q.call("Depot_ping", `{}`); !strings.Contains(w.Body.String(), "Unknown tool") {
		t.Error(w.Body)
	}
}

// R-M11: the id of the envelope is the client's, whatever it is.
func TestIDs(t *testing.T) { // case A03
	p := mount(t, setup{})
	session := p.begin("2025-11-25")
	for _, id := range []string{`0`, `-1`, `9007199254740993`, `"1"`, `""`, `"é\u00e9"`} {
		body := `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"Depot.ping"}}`
		if got := p.post(body, session...).Body.String(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":`+id+`,"result"`) {
			t.Errorf("%s: %s", id, got)
		}
	}
}

// The order of S05: who may not come in learns nothing of the protocol.
func TestOrder(t *testing.T) { // R-M15, mcp rows 72 and 73
	p := mount(t, setup{policy: guard.Policy{Tokens: []guard.Token{
		{Secret: "good-token", Caller: rpc.Caller{ID: "a", Groups: []string{"mcp"}, Scopes: []string{"secrets"}}},
		{Secret: "other-token", Caller: rpc.Caller{ID: "b"}},
	}}})
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for name, c := range map[string]struct {
		path, body string
		headers    []string
		status     int
	}{
		"no such version first": {"/mcp/v9", `{`, nil, 404},
		"then the token":        {"/mcp", `{`, nil, 401},
		"a wrong token":         {"/mcp", `{`, []string{"Authorization: Bearer bad-token"}, 403},
		"another group":         {"/mcp", `{`, []string{"Authorization: Bearer other-token"}, 403},
		"then the media type":   {"/mcp", `{`, []string{"Authorization: Bearer good-token", "Content-Type: text/plain", "Accept: text/html"}, 415},
		"then Accept":           {"/mcp", `{`, []string{"Authorization: Bearer good-token", "Accept: text/html"}, 406},
		"then the message":      {"/mcp", `{`, []string{"Authorization: Bearer good-token"}, 400},
		"served":                {"/mcp", ping, []string{"RPC-Token: good-token"}, 200},
		"by its number":         {"/mcp/v1", ping, []string{"RPC-Token: good-token"}, 200},
	} {
		if w := p.postTo(c.path, c.body, c.headers...); w.Code != c.status {
			t.Errorf("%s: %d, want %d: %s", name, w.Code, c.status, w.Body)
		}
	}
	body, headers := modern("tools/call", `"name":"Depot.secret"`, "Mcp-Name: Depot.secret", "RPC-Token: good-token")
	if w := p.post(body, headers...); !strings.Contains(w.Body.String(), `"result":"secret"`) {
		t.Error(w.Body)
	}
}

// mcp row 7, L15, case B05: a body over the limit is refused before it is read whole.
func TestBodyLimit(t *testing.T) {
	p := mount(t, setup{policy: guard.Policy{MaxBody: 100}})
	if w := p.post(`{"jsonrpc":"2.0","id":1,"method":"ping"` + strings.Repeat(" ", 100) + `}`); w.Code != 413 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
