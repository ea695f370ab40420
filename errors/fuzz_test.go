package errors_test

import (
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/go-json-experiment/json/jsontext"
)

// FuzzReceived: whatever a server sends as an error can be held, asked and
// written again, and comes out the same the second time.
func FuzzReceived(f *testing.F) {
	for _, data := range []string{``, `{}`, `{"exception":"OutOfStock","details":{"sku":"tea","left":2}}`, `{"exception":"InvalidParams","violations":[{"pointer":"/a","rule":"max","param":"1","message":"m"}]}`,
		`{"details":null}`, `{"exception":"A","exception":"B"}`, `[[[`, "\xff", `{"message":"m","trace":["a"]}`, `{"details":1e400}`} {
		f.Add(1001, "text", data)
	}
	f.Add(-32603, "a\xff\"\u2028", `{"exception":"\ud800"}`)
	f.Fuzz(func(t *testing.T, code int, message, data string) {
		e := rpcerrors.Received(code, message, []byte(data))
		if e.Code() != code || e.Error() != message {
			t.Fatalf("got %+v", e)
		}
		if left, ok := outOfStock.Data(e); ok && e.Kind() != "OutOfStock" {
			t.Fatalf("data %+v of another kind", left)
		}
		text := e.AppendJSON(nil)
		if !jsontext.Value(text).IsValid() {
			t.Fatalf("%q from %q", text, data)
		}
		if again := received(t, e).AppendJSON(nil); string(again) != string(text) {
			t.Fatalf("%s, then %s", text, again)
		}
	})
}
