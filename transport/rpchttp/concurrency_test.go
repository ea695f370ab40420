package rpchttp_test

import (
	"context"
	stderrors "errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
)

// R-C15: a client that goes away cancels its calls, also those of a batch; the
// members that had not begun never do.
func TestDisconnect(t *testing.T) {
	wait := `{"jsonrpc":"2.0","id":1,"method":"T.wait"}`
	count := `{"jsonrpc":"2.0","id":2,"method":"T.count"}`
	for name, c := range map[string]struct {
		body  string
		waits int
	}{
		"single":       {wait, 1},
		"notification": {`{"jsonrpc":"2.0","method":"T.wait"}`, 1},
		"batch":        {"[" + wait + "," + wait + "," + count + "]", 2},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStack(t, rpchttp.Edge{Parallel: 2}, guard.Policy{})
			ctx, cancel := context.WithCancel(t.Context())
			req, _ := http.NewRequestWithContext(ctx, "POST", s.http.URL+"/rpc", strings.NewReader(c.body))
			done := make(chan error)
			go func() {
				resp, err := s.http.Client().Do(req)
				if err == nil {
					_ = resp.Body.Close()
				}
				done <- err
			}()
			for range c.waits {
				<-s.svc.began
			}
			cancel()
			for range c.waits {
				if err := <-s.svc.ended; !stderrors.Is(err, context.Canceled) {
					t.Errorf("the method's context ended with %v", err)
				}
			}
			if err := <-done; !stderrors.Is(err, context.Canceled) {
				t.Error(err)
			}
			if n := s.svc.ran.Load(); n != 0 {
				t.Errorf("%d members began after the client had gone", n)
			}
		})
	}
}

// case G04: gin-gonic/gin#4117, gin-gonic/gin#1118, gin-gonic/gin#3929. What a
// method keeps of its context is its own request's for ever; run with -race.
func TestContextOutlivesTheRequest(t *testing.T) {
	const n = 200
	s := newStack(t, rpchttp.Edge{}, guard.Policy{})
	over := make(chan struct{})
	var late sync.WaitGroup
	var mu sync.Mutex
	ids := map[string]bool{}
	s.svc.later = func(ctx context.Context) {
		before := rpc.CallFrom(ctx)
		id, method := before.RequestID(), before.Method
		late.Go(func() {
			<-over
			after := rpc.CallFrom(ctx)
			if after.RequestID() != id || after.Method != method || after.Door != "rpc.default.v1" || after.Group() != "default" {
				t.Errorf("%s %s became %s %s", id, method, after.RequestID(), after.Method)
			}
			if ctx.Err() == nil {
				t.Error("the request is over, its context is not")
			}
			mu.Lock()
			ids[id] = true
			mu.Unlock()
		})
	}
	var clients sync.WaitGroup
	for i := range n {
		clients.Go(func() {
			s.expect(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"T.later"}`, i), 200, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":null}`, i))
		})
	}
	clients.Wait()
	s.http.Close() // every request's context has ended
	close(over)
	late.Wait()
	if len(ids) != n {
		t.Errorf("%d different calls of %d", len(ids), n)
	}
}

// case G06: mark3labs/mcp-go#922, mark3labs/mcp-go#254, golang/go#41344. The
// edge's part: running calls are answered, new ones refused, listeners heard.
func TestShutdown(t *testing.T) {
	s := newStack(t, rpchttp.Edge{}, guard.Policy{})
	told := new(tally)
	defer events.On(s.bus, func(context.Context, rpc.PostResponse) error { told.n.Add(1); return nil })()
	answered := make(chan reply, 2)
	for _, body := range []string{`{"jsonrpc":"2.0","id":1,"method":"T.hold"}`, `[{"jsonrpc":"2.0","id":1,"method":"T.hold"}]`} {
		go func() { answered <- s.post(body) }()
		<-s.svc.began
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.exec.Shutdown(ended); err == nil {
		t.Error("two calls run, but the shutdown is done")
	}
	if got := s.post(`{"jsonrpc":"2.0","id":2,"method":"T.ping"}`); summary(got.body) != "2!-32503 Unavailable" {
		t.Errorf("a new call: %d %s", got.status, got.body)
	}
	close(s.svc.release)
	for range 2 {
		if got := <-answered; !strings.Contains(got.body, `"result":"T.hold"`) {
			t.Errorf("a running call: %d %s", got.status, got.body)
		}
	}
	s.http.Close() // waits for the handlers: a client has its answer a moment before the edge is done
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for range 2 { // twice does no harm
		if err := s.exec.Shutdown(ctx); err != nil {
			t.Error(err)
		}
	}
	if n := told.count(); n != 2 {
		t.Errorf("%d listeners heard, want 2", n)
	}
}

// R-C14: a panic is one failed call, told and logged once.
func TestPanicIsToldOnce(t *testing.T) {
	s := newStack(t, rpchttp.Edge{}, guard.Policy{})
	failed := s.failures()
	for _, method := range []string{"T.panics", "T.bomb", "T.cycle", "T.nan"} {
		for _, body := range []string{
			`{"jsonrpc":"2.0","id":1,"method":"` + method + `"}`,
			`[{"jsonrpc":"2.0","id":1,"method":"T.ping"},{"jsonrpc":"2.0","id":2,"method":"` + method + `"},{"jsonrpc":"2.0","id":3,"method":"T.ping"}]`,
		} {
			got := s.post(body)
			if strings.Contains(got.body, "boom") || strings.Contains(got.body, "bomb") {
				t.Errorf("%s tells its cause: %s", method, got.body)
			}
			if told, logged := failed.count(), len(s.logs.TakeAll()); told != 1 || logged != 1 {
				t.Errorf("%s: told %d times, logged %d times", method, told, logged)
			}
		}
	}
}
