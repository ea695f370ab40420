package rpc

import (
	"context"
	stderrors "errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/events"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// report turns whatever went wrong below into one public error, logs it and
// publishes it once.
func report(x *Executor, _ *Spec, next Handler) Handler {
	return func(ctx context.Context, c *Call) (Response, error) {
		response, err := next(ctx, c)
		if err == nil {
			return response, nil
		}
		response.discard()
		if e, ok := err.(*rpcerrors.Error); ok && e != nil && c.lookup != nil && e == c.lookup.reported {
			return Response{}, e
		}
		return Response{}, x.fail(ctx, c, err)
	}
}

// fail makes err public, logs and publishes it.
func (x *Executor) fail(ctx context.Context, c *Call, err error) *rpcerrors.Error {
	c.ran = false // rpc.post_response is for answers
	e, err := x.public(ctx, c, err)
	x.log(c, e, err)
	if x.topics.failed.Active() {
		if err := x.topics.failed.Publish(ctx, Failed{c, e}); err != nil {
			x.options.Logger.Error("a listener of rpc.error failed", append(c.fields(), zap.Error(err))...)
		}
	}
	return e
}

// Fail is [Executor.Do] for a request that an edge cannot run, such as one
// that is no JSON: err becomes public, logged and published like the error of
// any call. c names what is known of the call.
func (x *Executor) Fail(ctx context.Context, c *Call, err error) *rpcerrors.Error {
	x.adopt(ctx, c)
	return x.fail(&c.context, c, err)
}

// panicked is a panic of a method or of the types it uses.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

func (p *panicked) Unwrap() error {
	err, _ := p.value.(error)
	return err
}

// errGoexit: nothing can be answered, the connection breaks off.
var errGoexit = stderrors.New("the method ended its goroutine with runtime.Goexit")

// rescue turns a panic into an error of this call alone.
func rescue(x *Executor, _ *Spec, next Handler) Handler {
	return func(ctx context.Context, c *Call) (response Response, err error) {
		done := false
		defer func() {
			if done {
				return
			}
			v := recover()
			if v == nil { // runtime.Goexit: there is no way back, so tell it here
				_ = x.fail(ctx, c, errGoexit)
				return
			}
			err = &panicked{v, debug.Stack()}
		}()
		response, err = next(ctx, c)
		done = true
		return response, err
	}
}

// public is the error a caller sees, and the one for the log.
func (x *Executor) public(ctx context.Context, c *Call, err error) (*rpcerrors.Error, error) {
	if e, ok := err.(*rpcerrors.Error); ok && e == nil {
		err = stderrors.New("the method returned a nil *errors.Error as its error, which is not nil: return error")
	}
	var p *panicked
	var lp *events.PanicError
	var e *rpcerrors.Error
	switch {
	case stderrors.As(err, &p), stderrors.As(err, &lp):
		e = rpcerrors.Internal.Wrap(err, "")
	case stderrors.As(err, &e) && e != nil:
	case ctx.Err() == context.DeadlineExceeded && (stderrors.Is(err, context.DeadlineExceeded) || stderrors.Is(err, context.Canceled)):
		e = rpcerrors.Timeout.Wrap(err, "") // of who called, such as a program with a context of its own
	case stderrors.Is(err, context.Canceled) && ctx.Err() != nil:
		e = rpcerrors.Canceled.Wrap(err, "")
	default:
		e = rpcerrors.From(err)
	}
	e = x.translate(c, e)
	if x.options.Env == Prod {
		return e, err
	}
	secrets := x.secrets(c)
	if e.Code() == rpcerrors.CodeInternal && e.Unwrap() != nil {
		e = e.WithMessage(x.redactor.text(e.Unwrap().Error(), secrets...))
	}
	d := c.debug(err, p, lp)
	d.Message = x.redactor.text(d.Message, secrets...)
	for i, line := range d.Trace {
		d.Trace[i] = x.redactor.text(line, secrets...)
	}
	return e.WithDebug(d), err
}

// debug is what error.data shows in development and tests.
func (c *Call) debug(err error, p *panicked, lp *events.PanicError) rpcerrors.Debug {
	d := rpcerrors.Debug{Message: err.Error(), Trace: chainOf(err)}
	if cause := causeOf(err); cause != nil {
		d.Message = cause.Error()
	}
	switch {
	case p != nil:
		d.Trace = strings.Split(strings.TrimSpace(string(p.stack)), "\n")
	case lp != nil:
		d.Trace = strings.Split(strings.TrimSpace(string(lp.Stack)), "\n")
	}
	var own *rpcerrors.Error
	if stderrors.As(err, &own) && own.PC() != 0 {
		frame, _ := runtime.CallersFrames([]uintptr{own.PC()}).Next()
		d.File, d.Line = frame.File, frame.Line
	} else if c.spec != nil {
		d.File, d.Line = c.spec.bound.file, c.spec.bound.line
	}
	return d
}

// causeOf is what a public error hides, nil without.
func causeOf(err error) error {
	var e *rpcerrors.Error
	if stderrors.As(err, &e) && e != nil {
		return e.Unwrap()
	}
	return nil
}

// chainOf lists the texts of an error and what it wraps, outermost first.
func chainOf(err error) []string {
	chain := []string{}
	for err != nil && len(chain) < 32 {
		chain = append(chain, err.Error())
		err = stderrors.Unwrap(err)
	}
	return chain
}

// log writes the one entry of a failed call.
func (x *Executor) log(c *Call, e *rpcerrors.Error, err error) {
	level := zapcore.InfoLevel
	switch e.Code() {
	case rpcerrors.CodeInternal, rpcerrors.CodeUnavailable:
		level = zapcore.ErrorLevel
		if e.Kind() == "Canceled" {
			level = zapcore.InfoLevel
		}
	case rpcerrors.CodeTimeout:
		level = zapcore.WarnLevel
	}
	entry := x.options.Logger.Check(level, "call failed")
	if entry == nil {
		return
	}
	secrets := x.secrets(c)
	fields := append(c.fields(), zap.Int("code", e.Code()), zap.String("kind", e.Kind()))
	fields = append(fields, x.redactor.error("error", err, secrets...)...)
	if cause := causeOf(err); cause != nil {
		fields = append(fields, x.redactor.error("cause", cause, secrets...)...)
	}
	if v := e.Violations(); len(v) > 0 {
		fields = append(fields, zap.String("first", v[0].Pointer+" "+v[0].Rule))
	}
	var p *panicked
	if stderrors.As(err, &p) {
		fields = append(fields, zap.ByteString("stack", p.stack))
	}
	if x.options.Env == Dev {
		params := x.redactor.params(c.Params, c.spec)
		fields = append(fields, zap.ByteString("params", params[:min(len(params), maxLogged)]))
	}
	entry.Write(fields...)
}

// How much of what a stranger sent goes into one log entry, in bytes.
const (
	maxName   = 128
	maxLogged = 4 << 10
)

// fields names the call in a log.
func (c *Call) fields() []zap.Field {
	method := c.Method
	if len(method) > maxName { // a stranger's
		method = method[:maxName] + "…"
	}
	fields := []zap.Field{zap.String("method", method), zap.String("door", c.Door), zap.String("request", c.RequestID())}
	if c.RayID != "" {
		fields = append(fields, zap.String("ray", c.RayID))
	}
	if job := c.Job(); job != "" {
		fields = append(fields, zap.String("job", job))
	}
	if c.caller != nil && c.caller.ID != "" {
		fields = append(fields, zap.String("caller", c.caller.ID))
	}
	return fields
}
