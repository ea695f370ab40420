package server_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/server"
	"github.com/gin-gonic/gin"
)

// app is a program with one method, Test.wait, behind an edge that runs it for
// every POST /rpc.
type app struct {
	engine   *gin.Engine
	exec     *rpc.Executor
	began    chan struct{} // a call has begun
	release  chan struct{} // lets calls return
	listened chan struct{} // a listener of post_response has begun
	listen   chan struct{} // lets listeners return
}

func newApp(t *testing.T) *app {
	t.Helper()
	a := &app{engine: gin.New(), began: make(chan struct{}, 8), release: make(chan struct{}),
		listened: make(chan struct{}, 8), listen: make(chan struct{})}
	registry, err := rpc.NewRegistry(rpc.App{Name: "test", Version: "1.0.0"},
		rpc.Service{Name: "Test", Methods: []rpc.Method{{Name: "wait", Func: a.wait}}})
	if err != nil {
		t.Fatal(err)
	}
	bus := new(events.Bus)
	events.On(bus, func(context.Context, rpc.PostResponse) error {
		a.listened <- struct{}{}
		<-a.listen
		return nil
	})
	if a.exec, err = rpc.NewExecutor(registry, rpc.Options{Events: bus, Logger: rpctest.WatchSecrets(t, "planted").Logger()}); err != nil {
		t.Fatal(err)
	}
	if err := guard.Mount(a.engine, a.exec, guard.Policy{Open: true}, a); err != nil {
		t.Fatal(err)
	}
	return a
}

// wait returns when it is released, or when nobody waits for it.
func (a *app) wait(ctx context.Context) (string, error) {
	a.began <- struct{}{}
	select {
	case <-a.release:
		return "done", nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// Routes makes the app its own edge.
func (a *app) Routes(*guard.Site) ([]guard.Route, error) {
	return []guard.Route{{Edge: "rpc", Path: "/rpc", Group: rpc.DefaultGroup, Methods: []string{http.MethodPost},
		Handler: func(*guard.Door) guard.Handler {
			return func(w http.ResponseWriter, r *http.Request, v *guard.Visit) {
				if _, ok := v.Body(w, r); !ok {
					return
				}
				response, err := v.Do(r.Context(), v.Call("Test.wait", nil))
				if err != nil {
					guard.Refuse(w, r, http.StatusOK, err)
					return
				}
				guard.Answer(w, http.StatusOK, response.Bytes())
				response.Sent()
			}
		}}}, nil
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// line is a connection that speaks HTTP/1.1 by hand.
type line struct {
	net.Conn
	in *bufio.Reader
}

func dial(t *testing.T, addr string) line {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return line{c, bufio.NewReader(c)}
}

func (l line) send(t *testing.T, text string) {
	t.Helper()
	if _, err := io.WriteString(l, strings.ReplaceAll(text, "\n", "\r\n")); err != nil {
		t.Fatal(err)
	}
}

// answer reads a response: its status and body.
func (l line) answer(t *testing.T) (int, string) {
	t.Helper()
	w, err := http.ReadResponse(l.in, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.StatusCode, string(body)
}

// ended waits for the other side to close.
func (l line) ended(t *testing.T) {
	t.Helper()
	if b, err := l.in.ReadByte(); err != io.EOF {
		t.Errorf("not closed: %q %v", b, err)
	}
}

const (
	call    = "POST /rpc HTTP/1.1\nHost: localhost\nContent-Length: 2\n\n{}"
	missing = "GET /nothing HTTP/1.1\nHost: localhost\n\n"
)

// case G06 (mark3labs/mcp-go#922, #254, golang/go#41344,
// runatlantis/atlantis#6720, erigontech/erigon#22230): running calls finish,
// new ones are refused, idle connections are closed, listeners are drained.
func TestGracefulStop(t *testing.T) {
	a, l := newApp(t), listen(t)
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, l, a.engine, a.exec) }()

	late, idle, slow := dial(t, l.Addr().String()), dial(t, l.Addr().String()), dial(t, l.Addr().String())
	late.send(t, call[:20]) // accepted before the others, and not idle
	idle.send(t, missing)
	if status, _ := idle.answer(t); status != http.StatusNotFound {
		t.Fatalf("status %d", status)
	}
	slow.send(t, call)
	<-a.began

	cancel()
	idle.ended(t)
	late.send(t, call[20:])
	if status, body := late.answer(t); status != http.StatusServiceUnavailable || !strings.Contains(body, `"code":-32503`) {
		t.Errorf("a call during the stop: %d %s", status, body)
	}
	late.ended(t)
	another := dial(t, l.Addr().String())
	another.send(t, call)
	if status, _ := another.answer(t); status != http.StatusServiceUnavailable {
		t.Errorf("a new connection during the stop: %d", status)
	}

	close(a.release)
	if status, body := slow.answer(t); status != http.StatusOK || body != `"done"` {
		t.Errorf("the running call: %d %s", status, body)
	}
	slow.ended(t)
	<-a.listened
	select {
	case err := <-served:
		t.Errorf("did not wait for the listener of post_response: %v", err)
	default:
	}
	close(a.listen)
	if err := <-served; err != nil {
		t.Error(err)
	}
	if !a.exec.Stopping() {
		t.Error("the executor still takes calls")
	}
	if c, err := net.Dial("tcp", l.Addr().String()); err == nil {
		c.Close()
		t.Error("still listening")
	}
}

// case G06: stopping before serving, and twice, neither hangs nor panics.
func TestStopBeforeServeAndTwice(t *testing.T) {
	a := newApp(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 {
		l := listen(t)
		if err := server.Serve(ctx, l, a.engine, a.exec); err != nil {
			t.Error(err)
		}
		if _, err := l.Accept(); err == nil {
			t.Error("the listener is open")
		}
	}
	if err := server.Run(ctx, "127.0.0.1:0", a.engine, a.exec); err != nil {
		t.Error(err)
	}
}

// An address in use, or a listener that fails, ends the program.
func TestListenerFails(t *testing.T) {
	a, l := newApp(t), listen(t)
	if err := server.Run(t.Context(), l.Addr().String(), a.engine, a.exec); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("%v", err)
	}
	l.Close()
	if err := server.Serve(t.Context(), l, a.engine, a.exec); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("%v", err)
	}
	if !a.exec.Stopping() {
		t.Error("the executor still takes calls")
	}
}

// Run serves until its context ends.
func TestRun(t *testing.T) {
	a := newApp(t)
	ctx, cancel := context.WithCancel(t.Context())
	l := listen(t)
	addr := l.Addr().String()
	l.Close() // a port that is free
	served := make(chan error, 1)
	go func() { served <- server.Run(ctx, addr, a.engine, a.exec) }()
	c, err := net.Dial("tcp", addr)
	for ; err != nil; c, err = net.Dial("tcp", addr) {
		select {
		case err := <-served:
			t.Fatal(err)
		default:
		}
	}
	in := line{c, bufio.NewReader(c)}
	in.send(t, missing)
	if status, _ := in.answer(t); status != http.StatusNotFound {
		t.Errorf("status %d", status)
	}
	cancel()
	in.ended(t)
	c.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
