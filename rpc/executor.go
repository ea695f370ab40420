package rpc

import (
	"context"
	"crypto/rand"
	"slices"
	"sync/atomic"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/events"
	"go.uber.org/zap"
)

// Options says what an [Executor] works with. The zero value works for a
// registry that declares no cache, no idempotency and no lock.
type Options struct {
	// Store and Records keep results; both are needed when a method has a
	// Cache, Records also when one has Idempotency.
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
	// Redact are names of parameters, at any depth, whose values logs and the
	// errors of [Dev] leave out, besides those with password, secret, token,
	// api_key and the like in their names. Parameters themselves are logged in
	// [Dev] alone.
	Redact []string
	// Visible says which methods exist for a caller, in addition to
	// [Method.Scopes]; nil: all. It is asked for calling, listing and
	// documents alike.
	Visible func(*Caller, *Spec) bool
	// Interceptors wrap every call after its method was found; the first acts
	// first.
	Interceptors []Interceptor
	// MinTimeout and MaxTimeout bound $rpc.timeout; 0: 10 and 120 seconds.
	MinTimeout, MaxTimeout time.Duration
}

// Handler runs a call, or the rest of one. A [Response] comes from an inner
// Handler; whoever has none returns an error, of any kind: it becomes public,
// is logged and published further out.
type Handler func(context.Context, *Call) (Response, error)

// Interceptor wraps the rest of a call: the deadline, the cache, decoding and
// all that follows. It is asked once for each method, when the executor is
// made; the Handler it returns runs on the goroutines of many calls, and calls
// next at most once.
type Interceptor func(next Handler) Handler

// Executor runs calls. All edges share it.
type Executor struct {
	registry *Registry
	options  Options
	topics   topics
	unhear   func()  // takes lost off the bus; nil without one
	instance [8]byte // makes request ids unique between processes
	sequence atomic.Uint64
	handler  Handler   // the stages that every call passes
	chains   []Handler // the rest, by Spec.index
	running  drain
	after    afterwards
	deferrer Deferrer // nil: no call runs later; set before the first call
	buffers  buffers
	redactor *redactor

	flights   flights
	unsettled unsettled
	orphans   atomic.Int64 // idempotency keys that wait to be freed
	counters  counters
}

// stage is one step of a call. It may leave itself out for a method that does
// not need it by returning next.
type stage func(x *Executor, s *Spec, next Handler) Handler

// The order of everything that happens to a call. An edge has checked policy
// and envelope before, and tells [Response.Sent] afterwards.
var (
	// outer stages run for every call.
	outer = []stage{
		report,  // any error leaves as one public error, logged and published once
		rescue,  // a panic becomes an error of this call alone
		request, // rpc.request; a listener may refuse
		resolve, // the method, if this caller may see it
	}
	// inner stages are compiled for each method.
	inner = []stage{
		intercept,  // the application's interceptors
		deadline,   // the method's timeout, shortened by $rpc.timeout
		recalled,   // a hit ends here if the same bytes were decoded before
		decode,     // parameters: names, presence, types, defaults
		cached,     // a hit ends here; a miss runs once for all who wait, and is stored
		validate,   // validate tags
		idempotent, // the first answer to the same key ends here
		preExecute, // rpc.pre_execute; a listener may refuse
		locked,     // the lease, until the method has returned
		invoke,     // the method, rpc.post_execute, rpc.pre_response, encoding
	}
)

// chain builds the handler of stages; the first acts first.
func (x *Executor) chain(stages []stage, s *Spec, last Handler) Handler {
	for _, st := range slices.Backward(stages) {
		last = st(x, s, last)
	}
	return last
}

// NewExecutor makes an Executor. The error is a [Faults]: methods that
// declare what the options do not have.
func NewExecutor(r *Registry, o Options) (*Executor, error) {
	if faults := missing(r, o); len(faults) > 0 {
		return nil, faults
	}
	redactor := newRedactor(o.Redact)
	if o.Logger == nil {
		o.Logger = zap.NewNop()
	} else {
		o.Logger = withRedaction(o.Logger, redactor)
	}
	if o.Env == "" {
		o.Env = Prod
	}
	if o.MinTimeout == 0 {
		o.MinTimeout = 10 * time.Second
	}
	if o.MaxTimeout == 0 {
		o.MaxTimeout = 120 * time.Second
	}
	x := &Executor{registry: r, options: o, redactor: redactor, topics: newTopics(o.Events)}
	rand.Read(x.instance[:])
	x.flights.handlers = map[*Spec]Handler{}
	x.flights.byKey = map[string]*flight{}
	if o.Events != nil {
		x.unhear = events.On(o.Events, x.lost)
	}
	x.handler = x.chain(outer, nil, x.dispatch)
	x.chains = make([]Handler, len(r.specs))
	for i, s := range r.specs {
		x.chains[i] = x.chain(inner, s, nil)
	}
	return x, nil
}

// missing finds what methods need and the options do not have.
func missing(r *Registry, o Options) (faults Faults) {
	for _, s := range r.specs {
		say := func(problem, mend string) {
			faults = append(faults, Fault{Service: s.Service, Method: s.Declared.Name, Problem: problem, Mend: mend})
		}
		if s.Declared.Cache.TTL > 0 && (o.Store == nil || o.Records == nil) {
			say("it has a Cache, and Options have no Store and Records", "set both, for one process to a cache.NewMemory")
		}
		if s.Declared.Idempotency.TTL > 0 && o.Records == nil {
			say("it has Idempotency, and Options have no Records", "set them, for one process to a cache.NewMemory")
		}
		if s.locks() && o.Locker == nil {
			say("it has a Lock, and Options have no Locker", "set it, for one process to new(lock.Local)")
		}
	}
	switch o.Env {
	case "", Prod, Dev, Test:
	default:
		faults = append(faults, Fault{Problem: "Options.Env is " + quoted(string(o.Env)), Mend: "write rpc.Prod, rpc.Dev or rpc.Test"})
	}
	if o.MinTimeout < 0 || o.MaxTimeout < 0 || o.MaxTimeout > 0 && o.MinTimeout > o.MaxTimeout {
		faults = append(faults, Fault{Problem: "Options.MinTimeout and MaxTimeout do not fit", Mend: "write 0 or a duration, the smaller one in MinTimeout"})
	}
	return faults
}

// Registry is what the executor serves.
func (x *Executor) Registry() *Registry { return x.registry }

// Logger is where failed calls are logged, never nil. Its entries tell no
// secrets: passwords in URLs, tokens of headers, secrets of webhooks, and the
// values of secret names.
func (x *Executor) Logger() *zap.Logger { return x.options.Logger }

// Env is the environment.
func (x *Executor) Env() Env { return x.options.Env }

// Records is [Options].Records, where an edge keeps its sessions; nil: none.
func (x *Executor) Records() Records { return x.options.Records }

// Do runs a call and returns its answer or a public error, which may be sent
// as it is. c belongs to the executor from now on and is used once.
func (x *Executor) Do(ctx context.Context, c *Call) (Response, *rpcerrors.Error) {
	if !x.running.enter() {
		return Response{}, x.Fail(ctx, c, rpcerrors.Unavailable.New("The server is stopping."))
	}
	defer x.running.leave()
	return x.perform(ctx, c)
}

// perform runs a call that is counted among those that run.
func (x *Executor) perform(ctx context.Context, c *Call) (Response, *rpcerrors.Error) {
	x.adopt(ctx, c)
	if c.Control {
		c.readControl()
	}
	response, err := x.handler(&c.context, c)
	if err != nil {
		return Response{call: c}, err.(*rpcerrors.Error) // report made it
	}
	return response, nil
}

// adopt fills in what the edge left out and what is the executor's own.
func (x *Executor) adopt(ctx context.Context, c *Call) {
	if c.Detached {
		ctx = context.WithoutCancel(ctx)
	}
	if c.Caller == nil {
		c.Caller = anonymous
	}
	if c.Language == "" {
		c.Language = "en"
	}
	c.exec = x
	c.caller = c.Caller
	c.sequence = x.sequence.Add(1)
	c.context = callContext{ctx, c}
}

// dispatch ends the outer stages: the method's own.
func (x *Executor) dispatch(ctx context.Context, c *Call) (Response, error) {
	return x.chains[c.spec.index](ctx, c)
}

// Visible reports whether the method exists for the caller: the one check for
// calling, listing and documents.
func (x *Executor) Visible(c *Caller, s *Spec) bool {
	for _, scope := range s.Declared.Scopes {
		if !slices.Contains(c.Scopes, scope) {
			return false
		}
	}
	return x.options.Visible == nil || x.options.Visible(c, s)
}

// Builtin checks a method of an edge, such as ping or rpc.discover, which is
// then called with [Call.Builtin]. Its Name is used as it is, and may begin
// with rpc. Edges call Builtin while they are mounted, before any call.
func (x *Executor) Builtin(m Method) (*Spec, error) {
	r := newRegistration(x.registry.app)
	r.edge, r.model, r.params, r.results = true, x.registry.model, x.registry.params, x.registry.results
	s := r.complete(Service{Name: "rpc"}, "")
	b := r.declared(s, &m)
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	b.spec.index = len(x.chains)
	x.chains = append(x.chains, x.chain(inner, b.spec, nil))
	return b.spec, nil
}

// Shutdown waits until calls that were deferred, running calls, executions
// that outlive their callers, the listeners of rpc.post_response and
// asynchronous listeners of the bus have returned, or ctx ends; new calls are
// refused with -32503. It returns ctx's error if something was still running.
// The bus outlives it, and then knows nothing of the executor any more.
func (x *Executor) Shutdown(ctx context.Context) error {
	x.running.stopping.Store(true)
	if x.deferrer != nil {
		if err := x.deferrer.Drain(ctx); err != nil {
			return err
		}
	}
	if err := x.running.wait(ctx); err != nil {
		return err
	}
	if err := x.after.wait(ctx); err != nil {
		return err
	}
	if err := x.options.Events.Drain(ctx); err != nil {
		return err
	}
	if x.unhear != nil {
		x.unhear() // last: until now a listener may have failed
	}
	return nil
}

// Stopping reports whether Shutdown was called.
func (x *Executor) Stopping() bool { return x.running.stopping.Load() }
