package errors_test

import (
	"errors"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/go-json-experiment/json/jsontext"
)

type panics struct{}

func (panics) MarshalJSON() ([]byte, error) { panic("panics") }

var unsupported = rpcerrors.Protocol(-32022, "Unsupported", "Unsupported version.")

func TestAppendJSON(t *testing.T) { // R-C04 R-C05
	secret := errors.New("password=hunter2")
	for _, c := range []struct {
		name string
		err  *rpcerrors.Error
		want string
	}{
		{"text", rpcerrors.NotFound.New("No such thing."), `{"code":-32404,"message":"No such thing.","data":{"exception":"NotFound"}}`},
		{"a text to escape", rpcerrors.NotFound.New("a\"\\\n\u2028<é\x00"), "{\"code\":-32404,\"message\":\"a\\\"\\\\\\n\u2028<é\\u0000\",\"data\":{\"exception\":\"NotFound\"}}"},
		{"a text that is no UTF-8", rpcerrors.NotFound.New("a\xffb"), `{"code":-32404,"message":"a` + "\ufffd" + `b","data":{"exception":"NotFound"}}`},
		{"data", outOfStock.New(left{"tea", 2}), `{"code":1001,"message":"Only 2 of tea left.","data":{"exception":"OutOfStock","details":{"sku":"tea","left":2}}}`},
		{"data that is no UTF-8", outOfStock.New(left{"t\xff", 2}), `{"code":1001,"message":"Only 2 of t` + "\ufffd" + ` left.","data":{"exception":"OutOfStock","details":{"sku":"t` + "\ufffd" + `","left":2}}}`},
		{"a map is in one order", rpcerrors.Custom.With("", map[string]int{"c": 3, "a": 1, "b": 2}), `{"code":-32000,"message":"Application error.","data":{"exception":"Custom","details":{"a":1,"b":2,"c":3}}}`},
		{"data that cannot be written", rpcerrors.Custom.With("", func() {}), `{"code":-32000,"message":"Application error.","data":{"exception":"Custom"}}`},
		{"data that panics", rpcerrors.Custom.With("", panics{}), `{"code":-32000,"message":"Application error.","data":{"exception":"Custom"}}`},
		{"a hidden cause", rpcerrors.Internal.Wrap(secret, ""), `{"code":-32603,"message":"Internal error.","data":{"exception":"Internal"}}`},
		{"a plain error", rpcerrors.From(secret), `{"code":-32603,"message":"Internal error.","data":{"exception":"Internal"}}`},
		{"a declared error with a cause", outOfStock.Wrap(secret, left{"tea", 1}), `{"code":1001,"message":"Only 1 of tea left.","data":{"exception":"OutOfStock","details":{"sku":"tea","left":1}}}`},
		{
			"violations", rpcerrors.InvalidParams.Invalid([]rpcerrors.Violation{{Pointer: "/a~1b", Rule: "max", Param: "100", Message: "must be at most 100"}, {Rule: "count", Message: "a\xff"}}),
			`{"code":-32602,"message":"Invalid params: /a~1b must be at most 100 (and 1 more).","data":{"exception":"InvalidParams","violations":[{"pointer":"/a~1b","rule":"max","param":"100","message":"must be at most 100"},{"pointer":"","rule":"count","message":"a` + "\ufffd" + `"}]}}`,
		},
		{
			"debug", outOfStock.New(left{"tea", 2}).WithDebug(rpcerrors.Debug{Message: "sql: \"x\"\xff", File: "/src/shop.go", Line: 7, Trace: []string{"outer", "inner"}}),
			`{"code":1001,"message":"Only 2 of tea left.","data":{"exception":"OutOfStock","message":"sql: \"x\"` + "\ufffd" + `","file":"/src/shop.go","line":7,"trace":["outer","inner"],"details":{"sku":"tea","left":2}}}`,
		},
		{"debug without a place", rpcerrors.Internal.New("").WithDebug(rpcerrors.Debug{}), `{"code":-32603,"message":"Internal error.","data":{"exception":"Internal","message":"","trace":[]}}`},
		{
			"all at once", rpcerrors.InvalidParams.Invalid([]rpcerrors.Violation{{Pointer: "/a", Rule: "null", Message: "must not be null"}}).WithDebug(rpcerrors.Debug{Message: "m"}).WithMessage("Хибні параметри."),
			`{"code":-32602,"message":"Хибні параметри.","data":{"exception":"InvalidParams","message":"m","trace":[],"violations":[{"pointer":"/a","rule":"null","message":"must not be null"}]}}`,
		},
		{"protocol", unsupported.New(""), `{"code":-32022,"message":"Unsupported version.","data":{"exception":"Unsupported"}}`},
		{"protocol with data", unsupported.With("", map[string]any{"supported": []string{"1"}, "requested": "2\xff"}), `{"code":-32022,"message":"Unsupported version.","data":{"requested":"2` + "\ufffd" + `","supported":["1"]}}`},
		{"protocol with data that cannot be written", unsupported.With("", func() {}), `{"code":-32022,"message":"Unsupported version.","data":{"exception":"Unsupported"}}`},
	} {
		got := string(c.err.AppendJSON([]byte("before ")))
		if got != "before "+c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got[len("before "):], c.want)
		}
		if !jsontext.Value(got[len("before "):]).IsValid() {
			t.Errorf("%s: not JSON", c.name)
		}
	}
}

// What a client received is written again as it came, details included.
func TestAppendJSONOfReceived(t *testing.T) {
	for _, e := range []*rpcerrors.Error{
		outOfStock.New(left{"tea", 2}), rpcerrors.NotFound.New("x"), rpcerrors.Custom.With("", []any{1.5, nil, "a"}),
		rpcerrors.InvalidParams.Invalid([]rpcerrors.Violation{{Pointer: "/a", Rule: "min", Param: "1", Message: "m"}}),
	} {
		if got, want := received(t, e).AppendJSON(nil), e.AppendJSON(nil); string(got) != string(want) {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}
