package main

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/benchmarks/load"
	"github.com/facet-rpc/facet/benchmarks/peer"
)

// TestMain: this binary is also the servers that it starts.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "-serve") {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestProcesses starts every server as a process and asks it once on every
// connection.
func TestProcesses(t *testing.T) {
	for _, p := range peer.Servers() {
		t.Run(p.Name, func(t *testing.T) {
			m := modeOf(t, p)
			s, err := start(t.Context(), p, m, cpus{}, "")
			if err != nil {
				t.Fatal(err)
			}
			defer s.stop()
			if len(s.conns) != m.Connections {
				t.Errorf("%d connections, want %d", len(s.conns), m.Connections)
			}
			for _, c := range s.conns {
				if err := c.Do(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestProfile: a server that is stopped leaves its profile.
func TestProfile(t *testing.T) {
	dir := t.TempDir()
	p := peer.Servers()[0]
	m := modeOf(t, p)
	s, err := start(t.Context(), p, m, cpus{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	s.stop()
	if b, err := os.ReadFile(dir + "/" + p.Name + "." + m.Name + ".out"); err != nil || len(b) == 0 {
		t.Errorf("a profile of %d bytes: %v", len(b), err)
	}
}

func modeOf(t *testing.T, p peer.Server) load.Mode {
	t.Helper()
	for _, m := range load.Modes() {
		if m.Fits(p) {
			return m
		}
	}
	t.Fatalf("%s fits no mode", p.Name)
	return load.Mode{}
}

func TestNoSuchServer(t *testing.T) {
	_, err := start(context.Background(), peer.Server{Name: "nobody"}, load.Modes()[0], cpus{}, "")
	if err == nil || !strings.Contains(err.Error(), "nobody did not start") {
		t.Errorf("the error is %v", err)
	}
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ args, modes, peers, err string }{
		{args: "-modes add,order -only facet", modes: "add order", peers: "floor facet"},
		{args: "-modes add -only floor", modes: "add", peers: "floor"},
		{args: "-modes nothing", err: `no mode "nothing"`},
		{args: "-only nobody", err: `no server "nobody"`},
		{args: "-rounds 0", err: "above 0"},
		{args: "surplus", err: `"surplus" is not a flag`},
	} {
		t.Run(tt.args, func(t *testing.T) {
			set, err := parse(strings.Fields(tt.args))
			if err != nil || tt.err != "" {
				if err == nil || tt.err == "" || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("the error is %v, want %q", err, tt.err)
				}
				return
			}
			var modes, peers []string
			for _, m := range set.modes {
				modes = append(modes, m.Name)
			}
			for _, p := range set.peers {
				peers = append(peers, p.Name)
			}
			if got := strings.Join(modes, " "); got != tt.modes {
				t.Errorf("modes %s, want %s", got, tt.modes)
			}
			if got := strings.Join(peers, " "); got != tt.peers {
				t.Errorf("servers %s, want %s", got, tt.peers)
			}
		})
	}
}

// TestReport: a ratio is made within a round, and the median of them counts.
func TestReport(t *testing.T) {
	mode, err := load.FindMode("add")
	if err != nil {
		t.Fatal(err)
	}
	one := table{mode: mode, rows: []measurement{
		{server: "floor", rounds: []round{{1000, 10}, {500, 20}, {1000, 10}}, latencies: []time.Duration{2e6, 1e6, 3e6}},
		{server: "facet", rounds: []round{{2000, 5}, {1000, 10}, {900, 11}}, errors: 1, first: os.ErrClosed},
	}}
	var out bytes.Buffer
	one.print(&out)
	printSummary(&out, []table{one})
	const want = `
### add

| server | CPU / floor | CPU µs/request | requests/s | p50 ms | p99 ms | errors |
|---|--:|--:|--:|--:|--:|--:|
| floor | 1.00 | 10.0 | 1000 | 2.00 | 2.00 | 0 |
| facet | 0.50 | 10.0 | 1000 | 0.00 | 0.00 | 1 |

### JSON-RPC: CPU of the server per request, the floor's being 1

| server | add |
|---|--:|
| floor | 1.00 |
| facet | 0.50 |
`
	if got := out.String(); got != want {
		t.Errorf("the report is\n%s\nwant\n%s", got, want)
	}
	if err := one.wrong(); err == nil || !strings.Contains(err.Error(), "add, facet: 1 errors") {
		t.Errorf("the errors are %v", err)
	}
}

func TestParseStat(t *testing.T) {
	const stat = "77 (a) b) S 1 77 77 0 -1 4194560 512 0 0 0 123 45 0 0 20 0 5 0 9 1 2"
	if got, err := parseStat([]byte(stat)); err != nil || got != 1680*time.Millisecond {
		t.Errorf("%v, %v; want 1.68s", got, err)
	}
	if _, err := parseStat([]byte("77 (a) S 1")); err == nil {
		t.Error("a line that is cut off is read")
	}
}
