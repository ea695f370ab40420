package main

import (
	"io"
	"text/template"
)

// guide is what the program prints when it is ready.
var guide = template.Must(template.New("guide").Parse(`The shop is open; Ctrl-C closes it.

  {{.URL}}/rpc           JSON-RPC 2.0, version 1; version 2 at /rpc/v2
  {{.URL}}/openrpc       the OpenRPC document; version 2 at /openrpc/v2
  {{.URL}}/openrpc/ui    the page for people, to read and to call
  {{.URL}}/mcp           MCP tools, version 1; version 2 at /mcp/v2
  {{.URL}}/mcp/manifest  configurations for Claude, Cursor, VS Code, Gemini, Codex and others
  {{.URL}}/rpc/internal  for the shop's own people; also /openrpc/internal and /mcp/internal
{{if .Token}}
Token: {{.Token}}

  export TOKEN={{.Token}}
{{end}}{{if .Callback}}
Answers may be posted later, to {{.Hosts}}, signed with {{.Secret}}:

  curl {{.URL}}/rpc {{.Auth}}{{.JSON}}-d '{"jsonrpc":"2.0","id":1,"method":"Catalog.search","params":{"query":"tea","$rpc":{"callback":"{{.Callback}}"}}}'
{{end}}
One call, one batch, the document, the tools:

  curl {{.URL}}/rpc {{.Auth}}{{.JSON}}-d '{"jsonrpc":"2.0","id":1,"method":"Catalog.search","params":{"query":"tea"}}'
  curl {{.URL}}/rpc {{.Auth}}{{.JSON}}-d '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"Catalog.product","params":["TEA-01"]}]'
  curl {{.URL}}/rpc/v2 {{.Auth}}{{.JSON}}-d '{"jsonrpc":"2.0","id":1,"method":"Catalog.find","params":{"inStock":true,"sort":"cheapest"}}'
  curl {{.URL}}/rpc {{.Auth}}{{.JSON}}-d '{"jsonrpc":"2.0","id":1,"method":"Orders.create","params":{"customer":"c000001","lines":[{"sku":"TEA-01","quantity":2}]}}'
  curl {{.Auth}}{{.URL}}/openrpc
  curl {{.URL}}/mcp {{.Auth}}{{.JSON}}-H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/list' -d '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'
`))

// printGuide says what is served at url and how to try it.
func printGuide(w io.Writer, url string, set settings) {
	auth := ""
	if set.token != "" {
		auth = `-H "RPC-Token: $TOKEN" `
	}
	_ = guide.Execute(w, map[string]string{ // who cannot read it is served all the same
		"Callback": set.callback(), "Hosts": set.callbacks, "Secret": set.secret,
		"URL": url, "Token": set.token, "Auth": auth, "JSON": "-H 'Content-Type: application/json' ",
	})
}
