package server

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/lock"
	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
	"go.uber.org/zap"
)

// helloCache is the room for cached results, in bytes.
const helloCache = 16 << 20

// Hello is a whole program for a first try: it serves the services on /rpc,
// /openrpc and /mcp of a loopback address, to everybody on this machine and
// without a token, in the environment [rpc.Dev], with cache and locks in the
// process. It prints where, with commands to try, logs calls that fail
// unexpectedly to stderr, and returns when SIGINT or SIGTERM has stopped it.
// Port 0 takes a free one; the first line printed has it.
//
// Hello turns gin's debug output off unless the environment sets GIN_MODE.
// When the program needs tokens, another address or other engines, write its
// five lines: rpc.NewRegistry, rpc.NewExecutor, gin.New, guard.Mount, [Run].
func Hello(addr string, services ...any) error {
	if os.Getenv(gin.EnvGinMode) == "" {
		gin.SetMode(gin.ReleaseMode)
	}
	return hello(context.Background(), os.Stdout, addr, services)
}

func hello(ctx context.Context, out io.Writer, addr string, services []any) error {
	if err := checkLoopback(addr); err != nil {
		return err
	}
	registry, err := rpc.NewRegistry(rpc.App{Name: "hello", Title: "Hello", Version: "1.0.0"}, services...)
	if err != nil {
		return err
	}
	pool, err := cache.NewMemory(helloCache)
	if err != nil {
		return err
	}
	defer pool.Close()
	log, err := errorLog()
	if err != nil {
		return err
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{
		Store: pool, Records: pool, Locker: new(lock.Local), Env: rpc.Dev, Logger: log,
	})
	if err != nil {
		return err
	}
	engine := gin.New()
	engine.RedirectTrailingSlash = false // gin would answer /rpc/ before the policy is asked
	err = guard.Mount(engine, exec, guard.Policy{Open: true},
		rpchttp.Edge{}, openrpc.Edge{}, mcp.Edge{Group: rpc.DefaultGroup, SessionTTL: -1}) // one process, and curl needs no session
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	guide(out, "http://"+l.Addr().String(), registry)
	return Serve(ctx, l, engine, exec)
}

// checkLoopback: what everybody may call is for this machine only.
func checkLoopback(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("server: Hello needs host:port, such as 127.0.0.1:8080: %w", err)
	}
	if ip, err := netip.ParseAddr(host); strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback() {
		return nil
	}
	return fmt.Errorf("server: Hello asks for no token, so it listens on this machine only, not on %q; "+
		"take 127.0.0.1:8080, or mount the edges with a guard.Policy that has Tokens and call server.Run", addr)
}

// errorLog is for people: lines on stderr, of errors only.
func errorLog() (*zap.Logger, error) {
	config := zap.NewDevelopmentConfig()
	config.Level = zap.NewAtomicLevelAt(zap.ErrorLevel)
	config.DisableCaller, config.DisableStacktrace = true, true
	return config.Build()
}
