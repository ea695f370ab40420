package mcp

import (
	stderrors "errors"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

// call answers tools/call.
func (a *answer) call() {
	a.turn.call()
	a.send()
	a.flush()
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
	c := t.visit.Call(t.method(name.value), arguments)
	c.Detached = !t.version.modern() // a client of the session era may come back for the answer
	res, e := t.visit.Do(t.ctx, c)
	switch {
	case e == nil:
		t.ran = res
		t.success(res, c.Spec())
	case stderrors.Is(e, rpcerrors.MethodNotFound) && c.Spec() == nil:
		t.fail(unknownTool(name.value))
	case t.argumentErrors == AsError && argumentError(e):
		t.fail(e)
	default:
		t.failure(e)
	}
}

// method is the method that a tool's name stands for.
func (t *turn) method(name []byte) string {
	if m, ok := t.aliases[string(name)]; ok {
		return m
	}
	return t.door.Endpoint().Intern(name)
}
