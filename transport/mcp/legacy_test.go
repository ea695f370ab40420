package mcp_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Without sessions each message stands alone, at the version of its header.
func TestLegacy(t *testing.T) {
	p := mount(t, standsAlone)
	message := func(name, method, params string, headers ...string) row {
		if params != "" {
			params = `,"params":` + params
		}
		return rowOf(name, `{"jsonrpc":"2.0","id":1,"method":"`+method+`"`+params+`}`, headers)
	}
	initialize := func(name, version string, headers ...string) row {
		return message(name, "initialize", `{"protocolVersion":"`+version+`","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`, headers...)
	}
	notify := func(name, method string, headers ...string) row {
		return rowOf(name, `{"jsonrpc":"2.0","method":"`+method+`"}`, headers)
	}
	const at = "MCP-Protocol-Version: "
	for _, r := range []row{
		initialize("mcp E2", "2025-11-25").want(200, 0, `"protocolVersion":"2025-11-25"`),
		initialize("mcp E2", "2025-06-18").want(200, 0, `"protocolVersion":"2025-06-18"`),
		initialize("mcp E2", "2025-03-26").want(200, 0, `"protocolVersion":"2025-03-26"`),
		initialize("mcp L2, case E17", "2024-11-05").want(200, 0, `"protocolVersion":"2024-11-05"`),
		initialize("mcp E3", "2026-07-28").want(200, 0, `"protocolVersion":"2025-11-25"`),
		initialize("case E17", "2099-01-01").want(200, 0, `"protocolVersion":"2025-11-25"`),
		initialize("mcp E6", "2025-06-18", at+"2025-11-25").want(200, 0, `"protocolVersion":"2025-06-18"`),
		initialize("mcp E7", "2025-06-18", "Mcp-Session-Id: old").want(200, 0, `"protocolVersion":"2025-06-18"`),
		message("case E17 no version", "initialize", `{}`).want(200, -32602, "protocolVersion"),
		message("case E17 no params", "initialize", "").want(200, -32602, "protocolVersion"),
		message("case E17 version no string", "initialize", `{"protocolVersion":1}`).want(200, -32602, "protocolVersion"),
		message("mcp L12, case D15", "ping", "", at+"2025-11-25").want(200, 0, `{"jsonrpc":"2.0","id":1,"result":{}}`),
		message("mcp L11, case E05 no header", "tools/list", "").want(200, 0, `"annotations":{"readOnlyHint":true}`),
		message("mcp E10, L5", "tools/list", "", at+"2025-11-25", "Mcp-Session-Id: unknown").noIDRow().want(404, -32600, "Session not found"),
		message("mcp E19", "tools/list", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}`, at+"2025-11-25").want(200, 0, `"tools"`),
		message("mcp E25", "server/discover", "", at+"2025-11-25").want(200, -32601, "server/discover"),
		message("mcp L6", "resources/list", "", at+"2025-11-25").want(200, -32601, ""),
		message("mcp E34", "logging/setLevel", `{"level":"info"}`, at+"2025-11-25").want(200, -32601, ""),
		message("case A11", "tools/call", `{"name":"Depot.ping","name":"Depot.find"}`, at+"2025-11-25").want(200, -32602, `\"name\" is given twice`),
		message("case A11 spelled otherwise", "tools/call", `{"name":"Depot.ping","n\u0061me":"Depot.find"}`, at+"2025-11-25").want(200, -32602, "twice"),
		message("case A11 by case", "tools/call", `{"Name":"Depot.ping"}`, at+"2025-11-25").want(200, -32602, `\"name\"`),
		message("case A11 other names are others", "tools/call", `{"name":"Depot.ping","Name":"Depot.find","ARGUMENTS":{"x":1}}`, at+"2025-11-25").want(200, 0, "pong x"),
		notify("mcp E28, case D18", "notifications/initialized", at+"2025-11-25").want(202, 0, ""),
		notify("case D18", "notifications/x").want(202, 0, ""),
		notify("mcp E28 unknown session", "notifications/x", "Mcp-Session-Id: x").noIDRow().want(404, -32600, ""),
		notify("mcp E13 on a notification", "notifications/initialized", at+"1900-01-01").noIDRow().want(400, -32022, ""),
		rowOf("case D18 cancelled", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`, nil).want(202, 0, ""),
		rowOf("mcp E29", `{"jsonrpc":"2.0","id":1,"result":{}}`, []string{at + "2025-11-25"}).want(202, 0, ""),
		rowOf("mcp E29 an error", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`, []string{at + "2025-11-25"}).want(202, 0, ""),
		rowOf("case A24", `{"jsonrpc":"2.0","id":1}`, nil).want(400, -32600, ""),
		rowOf("mcp row 10", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, nil).noIDRow().want(400, -32600, ""),
		rowOf("case A19", ``, nil).noIDRow().want(400, -32700, ""),
		rowOf("case A20", `{"jsonrpc":"2.0","id":1,"method":"ping"} x`, nil).noIDRow().want(400, -32700, ""),
		rowOf("case B06", strings.Repeat("[", 1<<20), nil).noIDRow().want(400, -32700, ""),
		rowOf("case B06 in arguments", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":`+strings.Repeat(`{"a":`, 200000), nil).
			noIDRow().want(400, -32700, ""),
		rowOf("case A22", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"\xff\"}}", nil).noIDRow().want(400, -32700, ""),
	} {
		r.run(t, p)
	}
}

func (r row) noIDRow() row { r.noID = true; return r }

// The result of initialize has what its version knows.
func TestInitializeResult(t *testing.T) { // mcp L16
	p := mount(t, setup{})
	for version, info := range map[string]string{
		"2024-11-05": `{"name":"depot","version":"1.2.3"}`,
		"2025-03-26": `{"name":"depot","version":"1.2.3"}`,
		"2025-06-18": `{"name":"depot","title":"Depot","version":"1.2.3"}`,
		"2025-11-25": `{"name":"depot","title":"Depot","version":"1.2.3","description":"Keeps goods.","websiteUrl":"https://depot.example"}`,
	} {
		w := p.post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + version + `"}}`)
		want := `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"` + version +
			`","capabilities":{"tools":{}},"serverInfo":` + info + `,"instructions":"Keeps goods."}}`
		if got := w.Body.String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// R-M13, case E13, modelcontextprotocol/go-sdk#1256
func TestBatch(t *testing.T) {
	p := mount(t, standsAlone)
	const (
		ping  = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
		call  = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"Depot.ping","arguments":{"who":"me"}}}`
		note  = `{"jsonrpc":"2.0","method":"notifications/x"}`
		start = `{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}`
	)
	pong := `{"jsonrpc":"2.0","id":1,"result":{}}`
	text := `{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"\"pong me\""}],"isError":false}}`
	for name, c := range map[string]struct {
		body, version string
		status        int
		want          string // in the body
		headers       []string
	}{
		"served":                     {`[` + ping + `,` + call + `]`, "2025-03-26", 200, `[` + pong + `,` + text + `]`, nil},
		"as one event":               {`[` + ping + `,` + call + `]`, "2025-03-26", 200, "event: message\ndata: [" + pong + `,` + text + "]\n\n", []string{"Accept: text/event-stream"}},
		"without the header":         {`[` + ping + `]`, "", 200, `[` + pong + `]`, nil},
		"a notification inside":      {`[` + note + `,` + ping + `]`, "2025-03-26", 200, `[` + pong + `]`, nil},
		"only notifications":         {`[` + note + `,` + note + `]`, "2025-03-26", 202, ``, nil},
		"empty":                      {`[]`, "2025-03-26", 400, `-32600`, nil},
		"members that are none":      {`[1]`, "2025-03-26", 200, `"id":null,"error":{"code":-32600`, nil},
		"initialize inside, E23":     {`[` + start + `]`, "", 400, `initialize must not be in a batch`, nil},
		"a session that is not, E10": {`[` + ping + `]`, "2025-03-26", 404, `Session not found`, []string{"Mcp-Session-Id: x"}},
		"2024-11-05, mcp L2":         {`[` + ping + `]`, "2024-11-05", 400, `-32600`, nil},
		"2025-06-18, mcp E22":        {`[` + ping + `]`, "2025-06-18", 400, `-32600`, nil},
		"2025-11-25, mcp E22":        {`[` + ping + `]`, "2025-11-25", 400, `-32600`, nil},
		"2026-07-28, mcp E20":        {`[` + ping + `]`, "2026-07-28", 400, `-32600`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := p.post(c.body, append(c.headers, "MCP-Protocol-Version: "+c.version)...)
			got := w.Body.String()
			if w.Code != c.status || !strings.Contains(got, c.want) || c.want == "" && got != "" {
				t.Errorf("%d %s, want %d %s", w.Code, got, c.status, c.want)
			}
		})
	}
}

// Without sessions the edge is POST only.
func TestMethods(t *testing.T) { // R-M14, mcp E30, E31, E32
	p := mount(t, standsAlone)
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut, http.MethodHead} {
		r := httptest.NewRequest(method, "/mcp", nil)
		r.Header.Set("Mcp-Session-Id", "x")
		r.Header.Set("Accept", "text/event-stream")
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		if w.Code != http.StatusMethodNotAllowed || !strings.Contains(w.Header().Get("Allow"), "POST") {
			t.Errorf("%s: %d, Allow %q", method, w.Code, w.Header().Get("Allow"))
		}
	}
}

// mcp row 5, L15, case E09: modelcontextprotocol/go-sdk#290, honojs/middleware#1799
func TestAccept(t *testing.T) {
	p := mount(t, setup{})
	const body = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	const plain = `{"jsonrpc":"2.0","id":1,"result":{}}`
	const event = "event: message\ndata: " + plain + "\n\n"
	for accept, c := range map[string]struct {
		status int
		kind   string
		body   string
	}{
		"application/json, text/event-stream":           {200, "application/json", plain},
		"text/event-stream, application/json":           {200, "application/json", plain},
		"text/event-stream;q=1, application/json;q=0.1": {200, "application/json", plain},
		"*/*":                    {200, "application/json", plain},
		"":                       {200, "application/json", plain},
		"application/json":       {200, "application/json", plain},
		"Application/JSON":       {200, "application/json", plain},
		"application/*;q=0.8":    {200, "application/json", plain},
		"text/html, */*;q=0.1":   {200, "application/json", plain},
		"text/event-stream":      {200, "text/event-stream", event},
		"text/html":              {406, "application/json", ""},
		"text/plain, image/png":  {406, "application/json", ""},
		"application/json-patch": {406, "application/json", ""},
	} {
		w := p.post(body, "Accept: "+accept)
		if w.Code != c.status || w.Header().Get("Content-Type") != c.kind || c.body != "" && w.Body.String() != c.body {
			t.Errorf("Accept %q: %d %s %q", accept, w.Code, w.Header().Get("Content-Type"), w.Body)
		}
	}
}

// mcp row 6, L15, case A23: elsewhere text/plain dodges the CORS preflight.
func TestContentType(t *testing.T) {
	p := mount(t, setup{})
	for kind, status := range map[string]int{
		"application/json; charset=UTF-8": 200, "Application/JSON": 200, "": 200,
		"text/plain": 415, "application/json; charset=utf-16": 415, "application/json-rpc": 415,
	} {
		if w := p.post(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Content-Type: "+kind); w.Code != status {
			t.Errorf("%q: %d, want %d: %s", kind, w.Code, status, w.Body)
		}
	}
}
