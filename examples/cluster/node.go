//go:build linux || darwin

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/facet-rpc/facet/cache/rediscache"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/lock/redislock"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/facet-rpc/facet/transport/server"
	"github.com/gin-gonic/gin"
	"github.com/redis/rueidis"
	"go.uber.org/zap"
)

const (
	// nodeEnv holds the URL of Redis and makes this program a node of the
	// cluster; dirEnv is the folder of the rooms.
	nodeEnv = "FACET_CLUSTER_NODE"
	dirEnv  = "FACET_CLUSTER_DIR"

	// lockTTL is how long the lock of a node that died stays. A short one makes
	// the proof short.
	lockTTL = 2 * time.Second
)

// untilInputEnds is the context of a process that does not outlive the program
// that started it, whose end closes its standard input.
func untilInputEnds() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	return ctx
}

// serveNode serves one shop until ctx ends.
func serveNode(ctx context.Context) error {
	redis := os.Getenv(nodeEnv)
	option, err := rueidis.ParseURL(redis)
	if err != nil {
		return err
	}
	pool, err := rediscache.Open(ctx, redis)
	if err != nil {
		return err
	}
	defer pool.Close()
	locks, err := redislock.New(redislock.Options{Redis: option, TTL: lockTTL})
	if err != nil {
		return err
	}
	defer locks.Close()
	db, err := connect(redis)
	if err != nil {
		return err
	}
	defer db.Close()
	desk := &Desk{db: db, dir: os.Getenv(dirEnv)}
	bus := new(events.Bus)
	events.On(bus, desk.countOrders)
	exec, err := newExecutor(rpc.Options{Store: pool, Records: pool, Locker: locks, Events: bus}, desk)
	if err != nil {
		return err
	}
	return listen(ctx, exec)
}

func newExecutor(o rpc.Options, desk *Desk) (*rpc.Executor, error) {
	registry, err := rpc.NewRegistry(shop.App(), append(shop.Services(shop.NewStore(nil)), desk)...)
	if err != nil {
		return nil, err
	}
	config := zap.NewProductionConfig()
	config.Sampling, config.DisableStacktrace = nil, true
	if o.Logger, err = config.Build(); err != nil {
		return nil, err
	}
	return rpc.NewExecutor(registry, o)
}

// listen serves on a free port, which it prints.
func listen(ctx context.Context, exec *rpc.Executor) error {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	if err := guard.Mount(engine, exec, guard.Policy{Open: true}, rpchttp.Edge{}, mcp.Edge{}); err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + l.Addr().String())
	return server.Serve(ctx, l, engine, exec)
}
