// Package server runs a program that serves Facet: [Run] listens, serves and
// stops with care, [Hello] is a whole program for a first try.
//
//	if err := server.Run(ctx, "127.0.0.1:8080", engine, exec); err != nil {
//		log.Fatal(err)
//	}
package server

import (
	"context"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/facet-rpc/facet/rpc"
	"go.uber.org/zap"
)

// The limits of a connection. A handler that streams moves its own deadlines
// with http.ResponseController.
const (
	// ReadHeaderTimeout cuts a client that does not finish its headers.
	ReadHeaderTimeout = 10 * time.Second
	// ReadTimeout cuts a client that does not finish its body.
	ReadTimeout = time.Minute
	// WriteTimeout is for the call and its answer together, from the end of
	// the headers; it cuts a client that does not read.
	WriteTimeout = 5 * time.Minute
	// IdleTimeout closes a connection without a request.
	IdleTimeout = 2 * time.Minute
	// MaxHeaderBytes is the most that the request line and headers may take.
	MaxHeaderBytes = 64 << 10
)

// The limits of a stop.
const (
	// StopTimeout is how long running calls and listeners may take to finish.
	StopTimeout = 15 * time.Second
	// CancelTimeout is how long calls may take after that to return, once
	// their contexts were cancelled, and how long answers may take to go out;
	// then the connections are closed.
	CancelTimeout = time.Second
)

// Run listens on the TCP address and serves until ctx ends or the process
// gets SIGINT or SIGTERM; see [Serve]. To know the port that ":0" became,
// listen yourself and call Serve.
func Run(ctx context.Context, addr string, handler http.Handler, exec *rpc.Executor) error {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	return Serve(ctx, l, handler, exec)
}

// Serve serves on l, which it closes, until ctx ends or the process gets
// SIGINT or SIGTERM. Then it stops: new requests are refused with 503 while
// those that run finish and the listeners of rpc.post_response return; then l
// is closed. The error is nil when all that was done within [StopTimeout].
//
// When it was not, the contexts of the calls are cancelled, after
// [CancelTimeout] the connections are closed, and the error is a [*StopError]
// that says what was left. A second signal does the same at once. An error of
// the listener stops the program in the same way and is returned.
//
// The executor has been shut down when Serve returns.
func Serve(ctx context.Context, l net.Listener, handler http.Handler, exec *rpc.Executor) error {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	return newProgram(handler, exec).serve(ctx, l, signals)
}

// program is a Serve in progress.
type program struct {
	http     *http.Server
	exec     *rpc.Executor
	handler  http.Handler
	cancel   context.CancelFunc // of all requests
	stopping atomic.Bool
	running  atomic.Int64  // requests
	idle     chan struct{} // closed when none runs and none will
	once     sync.Once     // closes idle
}

func newProgram(handler http.Handler, exec *rpc.Executor) *program {
	p := &program{exec: exec, handler: handler, idle: make(chan struct{})}
	base, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	errorLog, _ := zap.NewStdLogAt(exec.Logger(), zap.WarnLevel) // fails for an unknown level only
	p.http = &http.Server{
		Handler:           p,
		BaseContext:       func(net.Listener) context.Context { return base },
		ReadHeaderTimeout: ReadHeaderTimeout,
		ReadTimeout:       ReadTimeout,
		WriteTimeout:      WriteTimeout,
		IdleTimeout:       IdleTimeout,
		MaxHeaderBytes:    MaxHeaderBytes,
		ErrorLog:          errorLog,
	}
	return p
}

// serve waits for the first reason to stop. The signals are a parameter so
// that a test can send them to one program.
func (p *program) serve(ctx context.Context, l net.Listener, signals <-chan os.Signal) error {
	defer p.cancel()
	failed := make(chan error, 1)
	go func() { failed <- p.http.Serve(l) }()
	var err error
	select {
	case <-ctx.Done():
	case <-signals:
	case err = <-failed:
		failed <- nil
	}
	stopErr := p.stop(signals)
	<-failed
	if err != nil {
		return err
	}
	return stopErr
}
