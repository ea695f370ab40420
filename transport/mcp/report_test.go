package mcp_test

import (
	"strings"
	"testing"
)

// R-E03: what is no call reaches rpc.error and the log too, and every error
// does so once.
func TestErrorsAreReportedOnce(t *testing.T) {
	w := watch(t, standsAlone.edge, &Depot{})
	const v2025 = "MCP-Protocol-Version: 2025-06-18"
	legacy := func(rest string) string { return `{"jsonrpc":"2.0","id":1,` + rest + `}` }
	callOf := func(params string) string { return legacy(`"method":"tools/call","params":` + params) }
	discover, discoverHeaders := modern("server/discover", "")
	unknown, unknownHeaders := modern("tools/other", "")
	for _, c := range []struct {
		body    string
		headers []string
		want    string
	}{
		{`{`, nil, "ParseError "},
		{`[]`, nil, "InvalidRequest "},
		{`7`, nil, "InvalidRequest "},
		{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, nil, "InvalidRequest ping"},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, nil, "InvalidRequest ping"},
		{legacy(`"method":"other"`), []string{v2025}, "MethodNotFound other"},
		{legacy(`"method":"` + strings.Repeat("x", 300) + `"`), []string{v2025}, "MethodNotFound " + strings.Repeat("x", 128) + "…"},
		{legacy(`"method":"initialize"`), nil, "InvalidParams initialize"},
		{legacy(`"method":"tools/list","params":{"cursor":"x"}`), []string{v2025}, "InvalidParams tools/list"},
		{legacy(`"method":"ping"`), []string{v2025, "Mcp-Session-Id: x"}, "InvalidRequest ping"},
		{legacy(`"method":"ping"`), []string{"Accept: text/html"}, "InvalidRequest "},
		{`[` + legacy(`"method":"ping"`) + `]`, []string{v2025}, "InvalidRequest "},
		{`[` + legacy(`"method":"ping"`) + `,1,` + legacy(`"method":"none"`) + `]`, []string{"MCP-Protocol-Version: 2025-03-26"}, "InvalidRequest , MethodNotFound none"},
		{callOf(`{}`), []string{v2025}, "InvalidParams tools/call"},
		{callOf(`{"name":"Depot.ping","arguments":[]}`), []string{v2025}, "InvalidParams tools/call"},
		{callOf(`{"name":"Depot.none"}`), []string{v2025}, "MethodNotFound Depot.none"},
		{callOf(`{"name":"Depot.ping","arguments":{"x":1}}`), []string{v2025}, "InvalidParams Depot.ping"},
		{callOf(`{"name":"Depot.sell"}`), []string{v2025}, "SoldOut Depot.sell"},
		{discover, discoverHeaders[:1], "HeaderMismatch server/discover"},
		{unknown, unknownHeaders, "MethodNotFound tools/other"},
		{`{"jsonrpc":"2.0","method":"notifications/x"}`, []string{"MCP-Protocol-Version: 1999-01-01"}, "UnsupportedProtocolVersion notifications/x"},

		{discover, discoverHeaders, ""},
		{callOf(`{"name":"Depot.ping"}`), []string{v2025}, ""},
	} {
		answer := w.post(c.body, c.headers...)
		if got := w.reported(); got != c.want {
			t.Errorf("%.100s %q: reported %q, want %q; answer %s", c.body, c.headers, got, c.want, answer.Body)
		}
	}
}
