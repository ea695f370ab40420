package mcp

import (
	"context"
	stderrors "errors"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

// call answers tools/call.
func (a *answer) call() {
	t := a.turn
	if p := a.watch(); p != nil {
		defer p.close() // also when the method ends this goroutine
		t.call()
		a.open = p.close()
	} else {
		t.call()
	}
	if t.cancelled {
		a.nothing()
	} else {
		a.awaited = t.ran.Awaited()
		a.send()
	}
	t.ran.Sent()
}

// call runs a tool and writes its answer, none for a call that was cancelled.
// Whoever sends that tells t.ran.
func (t *turn) call() {
	name, arguments := t.params.name, t.params.arguments
	switch {
	case name.state != given:
		t.fail(invalidParams(`"name" must be a string, the name of a tool.`))
		return
	case arguments != nil && arguments[0] != '{':
		t.fail(invalidParams(`"arguments" must be an object.`))
		return
	}
	c := t.visit.Call(t.tool(name.value), arguments)
	ctx := t.ctx
	switch {
	case t.version.modern():
	case t.session == "":
		c.Detached = true
	default: // a disconnect does not cancel the call, a notification does
		var running *runningCall
		ctx, running = t.running.begin(ctx, t.session, t.id)
		defer running.end()
	}
	if p := t.progress; p != nil {
		p.ctx, c.Report = ctx, p.report
	}
	res, e := t.visit.Do(ctx, c)
	switch {
	case context.Cause(ctx) == errCancelled:
		t.ran, t.cancelled = res, true
		return
	case e == nil:
		t.success(res, c.Spec())
	case stderrors.Is(e, rpcerrors.MethodNotFound) && c.Spec() == nil:
		t.told = true // as a method that is not there
		t.error(unknownTool(name.value))
	case t.view.argumentErrors == AsError && c.Spec() != nil && argumentError(e, c.Spec().Params, arguments):
		t.told = true
		t.error(e)
	default:
		t.told = true
		t.failure(e)
	}
	if int64(len(t.out)) > t.sizes.Result {
		t.tooLarge(t.sizes.ResultTooLarge())
	}
}

// tool is the method that a tool's name stands for.
func (t *turn) tool(name []byte) string {
	if m, ok := t.view.methods[string(name)]; ok {
		return m
	}
	return t.door.Endpoint().Intern(name)
}
