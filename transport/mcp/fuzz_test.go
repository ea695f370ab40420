package mcp_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// FuzzMessage sends any body under any headers. The status is one that the
// edge documents, and the answer is JSON, an event with JSON, or nothing.
func FuzzMessage(f *testing.F) {
	seed := func(body string, headers ...string) {
		h := map[string]string{}
		for _, line := range headers {
			name, value, _ := strings.Cut(line, ": ")
			h[name] = value
		}
		f.Add(body, h["MCP-Protocol-Version"], h["Mcp-Method"], h["Mcp-Name"], h["Mcp-Session-Id"], h["Accept"])
	}
	for _, m := range [][2]string{{"tools/list", ""}, {"server/discover", ""}, {"tools/call", `"name":"Depot.ping","arguments":{"who":"x"}`}, {"ping", ""}} {
		body, headers := modern(m[0], m[1], "Mcp-Name: Depot.ping")
		seed(body, headers...)
	}
	seed(`{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-06-18"}}`)
	seed(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"}]`, "MCP-Protocol-Version: 2025-03-26")
	seed(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Depot.find","arguments":{"query":"\u0000\""}}}`, "Accept: text/event-stream")
	seed(`{"jsonrpc":"2.0","id":1,"result":{}}`, "Mcp-Session-Id: x")
	seed(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"dG9vbCAx","_meta":{}}}`, "Mcp-Name: =?base64?eA==?=", "MCP-Protocol-Version: 2099-01-01")
	seed(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a\u0062"}}`, "Mcp-Session-Id: live")
	seed(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Depot.ping","_meta":{"progressToken":1}}}`, "Mcp-Session-Id: live")
	p := mount(f, setup{})
	live := strings.TrimPrefix(p.begin("2025-03-26")[1], "Mcp-Session-Id: ")
	f.Fuzz(func(t *testing.T, body, version, method, name, session, accept string) {
		r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
		for key, value := range map[string]string{
			"Mcp-Protocol-Version": version, "Mcp-Method": method, "Mcp-Name": name, "Mcp-Session-Id": session, "Accept": accept,
		} {
			if value != "" {
				r.Header[key] = []string{value}
			}
		}
		if session == "live" {
			r.Header["Mcp-Session-Id"] = []string{live}
		}
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		got := w.Body.String()
		switch w.Code {
		case 200, 400, 404, 406:
		case 202:
			if got != "" {
				t.Errorf("202 with a body %q", got)
			}
			return
		default:
			t.Errorf("status %d: %q", w.Code, got)
		}
		if w.Header().Get("Content-Type") == "text/event-stream" {
			data, begins := strings.CutPrefix(got, "event: message\ndata: ")
			data, ends := strings.CutSuffix(data, "\n\n")
			if !begins || !ends || strings.ContainsAny(data, "\r\n") {
				t.Errorf("no event: %q", got)
			}
			got = data
		}
		if !jsontext.Value(got).IsValid() {
			t.Errorf("no JSON: %q", got)
		}
	})
}
