// Command shop serves the tea shop of package shop over JSON-RPC, as an
// OpenRPC document and as MCP tools.
//
//	go run ./examples/shop
//	go run ./examples/shop -redis redis://127.0.0.1:6379
//	go run ./examples/shop call Catalog.search '{"query":"tea"}'
//
// With -redis, several shops share results, idempotency keys and locks. With
// -callbacks 127.0.0.1:9000, calls may be answered later, by a webhook. It
// prints what it serves, with commands to try, and stops on Ctrl-C.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"

	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/i18n"
	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/facet-rpc/facet/transport/server"
	"github.com/gin-gonic/gin"
	"go.uber.org/zap"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "call" {
		os.Exit(call(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	set, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err == nil {
		err = run(set)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "shop:", err)
		os.Exit(1)
	}
}

// run serves the shop until the process is told to stop.
func run(set settings) error {
	listener, err := net.Listen("tcp", set.addr)
	if err != nil {
		return err
	}
	url := "http://" + listener.Addr().String()
	fmt.Println("Listening on", url)
	logger, err := newLogger(set.env)
	if err != nil {
		return err
	}
	exec, end, err := assemble(set, logger)
	if err != nil {
		return err
	}
	defer end()
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.RedirectTrailingSlash = false // gin would answer /rpc/ before the policy is asked
	doors := edges()
	if set.callbacks != "" {
		jobs, end, err := openJobs(set, exec.Records())
		if err != nil {
			return err
		}
		defer end()
		doors = append(doors, jobs)
	}
	if err := guard.Mount(engine, exec, set.policy(), doors...); err != nil {
		return err
	}
	printGuide(os.Stdout, url, set)
	return server.Serve(context.Background(), listener, engine, exec)
}

// assemble makes what runs the calls; end is called after the last of them.
func assemble(set settings, logger *zap.Logger) (exec *rpc.Executor, end func(), err error) {
	ctx := context.Background()
	shared, err := openBackend(ctx, set.redis)
	if err != nil {
		return nil, nil, err
	}
	app := shop.App()
	if set.texts != "" {
		app.Texts, err = i18n.Load(os.DirFS(set.texts), i18n.Follow(func(err error) {
			logger.Error("the texts stay as they were", zap.Error(err))
		}))
	}
	var registry *rpc.Registry
	if err == nil {
		registry, err = rpc.NewRegistry(app, shop.Services(shop.NewStore(nil))...)
	}
	if err == nil {
		exec, err = rpc.NewExecutor(registry, rpc.Options{
			Store: shared.store, Records: shared.records, Locker: shared.locker, Logger: logger, Env: set.env,
		})
	}
	if err != nil {
		shared.close()
		return nil, nil, err
	}
	return exec, func() { _ = exec.Shutdown(ctx); shared.close() }, nil
}

// edges serve the default group, what agents may use, and what only the shop's
// own people may use.
func edges() []guard.Edge {
	return []guard.Edge{
		rpchttp.Edge{References: true},
		rpchttp.Edge{Path: "/rpc/internal", Group: "internal", References: true},
		openrpc.Edge{},
		openrpc.Edge{Path: "/openrpc/internal", Group: "internal"},
		mcp.Edge{},
		mcp.Edge{Path: "/mcp/internal", Group: "internal"},
	}
}

// newLogger writes to stderr: JSON in production, lines for people otherwise.
func newLogger(env rpc.Env) (*zap.Logger, error) {
	config := zap.NewDevelopmentConfig()
	if env == rpc.Prod {
		config = zap.NewProductionConfig()
	}
	config.DisableStacktrace = true // a panic's stack is a field of its entry
	return config.Build()
}
