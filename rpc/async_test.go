package rpc_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// R-E01 R-E02: Shutdown waits for asynchronous listeners; their errors are
// logged, once.
func TestShutdownDrainsListeners(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core, logs := observer.New(zap.InfoLevel)
		bus := new(events.Bus)
		var heard []any
		events.On(bus, func(_ context.Context, e rpc.PostResponse) error {
			time.Sleep(time.Minute)
			heard = append(heard, e.Result)
			return errors.New("no mail today")
		}, events.Async(10))
		p := start(t, rpc.Options{Events: bus, Logger: zap.New(core)}, rpc.Method{Name: "get", Func: func(k key) string { return k.Key }})
		began := time.Now()
		p.run("get", `{"key":"a"}`)
		p.run("get", `{"key":"b"}`)
		if time.Since(began) != 0 {
			t.Errorf("the calls took %v", time.Since(began))
		}
		if err := p.exec.Shutdown(t.Context()); err != nil || time.Since(began) != 2*time.Minute {
			t.Errorf("Shutdown: %v after %v", err, time.Since(began))
		}
		if !slices.Equal(heard, []any{"a", "b"}) {
			t.Errorf("heard %v", heard)
		}
		if err := events.Publish(t.Context(), bus, events.Failed{Event: "rpc.post_response"}); err != nil {
			t.Error(err)
		}
		// Not the last one: the bus may serve others when the executor is gone.
		if n := logs.FilterMessage("an asynchronous listener failed").FilterField(zap.String("event", "rpc.post_response")).Len(); n != 2 {
			t.Errorf("logged %d times: %v", n, logs.All())
		}
	})
}

// A listener that ends its goroutine, as t.FailNow does, takes nobody else's
// turn and does not keep the program from stopping.
func TestListenerEndsItsGoroutine(t *testing.T) { // R-E02
	bus := new(events.Bus)
	var heard []any
	events.On(bus, func(_ context.Context, e rpc.PostResponse) error {
		if e.Result == "exit" {
			runtime.Goexit()
		}
		heard = append(heard, e.Result)
		return nil
	})
	p := start(t, rpc.Options{Events: bus}, rpc.Method{Name: "get", Func: func(k key) string { return k.Key }})
	for _, k := range []string{"a", "exit", "b"} {
		p.run("get", `{"key":"`+k+`"}`)
	}
	if err := p.exec.Shutdown(t.Context()); err != nil || !slices.Equal(heard, []any{"a", "b"}) {
		t.Errorf("%v, heard %v", err, heard)
	}
}
