package rpc_test

import (
	"context"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// program is an executor over methods of one service S.
type program struct {
	t    *testing.T
	exec *rpc.Executor
}

func start(t *testing.T, o rpc.Options, methods ...rpc.Method) *program {
	t.Helper()
	return startApp(t, app, o, methods...)
}

func startApp(t *testing.T, a rpc.App, o rpc.Options, methods ...rpc.Method) *program {
	t.Helper()
	registry, err := rpc.NewRegistry(a, rpc.Service{Name: "S", Methods: methods})
	if err != nil {
		t.Fatal(err)
	}
	exec, err := rpc.NewExecutor(registry, o)
	if err != nil {
		t.Fatal(err)
	}
	return &program{t, exec}
}

// call prepares a call of S.<name> in the default group's version 1.
func (p *program) call(name, params string) *rpc.Call {
	c := &rpc.Call{Endpoint: p.exec.Registry().Endpoint(rpc.DefaultGroup, 1), Method: "S." + name, Control: true, Door: "test.default.v1"}
	if params != "" {
		c.Params = []byte(params)
	}
	return c
}

// do runs a call, tells that its answer was sent and returns the answer, or
// the error, as JSON.
func (p *program) do(ctx context.Context, c *rpc.Call) string {
	p.t.Helper()
	r, err := p.exec.Do(ctx, c)
	if err != nil {
		return string(err.AppendJSON(nil))
	}
	out := string(r.Bytes())
	r.Sent()
	return out
}

func (p *program) run(name, params string) string {
	p.t.Helper()
	return p.do(context.Background(), p.call(name, params))
}

// kind runs a call that must fail and returns the kind of its error.
func (p *program) kind(name, params string) string {
	p.t.Helper()
	_, err := p.exec.Do(context.Background(), p.call(name, params))
	if err == nil {
		p.t.Fatalf("%s %s did not fail", name, params)
	}
	return err.Kind()
}

type key struct {
	Key string `json:"key"`
}
