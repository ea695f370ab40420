package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime/pprof"

	"github.com/facet-rpc/facet/benchmarks/peer"
)

// serving is one server as a process of its own.
type serving struct {
	name    string
	addr    string
	size    peer.Size
	profile string // file; empty: none
}

// run serves until ctx ends. The first line it prints is its address.
func (s serving) run(ctx context.Context) error {
	p, err := peer.Find(s.name)
	if err != nil {
		return err
	}
	handler, err := p.New(s.size)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", s.addr)
	if err != nil {
		return err
	}
	if s.profile != "" {
		stop, err := profile(s.profile)
		if err != nil {
			return err
		}
		defer stop()
	}
	server := &http.Server{Handler: handler}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	fmt.Println(listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// profile writes a CPU profile until stop is called.
func profile(name string) (stop func(), err error) {
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() {
		pprof.StopCPUProfile()
		_ = file.Close()
	}, nil
}
