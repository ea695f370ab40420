package rpchttp_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
)

// stack is the real thing: services, executor, guard and edge behind a server.
type stack struct {
	t      *testing.T
	svc    *T
	pub    *Pub
	adm    *Adm
	exec   *rpc.Executor
	bus    *events.Bus
	logs   *observer.ObservedLogs
	engine *gin.Engine
	http   *httptest.Server
	watch  *rpctest.Secrets // of every request
}

// newStack serves edge under policy; a zero policy is open.
func newStack(t *testing.T, edge rpchttp.Edge, policy guard.Policy) *stack {
	t.Helper()
	s := buildStack(t, edge, policy)
	s.http = httptest.NewServer(s.watch.Handler(s.engine))
	t.Cleanup(s.http.Close)
	return s
}

// buildStack is newStack without a listener.
func buildStack(tb testing.TB, edge rpchttp.Edge, policy guard.Policy) *stack {
	tb.Helper()
	core, logs := observer.New(zap.DebugLevel)
	watch := rpctest.WatchSecrets(tb, "planted-cookie", "planted-token")
	s := &stack{watch: watch, svc: newT(), pub: new(Pub), adm: new(Adm), bus: new(events.Bus), logs: logs, engine: gin.New()}
	s.t, _ = tb.(*testing.T)
	s.exec = execute(tb, rpc.Options{Events: s.bus, Logger: zap.New(zapcore.NewTee(core, watch.Core()))}, s.svc, s.pub, s.adm)
	mount(tb, s.engine, s.exec, edge, policy)
	logs.TakeAll()
	return s
}

// execute makes an executor of services.
func execute(tb testing.TB, options rpc.Options, services ...any) *rpc.Executor {
	tb.Helper()
	registry, err := rpc.NewRegistry(rpc.App{Name: "test", Version: "1.0.0"}, services...)
	if err != nil {
		tb.Fatal(err)
	}
	exec, err := rpc.NewExecutor(registry, options)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := exec.Shutdown(ctx); err != nil {
			tb.Error(err)
		}
	})
	return exec
}

func mount(tb testing.TB, engine *gin.Engine, exec *rpc.Executor, edge rpchttp.Edge, policy guard.Policy) {
	tb.Helper()
	if policy.Tokens == nil {
		policy.Open = true
	}
	if err := guard.Mount(engine, exec, policy, edge); err != nil {
		tb.Fatal(err)
	}
}

// reply is an answer as it came.
type reply struct {
	status int
	header http.Header
	body   string
}

// post sends a body as application/json.
func (s *stack) post(body string) reply {
	s.t.Helper()
	return s.send("POST", "/rpc", "application/json", strings.NewReader(body))
}

func (s *stack) send(method, path, contentType string, body io.Reader) reply {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.http.URL+path, body)
	if err != nil {
		s.t.Fatal(err)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	return s.do(req)
}

func (s *stack) do(req *http.Request) reply {
	s.t.Helper()
	req.Header.Set("Cookie", "session=planted-cookie")
	req.Header.Add("Proxy-Authorization", "Bearer planted-token")
	resp, err := s.http.Client().Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return reply{resp.StatusCode, resp.Header, string(b)}
}

// expect posts a body and compares the status and the whole body.
func (s *stack) expect(body string, status int, want string) {
	s.t.Helper()
	got := s.post(body)
	if got.status != status || got.body != want {
		s.t.Errorf("%.300s\nanswers %d %.600s\nwant    %d %.600s", body, got.status, got.body, status, want)
	}
}

// recorder is a ResponseWriter for tests that look at writes and flushes.
type recorder struct {
	header  http.Header
	status  int
	body    bytes.Buffer
	flushed func()
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }
func (r *recorder) Flush() {
	if r.flushed != nil {
		r.flushed()
	}
}

// tally counts events.
type tally struct{ n atomic.Int64 }

// count is how many there were since it was asked last.
func (c *tally) count() int64 { return c.n.Swap(0) }

// failures counts rpc.error.
func (s *stack) failures() *tally {
	c := new(tally)
	off := events.On(s.bus, func(context.Context, rpc.Failed) error { c.n.Add(1); return nil })
	s.t.Cleanup(off)
	return c
}
