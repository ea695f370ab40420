//go:build linux || darwin

package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// talk is an agent that keeps one MCP session all the time, and calls a tool
// in it at one node after another.
func (p *proof) talk(ctx context.Context) {
	id := ""
	for i := 0; ctx.Err() == nil; i++ {
		if id == "" {
			_, id, _ = p.tell(ctx, p.proxyURL, "", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}`)
			continue // a node may have died
		}
		n := i % len(p.nodes)
		status, _, answered := p.tell(ctx, p.at(n), id, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Catalog.search","arguments":{"query":"tea"}}}`)
		p.mu.Lock()
		switch {
		case status == http.StatusNotFound:
			p.lost++
		case answered:
			p.talked[n]++
		}
		p.mu.Unlock()
		pause(ctx, 5*time.Millisecond)
	}
	p.mu.Lock()
	p.session = id
	p.mu.Unlock()
}

// tell posts a message to the tools at url in a session; began is the id of
// one that begins.
func (p *proof) tell(ctx context.Context, url, session, body string) (status int, began string, answered bool) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/mcp", strings.NewReader(body))
	if err != nil {
		return 0, "", false
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		req.Header.Set("Mcp-Session-Id", session)
	}
	res, err := p.http.Do(req)
	if err != nil {
		return 0, "", false
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	return res.StatusCode, res.Header.Get("Mcp-Session-Id"), err == nil && strings.Contains(string(text), `"isError":false`)
}

// judgeSession looks at what the agent met.
func (p *proof) judgeSession(r *report) {
	r.add("tools called in one session, at each node", strings.Trim(fmt.Sprint(p.talked), "[]"), "some at each",
		p.session != "" && !slices.Contains(p.talked, 0))
	r.add("times the session was not found", p.lost, "0", p.lost == 0)
}
