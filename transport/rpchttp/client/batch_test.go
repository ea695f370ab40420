package client_test

import (
	stderrors "errors"
	"strings"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/transport/rpchttp/client"
)

func TestBatch(t *testing.T) {
	// In another order, with an answer that nobody asked for and one twice.
	e := &exchange{status: 200, answer: `[
		{"jsonrpc":"2.0","id":3,"error":{"code":-32404,"message":"No such product.","data":{"exception":"NotFound"}}},
		{"jsonrpc":"2.0","id":9,"result":0},
		{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"?"}},
		{"jsonrpc":"2.0","id":2,"result":"two"},
		{"jsonrpc":"2.0","id":2,"result":"three"},
		{"jsonrpc":"2.0","id":1,"result":3}]`}
	b := serve(t, e, client.Options{}).Batch()
	sum := client.Add[int](b, "add", []int{1, 2})
	b.Notify("log", nil)
	text := client.Add[string](b, "text", nil)
	missing := client.Add[int](b, "find", nil)
	silent := client.Add[int](b, "silent", nil)
	if _, err := sum.Result(); err == nil || !strings.Contains(err.Error(), "Batch.Send") {
		t.Errorf("before Send: %v", err)
	}
	if err := b.Send(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := `[{"jsonrpc":"2.0","id":1,"method":"add","params":[1,2]},{"jsonrpc":"2.0","method":"log"},` +
		`{"jsonrpc":"2.0","id":2,"method":"text"},{"jsonrpc":"2.0","id":3,"method":"find"},{"jsonrpc":"2.0","id":4,"method":"silent"}]`
	if e.body != want {
		t.Errorf("sent %s\nwant %s", e.body, want)
	}
	if v, err := sum.Result(); v != 3 || err != nil {
		t.Errorf("sum: %v, %v", v, err)
	}
	if v, err := text.Result(); v != "two" || err != nil {
		t.Errorf("text: %v, %v", v, err)
	}
	if _, err := missing.Result(); !stderrors.Is(err, rpcerrors.NotFound) {
		t.Errorf("missing: %v", err)
	}
	if _, err := silent.Result(); err == nil || !strings.HasPrefix(err.Error(), "rpc: silent: ") {
		t.Errorf("silent: %v", err)
	}
	if err := b.Send(t.Context()); err == nil {
		t.Error("sent twice")
	}
}

// What refuses the batch as a whole is the error of Send and of every call.
func TestBatchRefused(t *testing.T) {
	for _, c := range []struct {
		name     string
		answer   exchange
		declared rpcerrors.Declared // nil: a StatusError
	}{
		{"too many members", exchange{status: 400, answer: `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"too many","data":{"exception":"InvalidRequest"}}}`}, rpcerrors.InvalidRequest},
		{"a page", exchange{status: 502, answer: "<html>"}, nil},
		{"no answer at all", exchange{status: 204}, nil},
		{"a broken array", exchange{status: 200, answer: `[{"jsonrpc":"2.0","id":1,"result":3}`}, nil},
		{"one result", exchange{status: 200, answer: `{"jsonrpc":"2.0","id":1,"result":3}`}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := serve(t, &c.answer, client.Options{}).Batch()
			sum := client.Add[int](b, "add", nil)
			sent := b.Send(t.Context())
			_, err := sum.Result()
			for _, err := range []error{sent, err} {
				var status *client.StatusError
				if c.declared != nil && !stderrors.Is(err, c.declared) || c.declared == nil && !stderrors.As(err, &status) {
					t.Errorf("got %v", err)
				}
			}
		})
	}
}

func TestBatchWithoutAnswers(t *testing.T) {
	e := &exchange{status: 204}
	c := serve(t, e, client.Options{})
	if err := c.Batch().Send(t.Context()); err != nil || e.body != "" {
		t.Errorf("an empty batch: %v, sent %q", err, e.body)
	}
	b := c.Batch()
	b.Notify("log", nil)
	if err := b.Send(t.Context()); err != nil || e.body != `[{"jsonrpc":"2.0","method":"log"}]` {
		t.Errorf("notifications: %v, sent %q", err, e.body)
	}
}

func TestBatchWithParamsThatCannotBeSent(t *testing.T) {
	e := &exchange{status: 200}
	b := serve(t, e, client.Options{}).Batch()
	good := client.Add[int](b, "good", nil)
	client.Add[int](b, "bad", 5)
	if err := b.Send(t.Context()); err == nil || !strings.Contains(err.Error(), "bad: params: ") || e.body != "" {
		t.Errorf("got %v, sent %q", err, e.body)
	}
	if _, err := good.Result(); err == nil {
		t.Error("a call that was not sent has a result")
	}
}
