package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/facet-rpc/facet/benchmarks/load"
)

// measurement is one server in one mode, over all rounds.
type measurement struct {
	server    string
	rounds    []round
	latencies []time.Duration
	errors    int
	first     error
}

// round is one measurement.
type round struct {
	rate float64 // requests a second
	cpu  float64 // of the server, µs a request
}

// compare measures all modes and prints them.
func compare(ctx context.Context, out io.Writer, set settings) error {
	cpus := hold()
	fmt.Fprintf(out, "%s, %s; %d rounds of %v each; GOMAXPROCS=1, %v.\n",
		runtime.Version(), processor(), set.rounds, set.length, cpus)
	var all []table
	var wrong error
	for _, m := range set.modes {
		t, err := measure(ctx, m, set, cpus)
		if err != nil {
			return err
		}
		t.print(out)
		all = append(all, t)
		wrong = errors.Join(wrong, t.wrong())
	}
	printSummary(out, all)
	return wrong
}

// measure runs the servers of one mode, all at once, of which one is asked at
// a time. Another one goes first in every round.
func measure(ctx context.Context, m load.Mode, set settings, cpus cpus) (table, error) {
	t := table{mode: m}
	var servers []*process
	defer func() {
		for _, s := range servers {
			s.stop()
		}
	}()
	for _, p := range set.peers {
		if !m.Fits(p) {
			continue
		}
		s, err := start(ctx, p, m, cpus, set.profile)
		if err != nil {
			return t, err
		}
		servers = append(servers, s)
		t.rows = append(t.rows, measurement{server: p.Name})
	}
	for n := range set.rounds {
		for i := range servers {
			at := (i + n) % len(servers)
			if err := ctx.Err(); err != nil {
				return t, err
			}
			if err := t.rows[at].add(servers[at], set.length); err != nil {
				return t, err
			}
		}
	}
	return t, nil
}

// add measures one round, after a quarter of it to warm up.
func (r *measurement) add(s *process, length time.Duration) error {
	r.count(load.Run(s.conns, length/4))
	before, err := cpuTime(s.cmd.Process.Pid)
	if err != nil {
		return err
	}
	result := load.Run(s.conns, length)
	after, err := cpuTime(s.cmd.Process.Pid)
	if err != nil {
		return err
	}
	r.count(result)
	r.latencies = append(r.latencies, result.Latencies...)
	r.rounds = append(r.rounds, round{
		rate: float64(result.Requests) / result.Elapsed.Seconds(),
		cpu:  float64((after - before).Microseconds()) / float64(max(result.Requests, 1)),
	})
	return nil
}

func (r *measurement) count(result load.Result) {
	r.errors += result.Errors
	if r.first == nil {
		r.first = result.Error
	}
}
