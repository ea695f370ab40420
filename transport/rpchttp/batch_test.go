package rpchttp_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
)

// R-C07: answers come in the order of the requests, whoever is first.
func TestBatchOrder(t *testing.T) {
	s := newStack(t, rpchttp.Edge{Parallel: 3}, guard.Policy{})
	go func() { // the slow ones are released when both have begun, so at once
		<-s.svc.began
		<-s.svc.began
		close(s.svc.release)
	}()
	s.expect(`[{"jsonrpc":"2.0","id":1,"method":"T.hold"},{"jsonrpc":"2.0","id":2,"method":"T.ping"},{"jsonrpc":"2.0","id":3,"method":"T.hold"},{"jsonrpc":"2.0","id":4,"method":"T.add","params":[1,2]}]`,
		200, `[{"jsonrpc":"2.0","id":1,"result":"T.hold"},{"jsonrpc":"2.0","id":2,"result":"pong"},{"jsonrpc":"2.0","id":3,"result":"T.hold"},{"jsonrpc":"2.0","id":4,"result":3}]`)
}

// Answers that lie at the same place of two workers' buffers are told apart.
func TestBatchOrderAcrossWorkers(t *testing.T) {
	s := newStack(t, rpchttp.Edge{Parallel: 2}, guard.Policy{})
	var calls atomic.Int32
	third := make(chan struct{})
	s.svc.later = func(context.Context) {
		if calls.Add(1) == 2 {
			close(third) // the caller's goroutine is here, behind its first member
			return
		}
		close(s.svc.release)
		<-third
	}
	s.expect(`[{"jsonrpc":"2.0","id":1,"method":"T.hold"},{"jsonrpc":"2.0","id":10000,"method":"T.later"},{"jsonrpc":"2.0","id":3,"method":"T.later"}]`,
		200, `[{"jsonrpc":"2.0","id":1,"result":"T.hold"},{"jsonrpc":"2.0","id":10000,"result":null},{"jsonrpc":"2.0","id":3,"result":null}]`)
}

// The bytes of an answer are the same alone and in any place of a batch, also
// when they are written from where the result lies.
func TestAloneAndInABatch(t *testing.T) {
	s := newStack(t, rpchttp.Edge{Parallel: 4}, guard.Policy{})
	var calls, answers []string
	for i, call := range []string{
		`"method":"T.ping"`, `"method":"T.big","params":[65534]`, `"method":"T.big","params":[65535]`, `"method":"T.big","params":[300000]`,
		`"method":"T.big","params":[300001]`, `"method":"T.lost"`, `"method":"T.sq","params":{"m":1,"n":"x"}`, `"method":"T.mark"`, `"method":"ping"`,
		`"method":"rpc.discover"`, `"method":"T.echo","params":["é😀\u0000"]`, `"method":"T.big","params":[0]`, `"method":"T.big","params":[100000]`,
	} {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, i, call)
		alone := s.post(body)
		if alone.status != 200 || alone.header.Get("Content-Length") != fmt.Sprint(len(alone.body)) {
			t.Errorf("%s: %d %v", call, alone.status, alone.header)
		}
		s.expect("["+body+"]", 200, "["+alone.body+"]")
		calls, answers = append(calls, body), append(answers, alone.body)
	}
	for range 3 { // with the buffers of the one before
		s.expect("["+strings.Join(calls, ",")+"]", 200, "["+strings.Join(answers, ",")+"]")
		slices.Reverse(calls)
		slices.Reverse(answers)
	}
}

// R-C12: the built-ins are there, also for a group that has no such method.
func TestBuiltins(t *testing.T) {
	s := newStack(t, rpchttp.Edge{}, guard.Policy{})
	s.expect(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, 200, `{"jsonrpc":"2.0","id":1,"result":"PONG"}`)
	s.expect(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"ping"}]`, 200, `[{"jsonrpc":"2.0","id":1,"result":"PONG"}]`)
	if got := s.post(`{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}`); summary(got.body) != "1!-32601 MethodNotFound" {
		t.Errorf("no edge brings rpc.discover: %s", got.body)
	}
	if got := s.post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}`); summary(got.body) != "1!-32602 InvalidParams" {
		t.Errorf("ping has no params: %s", got.body)
	}
}

// R-C01: versions have paths of their own.
func TestVersions(t *testing.T) {
	s := newStack(t, rpchttp.Edge{}, guard.Policy{})
	newer := `{"jsonrpc":"2.0","id":1,"method":"T.newer"}`
	for path, want := range map[string]string{"/rpc": "1!-32601 MethodNotFound", "/rpc/v1": "1!-32601 MethodNotFound", "/rpc/v2": `1="pong"`} {
		got := s.send("POST", path, "application/json", strings.NewReader(newer))
		if got.status != 200 || summary(got.body) != want {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	if got := s.send("POST", "/rpc/v3", "application/json", strings.NewReader(newer)); got.status != http.StatusNotFound {
		t.Errorf("/rpc/v3: %d %s", got.status, got.body)
	}
}

// journal is what happened, in order.
type journal struct {
	mu      sync.Mutex
	entries []string
}

func (j *journal) add(what string) {
	j.mu.Lock()
	j.entries = append(j.entries, what)
	j.mu.Unlock()
}

// rpc.post_response is told when the answer, the whole array of a batch, is on
// the wire: once per call that ran, not for one that failed.
func TestSentAfterTheAnswer(t *testing.T) {
	for _, c := range []struct {
		name, body string
		ran        int
	}{
		{"single", `{"jsonrpc":"2.0","id":1,"method":"T.ping"}`, 1},
		{"large", `{"jsonrpc":"2.0","id":1,"method":"T.big","params":[100000]}`, 1},
		{"too large", `{"jsonrpc":"2.0","id":1,"method":"T.big","params":[2000000]}`, 0},
		{"failed", `{"jsonrpc":"2.0","id":1,"method":"T.lost"}`, 0},
		{"notification", `{"jsonrpc":"2.0","method":"T.mark"}`, 1},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"T.ping"},{"jsonrpc":"2.0","method":"T.mark"},{"jsonrpc":"2.0","id":2,"method":"T.lost"},{"jsonrpc":"2.0","id":2,"method":"T.big","params":[100000]}]`, 3},
		{"notifications", `[{"jsonrpc":"2.0","method":"T.mark"},{"jsonrpc":"2.0","method":"T.mark"}]`, 2},
		{"too large together", batchOf(4, "T.big", "[1000000]"), 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := buildStack(t, rpchttp.Edge{MaxResult: 1 << 20, MaxResponse: 3 << 20}, guard.Policy{})
			var j journal
			defer events.On(s.bus, func(context.Context, rpc.PostResponse) error { j.add("told"); return nil })()
			w := &recorder{header: http.Header{}, flushed: func() { j.add("flushed") }}
			r, _ := http.NewRequestWithContext(t.Context(), "POST", "http://localhost/rpc", strings.NewReader(c.body))
			s.engine.ServeHTTP(w, r)
			if err := s.exec.Shutdown(t.Context()); err != nil { // drains
				t.Fatal(err)
			}
			var want []string
			if c.ran > 0 { // else nobody waits for it
				want = append([]string{"flushed"}, slices.Repeat([]string{"told"}, c.ran)...)
			}
			if !slices.Equal(j.entries, want) {
				t.Errorf("%v, want %v", j.entries, want)
			}
		})
	}
}

// A method that ends its goroutine leaves the others their answers when it ran
// on a helper's.
func TestGoexitInABatch(t *testing.T) {
	s := newStack(t, rpchttp.Edge{Parallel: 2}, guard.Policy{})
	s.expect(`[{"jsonrpc":"2.0","id":1,"method":"T.hold"},{"jsonrpc":"2.0","id":2,"method":"T.goexit"}]`, 200,
		`[{"jsonrpc":"2.0","id":1,"result":"T.hold"},{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"Internal error.","data":{"exception":"Internal"}}}]`)
}
