// Command mcp-everything serves a tool for every kind of answer that a tool can
// give: text, pictures, sound, documents, errors, progress. It is what the
// conformance suite of the Model Context Protocol and the tests of its clients
// talk to, and it asks for no token:
//
//	go run ./examples/mcp-everything
//	go run ./examples/mcp-everything -addr 127.0.0.1:9000
//
// Read blocks.go (content other than JSON), work.go (progress and errors) and
// params.go (schemas, and an argument that a header repeats).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"os"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/facet-rpc/facet/transport/server"
	"github.com/gin-gonic/gin"
	"go.uber.org/zap"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "where to listen; port 0 takes a free one")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *addr); err != nil {
		log.Fatal(err)
	}
}

// run serves the tools until the process is told to stop.
func run(ctx context.Context, out io.Writer, addr string) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	gin.SetMode(gin.ReleaseMode)
	logger, err := zap.NewProduction()
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	pool, err := cache.NewMemory(1 << 20)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer pool.Close()
	engine, exec, err := assemble(pool, logger, guard.Policy{Open: true})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	fmt.Fprintf(out, "Tools at http://%s/mcp\n", listener.Addr())
	return server.Serve(ctx, listener, engine, exec)
}

// assemble makes the program. Sessions of the versions before 2026-07-28 lie in
// records.
func assemble(records rpc.Records, logger *zap.Logger, policy guard.Policy) (*gin.Engine, *rpc.Executor, error) {
	registry, err := rpc.NewRegistry(app(), Everything{logger})
	if err != nil {
		return nil, nil, err
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{Records: records, Logger: logger})
	if err != nil {
		return nil, nil, err
	}
	engine := gin.New()
	return engine, exec, guard.Mount(engine, exec, policy, mcp.Edge{})
}
