package rpchttp_test

import (
	"context"
	"slices"
	"testing"

	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
)

// R-E03: what is no call reaches rpc.error and the log too, once, alone and
// in a batch.
func TestEnvelopeErrorsAreReported(t *testing.T) {
	s := newStack(t, rpchttp.Edge{}, guard.Policy{})
	var seen []string
	events.On(s.bus, func(_ context.Context, e rpc.Failed) error {
		seen = append(seen, e.Error.Kind()+" "+e.Call.Method)
		return nil
	})
	for _, tt := range []struct {
		body string
		want []string
	}{
		{`{`, []string{"ParseError "}},
		{`[]`, []string{"InvalidRequest "}},
		{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, []string{"InvalidRequest ping"}},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"},1,{"jsonrpc":"2.0","id":2,"method":"none"}]`, []string{"InvalidRequest ", "MethodNotFound none"}},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, nil},
	} {
		seen = nil
		s.logs.TakeAll()
		s.post(tt.body)
		if logged := len(s.logs.FilterMessage("call failed").All()); !slices.Equal(seen, tt.want) || logged != len(tt.want) {
			t.Errorf("%s: got %q, logged %d times; want %q", tt.body, seen, logged, tt.want)
		}
	}
}
