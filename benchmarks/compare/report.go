package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/facet-rpc/facet/benchmarks/load"
)

// table is one mode, the floor in its first row.
type table struct {
	mode load.Mode
	rows []measurement
}

func (t *table) print(out io.Writer) {
	fmt.Fprintf(out, "\n### %s\n\n", t.mode.Name)
	fmt.Fprintln(out, "| server | CPU / floor | CPU µs/request | requests/s | p50 ms | p99 ms | errors |")
	fmt.Fprintln(out, "|---|--:|--:|--:|--:|--:|--:|")
	for i := range t.rows {
		r := &t.rows[i]
		slices.Sort(r.latencies)
		fmt.Fprintf(out, "| %s | %.2f | %.1f | %.0f | %.2f | %.2f | %d |\n", r.server, t.ratio(i),
			median(r.rounds, func(x round) float64 { return x.cpu }),
			median(r.rounds, func(x round) float64 { return x.rate }),
			quantile(r.latencies, 0.50), quantile(r.latencies, 0.99), r.errors)
	}
}

// ratio is that of a row's CPU time to the floor's: the median of the ratios
// within each round, so that a slow minute of the machine counts for both.
func (t *table) ratio(row int) float64 {
	floor, rounds := t.rows[0].rounds, t.rows[row].rounds
	ratios := make([]float64, len(rounds))
	for i := range rounds {
		ratios[i] = rounds[i].cpu / floor[i].cpu
	}
	return median(ratios, func(x float64) float64 { return x })
}

// wrong is what servers answered wrongly, nil if nothing.
func (t *table) wrong() error {
	var all error
	for i := range t.rows {
		if r := &t.rows[i]; r.errors > 0 {
			all = errors.Join(all, fmt.Errorf("%s, %s: %d errors: %w", t.mode.Name, r.server, r.errors, r.first))
		}
	}
	return all
}

// printSummary prints the ratios of all modes, JSON-RPC and MCP apart: the
// tables of docs/performance.md.
func printSummary(out io.Writer, all []table) {
	for _, mcp := range []bool{false, true} {
		some := slices.DeleteFunc(slices.Clone(all), func(t table) bool { return t.mode.MCP() != mcp })
		if len(some) == 0 {
			continue
		}
		title := "JSON-RPC"
		if mcp {
			title = "MCP"
		}
		fmt.Fprintf(out, "\n### %s: CPU of the server per request, the floor's being 1\n\n", title)
		printRatios(out, some)
	}
}

func printRatios(out io.Writer, all []table) {
	var servers []string
	head, rule := "| server |", "|---|"
	for _, t := range all {
		head += " " + t.mode.Name + " |"
		rule += "--:|"
		for _, r := range t.rows {
			if !slices.Contains(servers, r.server) {
				servers = append(servers, r.server)
			}
		}
	}
	fmt.Fprintln(out, head)
	fmt.Fprintln(out, rule)
	for _, s := range servers {
		line := "| " + s + " |"
		for _, t := range all {
			cell := "–"
			if i := slices.IndexFunc(t.rows, func(r measurement) bool { return r.server == s }); i >= 0 {
				cell = fmt.Sprintf("%.2f", t.ratio(i))
			}
			line += " " + cell + " |"
		}
		fmt.Fprintln(out, line)
	}
}

// median is the middle of f of all; 0 of none.
func median[T any](all []T, f func(T) float64) float64 {
	values := make([]float64, len(all))
	for i, x := range all {
		values[i] = f(x)
	}
	slices.SortFunc(values, cmp.Compare)
	n := len(values)
	switch {
	case n == 0:
		return 0
	case n%2 == 0:
		return (values[n/2-1] + values[n/2]) / 2
	}
	return values[n/2]
}

// quantile is in milliseconds.
func quantile(sorted []time.Duration, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := sorted[int(q*float64(len(sorted)-1))]
	return float64(at) / float64(time.Millisecond)
}

// processor is the name of the CPU.
func processor() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "unknown CPU"
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown CPU"
}
