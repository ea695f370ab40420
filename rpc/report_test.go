package rpc_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// R-C04: the cause goes to the log, and only there.
func TestCauseIsLogged(t *testing.T) {
	core, logs := observer.New(zap.InfoLevel)
	p := start(t, rpc.Options{Logger: zap.New(core)},
		rpc.Method{Name: "wrapped", Func: func() error { return rpcerrors.NotFound.Wrap(errors.New("row 7 is gone"), "Nothing here.") }},
		rpc.Method{Name: "encoding", Func: func() any { return make(chan int) }},
		rpc.Method{Name: "plain", Func: func() error { return errors.New("disk full") }})
	for name, want := range map[string]string{"wrapped": "row 7 is gone", "encoding": "result", "plain": "disk full"} {
		answer := p.run(name, "")
		all := logs.TakeAll()
		if len(all) != 1 {
			t.Fatalf("%s: logged %d times", name, len(all))
		}
		fields := all[0].ContextMap()
		text, _ := fields["cause"].(string)
		if text == "" {
			text, _ = fields["error"].(string)
		}
		if !strings.Contains(text, want) || strings.Contains(answer, want+" is gone") || strings.Contains(answer, "disk") {
			t.Errorf("%s: logged %q, answered %s", name, text, answer)
		}
	}
}

// A stranger's name does not fill the log.
func TestLongNamesAreCut(t *testing.T) {
	core, logs := observer.New(zap.InfoLevel)
	p := start(t, rpc.Options{Logger: zap.New(core)}, rpc.Method{Name: "get", Func: func() {}})
	p.run(strings.Repeat("m", 1<<20), "")
	if got := logs.All()[0].ContextMap()["method"].(string); len(got) > 140 {
		t.Errorf("logged %d bytes of the name", len(got))
	}
}

// R-E02 R-E03: a result that cannot be encoded, or that an edge cannot send,
// is an error like any other: no rpc.post_response.
func TestFailureAfterTheMethod(t *testing.T) {
	bus := new(events.Bus)
	var order []string
	events.On(bus, func(context.Context, rpc.PostResponse) error { order = append(order, "post_response"); return nil })
	events.On(bus, func(_ context.Context, e rpc.Failed) error { order = append(order, e.Error.Kind()); return nil })
	p := start(t, rpc.Options{Events: bus},
		rpc.Method{Name: "encoding", Func: func() any { return make(chan int) }},
		rpc.Method{Name: "large", Func: func() int { return 7 }})
	r, err := p.exec.Do(t.Context(), p.call("encoding", ""))
	if err == nil {
		t.Fatal("a channel was encoded")
	}
	r.Sent()
	r, err = p.exec.Do(t.Context(), p.call("large", ""))
	if err != nil {
		t.Fatal(err)
	}
	tooLarge := rpcerrors.Protocol(rpcerrors.CodeInternal, "TooLarge", "Too large.")
	if e := r.Fail(tooLarge.New("")); e.Kind() != "TooLarge" {
		t.Errorf("got %v", e)
	}
	r.Sent()
	if err := p.exec.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"Internal", "TooLarge"}; !slices.Equal(order, want) {
		t.Errorf("got %q, want %q", order, want)
	}
}

// R-E03: a method that ends its goroutine is logged and published, and the
// executor does not wait for it.
func TestGoexit(t *testing.T) {
	bus := new(events.Bus)
	seen := make(chan string, 1)
	events.On(bus, func(_ context.Context, e rpc.Failed) error { seen <- e.Error.Kind(); return nil })
	p := start(t, rpc.Options{Events: bus}, rpc.Method{Name: "exit", Func: func() { runtime.Goexit() }})
	go p.run("exit", "")
	if got := <-seen; got != "Internal" {
		t.Errorf("got %s", got)
	}
	if err := p.exec.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}
