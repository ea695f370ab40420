// Command compare measures what a request costs the servers of package peer,
// as a ratio to the floor.
//
//	go run ./compare -rounds 12 -d 1s
//	go run ./compare -modes add,order -only facet
//	go run ./compare -serve facet -addr 127.0.0.1:9000 -cpuprofile cpu.out
//
// See README.md for what the figures mean. It ends with 1 when an answer was
// wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/facet-rpc/facet/benchmarks/load"
	"github.com/facet-rpc/facet/benchmarks/peer"
)

// settings are the command line.
type settings struct {
	rounds int
	length time.Duration
	modes  []load.Mode
	peers  []peer.Server

	serve   serving
	profile string // folder
}

func main() {
	set, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch {
	case err != nil:
	case set.serve.name != "":
		err = set.serve.run(ctx)
	default:
		err = compare(ctx, os.Stdout, set)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func parse(args []string) (settings, error) {
	var set settings
	var modes, only string
	f := flag.NewFlagSet("compare", flag.ContinueOnError)
	f.IntVar(&set.rounds, "rounds", 12, "how often each server is measured in each mode")
	f.DurationVar(&set.length, "d", time.Second, "length of one measurement")
	f.StringVar(&modes, "modes", "", "modes, separated by commas; empty: all")
	f.StringVar(&only, "only", "", "servers besides the floor, separated by commas; empty: all")
	f.StringVar(&set.profile, "profile", "", "folder for a CPU profile of each server in each mode; the figures are then not to be used")
	f.StringVar(&set.serve.name, "serve", "", "run this server and measure nothing")
	f.StringVar(&set.serve.addr, "addr", "127.0.0.1:0", "where -serve listens")
	f.IntVar(&set.serve.size.Services, "services", 1, "services of four methods that -serve registers")
	f.IntVar(&set.serve.size.Tools, "tools", 1, "MCP tools that -serve registers")
	f.StringVar(&set.serve.profile, "cpuprofile", "", "file for a CPU profile of -serve, written when it is stopped")
	if err := f.Parse(args); err != nil {
		return set, err
	}
	if f.NArg() > 0 {
		return set, fmt.Errorf("%q is not a flag", f.Arg(0))
	}
	if set.rounds < 1 || set.length <= 0 {
		return set, errors.New("-rounds and -d must be above 0")
	}
	err := set.choose(modes, only)
	return set, err
}

// choose finds the modes and servers by their names; the floor is always one.
func (set *settings) choose(modes, only string) error {
	set.modes, set.peers = load.Modes(), peer.Servers()
	if modes != "" {
		set.modes = nil
		for name := range strings.SplitSeq(modes, ",") {
			m, err := load.FindMode(name)
			if err != nil {
				return err
			}
			set.modes = append(set.modes, m)
		}
	}
	if only != "" {
		set.peers = nil
		for name := range strings.SplitSeq(peer.Floor+","+only, ",") {
			p, err := peer.Find(name)
			if err != nil {
				return err
			}
			if len(set.peers) == 0 || name != peer.Floor {
				set.peers = append(set.peers, p)
			}
		}
	}
	return nil
}
