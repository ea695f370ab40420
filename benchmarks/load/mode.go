// Package load asks servers and judges their answers.
package load

import (
	"fmt"
	"slices"

	"github.com/facet-rpc/facet/benchmarks/peer"
	"github.com/facet-rpc/facet/benchmarks/work"
)

// Mode is one kind of request that servers are compared by.
type Mode struct {
	Name string
	// Size is what a server has registered in this mode.
	Size peer.Size
	// Connections is how many are kept alive at once.
	Connections int

	calls func() []work.Call
	mcp   era // of /mcp; noEra: the mode is one of /rpc
	// batch is how many calls one request has; 0: it is no batch.
	batch int
	list  bool // tools/list instead of tools/call
}

const connections = 16

// Modes lists all modes.
func Modes() []Mode {
	small := peer.Size{Services: 1, Tools: 1}
	return []Mode{
		{Name: "echo", Size: small, Connections: connections, calls: work.Echoes},
		{Name: "add", Size: small, Connections: connections, calls: work.Adds},
		{Name: "search", Size: small, Connections: connections, calls: work.Searches},
		{Name: "order", Size: small, Connections: connections, calls: work.Orders},
		{Name: "batch50", Size: small, Connections: connections, calls: work.Adds, batch: 50},
		// Few connections, so that the loader's memory is not what is measured.
		{Name: "echo1m", Size: small, Connections: 4, calls: work.LargeEchoes},
		{Name: "add1000", Size: peer.Size{Services: 250, Tools: 1}, Connections: connections, calls: work.Adds},
		{Name: "tool2025", Size: small, Connections: connections, calls: work.Searches, mcp: sessionEra},
		{Name: "tool2026", Size: small, Connections: connections, calls: work.Searches, mcp: statelessEra},
		{Name: "tools200", Size: peer.Size{Services: 1, Tools: 200}, Connections: connections, mcp: sessionEra, list: true},
	}
}

// FindMode finds a mode by its name.
func FindMode(name string) (Mode, error) {
	all := Modes()
	if i := slices.IndexFunc(all, func(m Mode) bool { return m.Name == name }); i >= 0 {
		return all[i], nil
	}
	var names []string
	for _, m := range all {
		names = append(names, m.Name)
	}
	return Mode{}, fmt.Errorf("there is no mode %q; it is one of %v", name, names)
}

// MCP: the mode is one of /mcp, else of /rpc.
func (m *Mode) MCP() bool { return m.mcp != noEra }

// Fits reports whether the server can do this.
func (m *Mode) Fits(s peer.Server) bool {
	if m.MCP() {
		return s.MCP != nil
	}
	return s.RPC != nil && (m.batch == 0 || s.RPC.Batch)
}

// Exchanges are the requests of the mode to a server, with their judges.
func (m *Mode) Exchanges(s peer.Server) []Exchange {
	if m.list {
		return []Exchange{listTools(s, m.mcp, m.Size.Tools)}
	}
	calls := m.calls()
	switch service := m.Size.LastService(); {
	case m.MCP():
		return each(calls, func(id int, c work.Call) Exchange { return callTool(s, m.mcp, id, c) })
	case m.batch > 0:
		return []Exchange{batch(s, service, calls[:m.batch]), batch(s, service, calls[len(calls)-m.batch:])}
	default:
		return each(calls, func(id int, c work.Call) Exchange { return single(s, service, id, c) })
	}
}

// each numbers the calls from 1.
func each(calls []work.Call, f func(int, work.Call) Exchange) []Exchange {
	out := make([]Exchange, len(calls))
	for i, c := range calls {
		out[i] = f(i+1, c)
	}
	return out
}
