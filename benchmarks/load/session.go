package load

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/facet-rpc/facet/benchmarks/peer"
)

// InSession are the requests of the mode to a server at addr. Where it has
// sessions and the mode is of their era, one begins, and all carry its id.
func InSession(addr string, s peer.Server, m Mode) ([]Exchange, error) {
	exchanges := m.Exchanges(s)
	if m.mcp != sessionEra || !s.MCP.Sessions {
		return exchanges, nil
	}
	id, err := initialize(addr, s)
	for i := range exchanges {
		exchanges[i].Header = append(exchanges[i].Header, [2]string{"Mcp-Session-Id", id})
	}
	return exchanges, err
}

// initialize begins a session.
func initialize(addr string, s peer.Server) (id string, err error) {
	r, err := http.NewRequest(http.MethodPost, "http://"+addr+s.MCP.Path, strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"load","version":"1"}}}`))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if id = resp.Header.Get("Mcp-Session-Id"); id == "" {
		return "", fmt.Errorf("initialize gave no session: status %d", resp.StatusCode)
	}
	return id, nil
}
