//go:build linux || darwin

// Command cluster runs the tea shop as several processes behind a reverse
// proxy on one Redis, kills processes while calls run, and proves what many
// nodes promise together:
//
//	go run ./examples/cluster
//	go run ./examples/cluster -nodes 5 -for 1m
//
// It needs redis-server in the PATH, and starts and stops a Redis of its own.
// It prints a table of what it measured and ends with 1 when something does
// not hold.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

func main() {
	if os.Getenv(nodeEnv) != "" {
		exit(serveNode(untilInputEnds()))
	}
	var set settings
	flags := flag.NewFlagSet("cluster", flag.ContinueOnError)
	flags.IntVar(&set.nodes, "nodes", 3, "`number` of processes, 2 at least")
	flags.DurationVar(&set.load, "for", 15*time.Second, "how `long` calls run while processes are killed")
	switch err := flags.Parse(os.Args[1:]); {
	case errors.Is(err, flag.ErrHelp):
		return
	case err != nil:
		os.Exit(2)
	case set.nodes < 2 || set.load < time.Second || flags.NArg() > 0:
		exit(errors.New("-nodes is 2 at least, -for 1s at least, and there is nothing else; see -help"))
	}
	exit(run(set))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// settings are what the command line says.
type settings struct {
	nodes int
	load  time.Duration
}

// run is the whole proof on a Redis of its own.
func run(set settings) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := os.MkdirTemp("", "facet-cluster")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	redis, err := startRedis(ctx, dir)
	if err != nil {
		return err
	}
	defer redis.stop()
	fmt.Printf("%d shops on %s, calls for %v, a shop is killed every %v\n", set.nodes, redis.url, set.load, killGap)
	result, err := prove(ctx, set, redis.url, dir)
	if err != nil {
		return err
	}
	return result.print(os.Stdout)
}
