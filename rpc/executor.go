package rpc

import (
	"context"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/events"
	"go.uber.org/zap"
)

// Options says what an [Executor] works with. The zero value works for a
// registry that declares no cache and no lock.
type Options struct {
	// Store and Records keep results; needed when a method has a Cache.
	Store   Store
	Records Records
	// Locker grants locks; needed when a method has a Lock.
	Locker Locker
	// Events is the bus that events of calls go to; nil: nobody listens.
	Events *events.Bus
	// Logger gets one entry per failed call; nil: none.
	Logger *zap.Logger
	// Env is the environment; empty: [Prod].
	Env Env
	// Visible says which methods exist for a caller; nil: all whose
	// [Method.Scopes] the caller has. It is asked for calling, listing and
	// documents alike, in addition to the scopes.
	Visible func(*Caller, *Spec) bool
	// Interceptors wrap every call after its method was found; the first acts
	// first.
	Interceptors []Interceptor
	// MinTimeout and MaxTimeout bound $rpc.timeout; 0: 10 and 120 seconds.
	MinTimeout, MaxTimeout time.Duration
}

// Handler runs a call.
type Handler func(context.Context, *Call) (Response, error)

// Interceptor wraps a Handler.
type Interceptor func(next Handler) Handler

// Executor runs calls: the stages below, in this order, for every edge.
type Executor struct {
	registry *Registry
	options  Options
}

// Registry is what the executor serves.
func (x *Executor) Registry() *Registry { return x.registry }

// Logger is where failed calls are logged, never nil.
func (x *Executor) Logger() *zap.Logger { return x.options.Logger }

// Do runs a call. The error is public: it may be sent as it is.
func (x *Executor) Do(ctx context.Context, c *Call) (Response, *rpcerrors.Error) {
	return Response{}, nil
}

// Visible reports whether the method exists for the caller: the one check for
// calling, listing and documents.
func (x *Executor) Visible(c *Caller, s *Spec) bool { return true }

// Builtin checks a method of an edge, such as ping or rpc.discover, which is
// then called with [Call.Builtin]. Its name may be bare or under rpc.
func (x *Executor) Builtin(m Method) (*Spec, error) { return nil, nil }

// Shutdown waits until running calls and the listeners of their
// rpc.post_response have returned, or ctx ends; new calls are refused with
// -32503. It returns ctx's error if something was still running.
func (x *Executor) Shutdown(ctx context.Context) error { return nil }
