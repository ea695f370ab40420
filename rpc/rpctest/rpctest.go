// Package rpctest is a Facet program in memory, for tests: the real registry,
// executor, pool, locks and /rpc edge, called by the real client, without a
// socket.
//
//	srv := rpctest.New(t, &Catalog{db})
//	products, err := rpctest.Call[[]Product](srv, "Catalog.search", SearchParams{Query: "tea"})
package rpctest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/lock"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/facet-rpc/facet/transport/rpchttp/client"
	"github.com/gin-gonic/gin"
)

// Server is a program in memory as one caller sees it. [Server.As],
// [Server.At] and [Server.In] give other views of the same program.
type Server struct {
	tb       testing.TB
	program  *program
	caller   rpc.Caller
	group    string
	version  int
	language string
}

// program is what all views share.
type program struct {
	registry *rpc.Registry
	exec     *rpc.Executor
	bus      *events.Bus
	engine   *gin.Engine
	callers  *callers
}

// New starts a program with the services in the environment rpc.Test. The
// test fails when they cannot be registered; the program ends with the test.
func New(tb testing.TB, services ...any) *Server {
	tb.Helper()
	return Start(tb, rpc.App{Name: "test", Version: "0.0.0"}, rpc.Options{}, services...)
}

// Start is New with an App and Options. Options that are nil get what one
// process has: a memory pool, local locks, a bus.
func Start(tb testing.TB, app rpc.App, o rpc.Options, services ...any) *Server {
	tb.Helper()
	registry, err := rpc.NewRegistry(app, services...)
	if err != nil {
		tb.Fatal(err)
	}
	if o.Store == nil || o.Records == nil {
		pool, err := cache.NewMemory(8 << 20)
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(pool.Close)
		if o.Store == nil {
			o.Store = pool
		}
		if o.Records == nil {
			o.Records = pool
		}
	}
	if o.Locker == nil {
		o.Locker = new(lock.Local)
	}
	if o.Events == nil {
		o.Events = new(events.Bus)
	}
	if o.Env == "" {
		o.Env = rpc.Test
	}
	exec, err := rpc.NewExecutor(registry, o)
	if err != nil {
		tb.Fatal(err)
	}
	p := &program{registry: registry, exec: exec, bus: o.Events, callers: new(callers)}
	p.mount(tb)
	s := &Server{tb: tb, program: p, caller: rpc.Caller{ID: "test", Groups: []string{rpc.AnyGroup}}, group: rpc.DefaultGroup, version: 1}
	tb.Cleanup(s.Drain)
	return s
}

// mount puts every group behind a door, at /<group>.
func (p *program) mount(tb testing.TB) {
	tb.Helper()
	if gin.Mode() == gin.DebugMode {
		gin.SetMode(gin.TestMode) // else every route is printed
	}
	p.engine = gin.New()
	var edges []guard.Edge
	for _, g := range p.registry.Groups() {
		edges = append(edges, rpchttp.Edge{Path: "/" + g, Group: g})
	}
	if err := guard.Mount(p.engine, p.exec, guard.Policy{Verifier: p.callers.verify}, edges...); err != nil {
		tb.Fatal(err)
	}
}

// As is the program as another caller sees it.
func (s *Server) As(c rpc.Caller) *Server {
	other := *s
	other.caller = c
	return &other
}

// At is another version and group of the program.
func (s *Server) At(version int, group string) *Server {
	other := *s
	other.version, other.group = version, group
	return &other
}

// In is the program in another language, an Accept-Language header.
func (s *Server) In(language string) *Server {
	other := *s
	other.language = language
	return &other
}

// Registry is what the program serves.
func (s *Server) Registry() *rpc.Registry { return s.program.registry }

// Executor is the program's executor.
func (s *Server) Executor() *rpc.Executor { return s.program.exec }

// Events is the bus of the program.
func (s *Server) Events() *events.Bus { return s.program.bus }

// Drain waits for running calls and the listeners of their
// rpc.post_response; the program takes no calls any more.
func (s *Server) Drain() {
	s.tb.Helper()
	if err := s.program.exec.Shutdown(context.WithoutCancel(s.tb.Context())); err != nil {
		s.tb.Errorf("rpctest: %v", err)
	}
}

// Client is a client of this view, for batches and notifications.
func (s *Server) Client() *client.Client {
	url := "http://localhost/" + s.group + "/v" + strconv.Itoa(s.version)
	return client.New(url, client.Options{
		HTTPClient: &http.Client{Transport: memory{s.program.engine}},
		Token:      s.program.callers.token(s.caller),
		Language:   s.language,
	})
}

// Call calls a method and decodes its result. An error that the program
// answered is a *rpcerrors.Error.
func Call[R any](s *Server, method string, params any) (R, error) {
	return client.Call[R](s.tb.Context(), s.Client(), method, params)
}

// memory brings requests to a handler without a socket.
type memory struct{ handler http.Handler }

func (m memory) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	m.handler.ServeHTTP(w, r)
	return w.Result(), nil
}
