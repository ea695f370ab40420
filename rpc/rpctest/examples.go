package rpctest

import (
	"bytes"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/go-json-experiment/json/jsontext"
)

// Examples makes the calls that the methods of a program have as examples, and
// fails where one does not come out as declared: with an error, or with another
// result. So a document cannot show a call that does not work.
//
// The calls are made as the caller and in the language of srv, one after the
// other in the order of registration: what one changes is seen by those after
// it.
func Examples(tb testing.TB, srv *Server) {
	tb.Helper()
	made := 0
	for _, s := range srv.Registry().Specs() {
		at := srv.At(s.Declared.Since, s.Declared.Groups[0])
		for _, x := range s.Examples {
			made++
			example(tb, at, s, x)
		}
	}
	if made == 0 {
		tb.Errorf("rpctest: no method has an example: declare some in rpc.Method.Examples")
	}
}

// example makes the call of one example.
func example(tb testing.TB, at *Server, s *rpc.Spec, x rpc.Exchange) {
	tb.Helper()
	got, err := Call[jsontext.Value](at, s.Name(), jsontext.Value(x.Params))
	switch {
	case err != nil:
		tb.Errorf("the example %q of %s fails with %s: %v", x.Name, s.Name(), x.Params, err)
	case x.Result != nil && !bytes.Equal(got, x.Result):
		tb.Errorf("the example %q of %s does not come out as declared with %s\n got: %s\nwant: %s", x.Name, s.Name(), x.Params, got, x.Result)
	}
}
