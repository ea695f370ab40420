package async_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/transport/async"
)

// nowhere is a network without hosts.
func nowhere(context.Context, string, string) (net.Conn, error) {
	return nil, errors.New("no such host")
}

// pipes is a network of one host in memory, so that time can be that of a
// bubble.
type pipes struct {
	conns chan net.Conn
	gone  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.gone:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// setup is of a program that posts to this network.
func (p *pipes) setup(o async.Options) setup {
	o.Webhooks.Plain = true
	return setup{async: o, rest: func(j *async.Jobs) { j.DialWith(p.dial) }}
}

// attempt is one webhook that a receiver in memory got, and when.
type attempt struct {
	after time.Duration
	id    string
	body  string
}

// inBubble runs f with a receiver in memory that answers attempt n, counted
// from 1, with answer.
func inBubble(t *testing.T, answer func(w http.ResponseWriter, n int), f func(t *testing.T, network *pipes, attempts func() []attempt)) {
	synctest.Test(t, func(t *testing.T) {
		network := &pipes{conns: make(chan net.Conn), gone: make(chan struct{})}
		began := time.Now()
		var got []attempt
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			got = append(got, attempt{time.Since(began), r.Header.Get("Webhook-Id"), string(body)})
			answer(w, len(got))
		})}
		done := make(chan struct{})
		go func() { defer close(done); _ = server.Serve(network) }()
		defer func() {
			close(network.gone)
			_ = server.Close()
			<-done
		}()
		f(t, network, func() []attempt { synctest.Wait(); return got })
	})
}

// submitPlain calls a method without parameters, with a callback anywhere.
func (p *program) submitPlain(t *testing.T, method string) string {
	t.Helper()
	return p.submit(method, "{}", "http://hooks.example")
}

func contextOf(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(t.Context(), d)
}
