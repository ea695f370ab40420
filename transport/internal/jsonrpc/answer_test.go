package jsonrpc_test

import (
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
	"github.com/go-json-experiment/json/jsontext"
)

// R-C02: jsonrpc, id, then result or error.
func TestAppend(t *testing.T) {
	e := rpcerrors.MethodNotFound.New("")
	const object = `{"code":-32601,"message":"Method not found.","data":{"exception":"MethodNotFound"}}`
	for _, c := range []struct{ name, got, want string }{
		{"result", string(jsonrpc.AppendResult(nil, []byte(`1`), []byte(`{"a":[1]}`))), `{"jsonrpc":"2.0","id":1,"result":{"a":[1]}}`},
		{"result null", string(jsonrpc.AppendResult(nil, []byte(`"x"`), nil)), `{"jsonrpc":"2.0","id":"x","result":null}`},
		{"id null", string(jsonrpc.AppendResult(nil, nil, []byte(`true`))), `{"jsonrpc":"2.0","id":null,"result":true}`},
		{"id as it came", string(jsonrpc.AppendResult(nil, []byte(`1e3`), []byte(`0`))), `{"jsonrpc":"2.0","id":1e3,"result":0}`}, // case A03
		{"error", string(jsonrpc.AppendError(nil, []byte(`7`), e)), `{"jsonrpc":"2.0","id":7,"error":` + object + `}`},
		{"error, id null", string(jsonrpc.AppendError(nil, nil, e)), `{"jsonrpc":"2.0","id":null,"error":` + object + `}`},
		{"error without id", string(jsonrpc.AppendErrorNoID(nil, e)), `{"jsonrpc":"2.0","error":` + object + `}`},
		{"appended", string(jsonrpc.AppendError(jsonrpc.AppendResult([]byte(`[`), []byte(`1`), []byte(`2`)), nil, e)), `[{"jsonrpc":"2.0","id":1,"result":2}{"jsonrpc":"2.0","id":null,"error":` + object + `}`},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, c.got, c.want)
		}
	}
}

// case A28: stephenberry/glaze#2699
func TestAppendErrorEscapes(t *testing.T) {
	for _, name := range []string{`a","id":9,"x":"`, `<script>`, "\x00\xff\u2028"} {
		answer := jsontext.Value(jsonrpc.AppendError(nil, []byte(`1`), rpcerrors.MethodNotFound.New(name)))
		if !answer.IsValid() {
			t.Errorf("not valid: %s", answer)
		}
	}
}
