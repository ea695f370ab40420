package mcp

import (
	stderrors "errors"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

// call answers tools/call.
func (a *answer) call() {
	a.turn.call()
	a.awaited = a.turn.ran.Awaited()
	a.send()
	a.turn.ran.Sent()
}

// call runs a tool and writes its answer. Whoever sends that tells t.ran.
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
	c.Detached = !t.version.modern() // a client of the session era may come back for the answer
	res, e := t.visit.Do(t.ctx, c)
	switch {
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
