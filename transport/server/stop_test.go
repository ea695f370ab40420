package server_test

import (
	"context"
	stderrors "errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/transport/server"
)

// pipes is a listener in memory, whose connections live in a test's bubble.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes"} }

func (p *pipes) dial() net.Conn {
	client, srv := net.Pipe()
	p.conns <- srv
	return client
}

// program runs in a bubble: what it has to serve, its signals and its end.
type program struct {
	*pipes
	signals chan os.Signal
	cancel  context.CancelFunc
	served  chan error
}

func start(t *testing.T, a *app, handler http.Handler) program {
	p := program{pipes: newPipes(), signals: make(chan os.Signal, 2), served: make(chan error, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	p.cancel = cancel
	go func() { p.served <- server.ServeWith(ctx, p.pipes, handler, a.exec, p.signals) }()
	return p
}

// request sends one and gives what comes back, all of it.
func (p program) request(text string) (net.Conn, <-chan string) {
	c := p.dial()
	got := make(chan string, 1)
	go func() {
		b, _ := io.ReadAll(c)
		got <- string(b)
	}()
	io.WriteString(c, strings.ReplaceAll(text, "\n", "\r\n"))
	return c, got
}

// case G06: when the time is over, the contexts of calls end, their clients
// hear of it, and the error says that the stop was not clean.
func TestStopCancelsAtTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newApp(t)
		p := start(t, a, a.engine)
		_, got := p.request(call)
		<-a.began
		began := time.Now()
		p.cancel()
		err := <-p.served
		var stop *server.StopError
		if !stderrors.As(err, &stop) || stop.Requests != 0 || stop.Listeners || stop.Forced || !strings.Contains(err.Error(), "15s") {
			t.Errorf("%v", err)
		}
		if took := time.Since(began); took < server.StopTimeout || took > server.StopTimeout+server.CancelTimeout {
			t.Errorf("took %v", took)
		}
		if text := <-got; !strings.Contains(text, `"exception":"Canceled"`) {
			t.Errorf("the client got %q", text)
		}
	})
}

// case G06: a handler that heeds nothing does not hold the program.
func TestStopLeavesWhatDoesNotEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newApp(t)
		began, end := make(chan struct{}), make(chan struct{})
		p := start(t, a, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			close(began)
			<-end
		}))
		c, got := p.request(call)
		<-began
		at := time.Now()
		p.cancel()
		err := <-p.served
		var stop *server.StopError
		if !stderrors.As(err, &stop) || stop.Requests != 1 || !strings.Contains(err.Error(), "1 requests did not return") {
			t.Errorf("%v", err)
		}
		if took := time.Since(at); took != server.StopTimeout+server.CancelTimeout {
			t.Errorf("took %v", took)
		}
		if text := <-got; text != "" {
			t.Errorf("the client got %q", text)
		}
		close(end)
		c.Close()
	})
}

// case G06: a listener of rpc.post_response that hangs is told of.
func TestStopTellsOfListeners(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newApp(t)
		p := start(t, a, a.engine)
		c, got := p.request(call)
		close(a.release)
		<-a.listened
		p.cancel()
		err := <-p.served
		var stop *server.StopError
		if !stderrors.As(err, &stop) || stop.Requests != 0 || !stop.Listeners || !strings.Contains(err.Error(), "rpc.post_response") {
			t.Errorf("%v", err)
		}
		close(a.listen)
		c.Close()
		<-got
	})
}

// A second signal forces the stop.
func TestSecondSignal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newApp(t)
		p := start(t, a, a.engine)
		_, got := p.request(call)
		<-a.began
		began := time.Now()
		p.signals <- os.Interrupt
		synctest.Wait()
		p.signals <- os.Interrupt
		err := <-p.served
		var stop *server.StopError
		if !stderrors.As(err, &stop) || !stop.Forced || !strings.Contains(err.Error(), "by a second signal") {
			t.Errorf("%v", err)
		}
		if took := time.Since(began); took > server.CancelTimeout {
			t.Errorf("took %v", took)
		}
		<-got
	})
}

// case B07 (filecoin-project/go-jsonrpc, mark3labs/mcp-go#780), R-S04, R-C14:
// a client that sends or reads too slowly is cut off, and its goroutine ends.
func TestSlowClients(t *testing.T) {
	for _, c := range []struct {
		name    string
		head    string // sent at once
		dribble string // then again and again, a second apart
		reads   bool
		cut     time.Duration
		answer  string
	}{
		{"headers", "POST /rpc HTTP/1.1\n", "X: y\n", true, server.ReadHeaderTimeout, ""},
		{"body", "POST /rpc HTTP/1.1\nHost: localhost\nContent-Length: 1000\n\n", "x", true, server.ReadTimeout, "HTTP/1.1 408 "},
		{"nothing more", "POST /rpc HTTP/1.1\nHost: localhost\nContent-Length: 1000\n\n", "", true, server.ReadTimeout, "HTTP/1.1 408 "},
		{"answer not read", "GET /long HTTP/1.1\nHost: localhost\n\n", "", false, server.WriteTimeout, ""},
		{"idle", "", "", true, server.ReadHeaderTimeout, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newApp(t)
				returned := make(chan struct{}, 1)
				p := start(t, a, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					defer func() { returned <- struct{}{} }()
					if r.URL.Path == "/long" {
						w.Write(make([]byte, 1<<20))
						return
					}
					a.engine.ServeHTTP(w, r)
				}))
				began := time.Now()
				conn := p.dial()
				var dribbler sync.WaitGroup
				dribbler.Go(func() {
					io.WriteString(conn, strings.ReplaceAll(c.head, "\n", "\r\n"))
					for c.dribble != "" {
						time.Sleep(time.Second) // the bubble's clock
						if _, err := io.WriteString(conn, c.dribble); err != nil {
							return
						}
					}
				})
				if c.reads {
					got, _ := io.ReadAll(conn) // until it is reset, perhaps
					if !strings.HasPrefix(string(got), c.answer) || c.answer == "" && len(got) > 0 {
						t.Errorf("answer %q, want %q", got, c.answer)
					}
				} else {
					<-returned
				}
				if took := time.Since(began); took < c.cut || took > c.cut+time.Second {
					t.Errorf("cut after %v, want %v", took, c.cut)
				}
				conn.Close()
				dribbler.Wait()
				p.cancel()
				if err := <-p.served; err != nil {
					t.Error(err)
				}
			})
		})
	}
}
