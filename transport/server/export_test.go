package server

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/facet-rpc/facet/rpc"
)

// ServeWith is Serve with the test's own signals: those of the process would
// reach every program that runs.
func ServeWith(ctx context.Context, l net.Listener, handler http.Handler, exec *rpc.Executor, signals <-chan os.Signal) error {
	return newProgram(handler, exec).serve(ctx, l, signals)
}

// HelloTo is Hello that ends with ctx and prints to out.
func HelloTo(ctx context.Context, out io.Writer, addr string, services ...any) error {
	return hello(ctx, out, addr, services)
}
