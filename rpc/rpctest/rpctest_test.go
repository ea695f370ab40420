package rpctest_test

import (
	"context"
	"errors"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/rpchttp/client"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Left is the data of SoldOut.
type Left struct {
	Left int `json:"left"`
}

var SoldOut = rpcerrors.Define[Left](1001, "SoldOut", "Only {{.Left}} left.")

// Till is the service of these tests.
type Till struct{}

type addParams struct {
	A int `json:"a"`
	B int `json:"b" validate:"max=100"`
}

func (Till) Add(_ context.Context, p addParams) (int, error) {
	if p.A < 0 {
		return 0, SoldOut.New(Left{Left: -p.A})
	}
	return p.A + p.B, nil
}

func (Till) Who(ctx context.Context) string {
	c := rpc.CallFrom(ctx)
	return c.Caller.ID + " " + c.Group() + " " + c.Language
}

func (t Till) RPC() rpc.Service {
	return rpc.Service{Methods: []rpc.Method{
		{Func: t.Add, Lock: rpc.Lock{On: "a"}, Errors: []rpcerrors.Declared{SoldOut}},
		{Func: t.Who, Groups: []string{rpc.DefaultGroup, "internal"}},
		{Func: t.Who, Name: "whoElse", Since: 2},
	}}
}

func TestCall(t *testing.T) {
	srv := rpctest.New(t, Till{})
	sum, err := rpctest.Call[int](srv, "Till.add", addParams{A: 2, B: 3})
	if err != nil || sum != 5 {
		t.Errorf("got %d, %v", sum, err)
	}
	_, err = rpctest.Call[int](srv, "Till.add", addParams{A: -4, B: 3})
	if left, ok := SoldOut.Data(err); !ok || left.Left != 4 || !errors.Is(err, SoldOut) {
		t.Errorf("got %v with the data %v", err, left)
	}
	_, err = rpctest.Call[int](srv, "Till.add", addParams{A: 2, B: 300})
	var e *rpcerrors.Error
	if !errors.As(err, &e) || len(e.Violations()) != 1 || e.Violations()[0].Pointer != "/b" {
		t.Errorf("got %v", err)
	}
}

func TestViews(t *testing.T) {
	srv := rpctest.New(t, Till{})
	for _, tt := range []struct {
		srv    *rpctest.Server
		method string
		want   string
		err    error
	}{
		{srv, "Till.who", "test default en", nil},
		{srv.As(rpc.Caller{ID: "anna"}), "Till.who", "anna default en", nil},
		{srv.At(1, "internal"), "Till.who", "test internal en", nil},
		{srv.At(1, "internal").As(rpc.Caller{ID: "anna"}), "Till.who", "", rpcerrors.Forbidden},
		{srv.At(2, rpc.DefaultGroup), "Till.whoElse", "test default en", nil},
		{srv, "Till.whoElse", "", rpcerrors.MethodNotFound},
		{srv.In("uk"), "Till.who", "test default en", nil}, // no texts: English
	} {
		got, err := rpctest.Call[string](tt.srv, tt.method, nil)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: got %q, %v", tt.method, got, err)
		}
	}
}

// A batch and a notification go through the client of the view.
func TestClient(t *testing.T) {
	srv := rpctest.New(t, Till{})
	heard := make(chan string, 1)
	events.On(srv.Events(), func(_ context.Context, e rpc.PostResponse) error { heard <- e.Call.Method; return nil })
	if err := srv.Client().Notify(t.Context(), "Till.who", nil); err != nil {
		t.Fatal(err)
	}
	if got := <-heard; got != "Till.who" {
		t.Errorf("heard %s", got)
	}
	b := srv.Client().Batch()
	sum := client.Add[int](b, "Till.add", addParams{A: 2, B: 3})
	if err := b.Send(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := sum.Result(); got != 5 || err != nil {
		t.Errorf("got %d, %v", got, err)
	}
}

// Drain waits for the listeners of rpc.post_response.
func TestDrain(t *testing.T) {
	srv := rpctest.New(t, Till{})
	heard := 0
	events.On(srv.Events(), func(context.Context, rpc.PostResponse) error { heard++; return nil })
	for range 50 {
		if _, err := rpctest.Call[string](srv, "Till.who", nil); err != nil {
			t.Fatal(err)
		}
	}
	srv.Drain()
	if heard != 50 {
		t.Errorf("heard %d", heard)
	}
	if _, err := rpctest.Call[string](srv, "Till.who", nil); !errors.Is(err, rpcerrors.Unavailable) {
		t.Errorf("after Drain: %v", err)
	}
}
