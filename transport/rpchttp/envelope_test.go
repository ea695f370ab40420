package rpchttp_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
)

// R-C01, R-C02, R-C05, R-C06: what each body answers, alone and as a member of
// a batch.
func TestEnvelope(t *testing.T) {
	for _, c := range []struct {
		name   string // with the case and where it was reported
		body   string
		status int
		want   string // see summary
	}{
		// case A01: sei-protocol/sei-chain#3303, false-systems/tapio#615
		{"A01 null is an id", `{"jsonrpc":"2.0","id":null,"method":"T.ping"}`, 200, `null="pong"`},
		// case A03: erpc/erpc#851, erpc/erpc#869, btcsuite/btcrpcclient#80
		{"A03 zero", `{"jsonrpc":"2.0","id":0,"method":"T.ping"}`, 200, `0="pong"`},
		{"A03 negative", `{"jsonrpc":"2.0","id":-1,"method":"T.ping"}`, 200, `-1="pong"`},
		{"A03 beyond 2^53", `{"jsonrpc":"2.0","id":9007199254740993,"method":"T.ping"}`, 200, `9007199254740993="pong"`},
		{"A03 fraction", `{"jsonrpc":"2.0","id":3.14,"method":"T.ping"}`, 200, `3.14="pong"`},
		{"A03 exponent", `{"jsonrpc":"2.0","id":1e3,"method":"T.ping"}`, 200, `1e3="pong"`},
		{"A03 empty string", `{"jsonrpc":"2.0","id":"","method":"T.ping"}`, 200, `""="pong"`},
		{"A03 a digit in a string", `{"jsonrpc":"2.0","id":"1","method":"T.ping"}`, 200, `"1"="pong"`},
		{"A03 escapes stay", `{"jsonrpc":"2.0","id":"\u0041\/","method":"T.ping"}`, 200, `"\u0041\/"="pong"`},
		// case A11: modelcontextprotocol/go-sdk#805 (CVE-2026-27896), gravitational/teleport#63325
		{"A11 Method is not method", `{"jsonrpc":"2.0","id":1,"method":"T.ping","Method":"Adm.b"}`, 200, `1="pong"`},
		{"A11 Method before method", `{"Method":"Adm.b","jsonrpc":"2.0","id":1,"method":"T.ping"}`, 200, `1="pong"`},
		{"A11 PARAMS are no params", `{"jsonrpc":"2.0","id":1,"method":"T.sq","PARAMS":{"n":3}}`, 200, `1!-32602 InvalidParams`},
		{"A11 a long s is no s", `{"jsonrpc":"2.0","id":1,"method":"T.sq","paramſ":{"n":3}}`, 200, `1!-32602 InvalidParams`},
		{"A11 nor escaped", `{"jsonrpc":"2.0","id":1,"method":"T.sq","param\u017f":{"n":3}}`, 200, `1!-32602 InvalidParams`},
		{"A11 names are read unescaped", `{"jsonrpc":"2.0","id":1,"\u006dethod":"T.sq","params":{"n":3}}`, 200, `1=9`},
		{"a member twice", `{"jsonrpc":"2.0","id":1,"method":"T.ping","method":"Adm.b"}`, 400, `1!-32600 InvalidRequest`},
		{"the id twice", `{"jsonrpc":"2.0","id":1,"id":2,"method":"T.ping"}`, 400, `null!-32600 InvalidRequest`},
		{"a param twice", `{"jsonrpc":"2.0","id":1,"method":"T.sq","params":{"n":1,"n":2}}`, 200, `1!-32602 InvalidParams`},
		// case A13: tendermint/tendermint#708, gorilla/rpc#1, modelcontextprotocol/go-sdk#214
		{"A13 no params", `{"jsonrpc":"2.0","id":1,"method":"T.ping"}`, 200, `1="pong"`},
		{"A13 null", `{"jsonrpc":"2.0","id":1,"method":"T.ping","params":null}`, 200, `1="pong"`},
		{"A13 empty array", `{"jsonrpc":"2.0","id":1,"method":"T.ping","params":[]}`, 200, `1="pong"`},
		{"A13 empty object", `{"jsonrpc":"2.0","id":1,"method":"T.ping","params":{}}`, 200, `1="pong"`},
		{"A13 required, none", `{"jsonrpc":"2.0","id":1,"method":"T.sq"}`, 200, `1!-32602 InvalidParams`},
		{"A13 required, null", `{"jsonrpc":"2.0","id":1,"method":"T.sq","params":null}`, 200, `1!-32602 InvalidParams`},
		{"A13 required, empty", `{"jsonrpc":"2.0","id":1,"method":"T.sq","params":[]}`, 200, `1!-32602 InvalidParams`},
		{"$rpc is no parameter", `{"jsonrpc":"2.0","id":1,"method":"T.sq","params":{"n":3,"$rpc":{"rayId":"r1"}}}`, 200, `1=9`},
		{"$rpc has bounds", `{"jsonrpc":"2.0","id":1,"method":"T.sq","params":{"n":3,"$rpc":{"timeout":1}}}`, 200, `1!-32602 InvalidParams`},
		// case A15: 0xPolygon/zkevm-node#894, Azure/azure-dev#3527, tedeh/jayson#44
		{"A15 too many", `{"jsonrpc":"2.0","id":1,"method":"T.add","params":[1,2,3]}`, 200, `1!-32602 InvalidParams`},
		{"A15 too few", `{"jsonrpc":"2.0","id":1,"method":"T.add","params":[1]}`, 200, `1!-32602 InvalidParams`},
		{"too many for none", `{"jsonrpc":"2.0","id":1,"method":"T.ping","params":[1]}`, 200, `1!-32602 InvalidParams`},
		// case A16: creachadair/jrpc2#113
		{"A16 a trailing optional", `{"jsonrpc":"2.0","id":1,"method":"T.greet","params":["x"]}`, 200, `1="Hello x"`},
		{"A16 given", `{"jsonrpc":"2.0","id":1,"method":"T.greet","params":["x","Hi"]}`, 200, `1="Hi x"`},
		// case A17: gorilla/rpc#24, gorilla/rpc#40, paritytech/jsonrpc#675
		{"A17 by position", `{"jsonrpc":"2.0","id":1,"method":"T.sq","params":[3]}`, 200, `1=9`},
		{"A17 by name", `{"jsonrpc":"2.0","id":1,"method":"T.sq","params":{"n":3}}`, 200, `1=9`},
		{"A17 an object by position", `{"jsonrpc":"2.0","id":1,"method":"T.place","params":[{"sku":"a","qty":2}]}`, 200, `1=2`},
		{"A17 an object by name", `{"jsonrpc":"2.0","id":1,"method":"T.place","params":{"line":{"sku":"a","qty":2}}}`, 200, `1=2`},
		{"A17 its fields are not the parameters", `{"jsonrpc":"2.0","id":1,"method":"T.place","params":{"sku":"a","qty":2}}`, 200, `1!-32602 InvalidParams`},
		// case A19: gorilla/rpc#69, gorilla/rpc#61
		{"A19 half", `{`, 400, `null!-32700 ParseError`},
		// case A20: go-chi/render#63, ogen-go/ogen#602
		{"A20 two calls", `{"jsonrpc":"2.0","id":1,"method":"T.ping"}{"jsonrpc":"2.0","id":2,"method":"T.ping"}`, 400, `null!-32700 ParseError`},
		{"A20 garbage behind", `{"jsonrpc":"2.0","id":1,"method":"T.ping"} garbage`, 400, `null!-32700 ParseError`},
		{"A20 space behind", `{"jsonrpc":"2.0","id":1,"method":"T.ping"}` + "\r\n\t \n", 200, `1="pong"`},
		// case A22: sysprog21/zhtw-mcp#7, stacklok/toolhive#412, briandilley/jsonrpc4j#228
		{"A22 no UTF-8", `{"jsonrpc":"2.0","id":1,"method":"T.echo","params":{"text":"` + "\xff" + `"}}`, 400, `null!-32700 ParseError`},
		{"A22 half a pair", `{"jsonrpc":"2.0","id":1,"method":"T.echo","params":{"text":"\ud800"}}`, 400, `null!-32700 ParseError`},
		{"A22 a pair", `{"jsonrpc":"2.0","id":1,"method":"T.echo","params":{"text":"\ud83d\ude00"}}`, 200, `1="😀"`},
		{"a NUL byte", `{"jsonrpc":"2.0","id":1,"method":"T.echo","params":{"text":"a` + "\x00" + `b"}}`, 400, `null!-32700 ParseError`},
		{"an escaped NUL", `{"jsonrpc":"2.0","id":1,"method":"T.echo","params":{"text":"a\u0000b"}}`, 200, `1="a\u0000b"`},
		// case A24: steemit/steem and others answer -32700
		{"A24 version 1.0", `{"jsonrpc":"1.0","id":1,"method":"T.ping"}`, 400, `1!-32600 InvalidRequest`},
		{"A24 no version", `{"id":"x","method":"T.ping"}`, 400, `"x"!-32600 InvalidRequest`},
		{"A24 a number", `{"jsonrpc":2.0,"id":1,"method":"T.ping"}`, 400, `1!-32600 InvalidRequest`},
		{"no method", `{"jsonrpc":"2.0","id":1}`, 400, `1!-32600 InvalidRequest`},
		{"a method that is a number", `{"jsonrpc":"2.0","id":1,"method":1}`, 400, `1!-32600 InvalidRequest`},
		{"params that are a string", `{"jsonrpc":"2.0","id":1,"method":"T.ping","params":"x"}`, 400, `1!-32600 InvalidRequest`},
		{"an id that is an object", `{"jsonrpc":"2.0","id":{},"method":"T.ping"}`, 400, `null!-32600 InvalidRequest`},
		{"no object", `"T.ping"`, 400, `null!-32600 InvalidRequest`},
		{"an invalid notification is answered", `{"method":"T.ping"}`, 400, `null!-32600 InvalidRequest`},
		// case A26: besu-eth/besu#549, palantir/typedjsonrpc#70
		{"A26 unknown method", `{"jsonrpc":"2.0","id":1,"method":"T.nothing"}`, 200, `1!-32601 MethodNotFound`},
		{"A26 by case", `{"jsonrpc":"2.0","id":1,"method":"t.Ping"}`, 200, `1!-32601 MethodNotFound`},
		{"A26 empty", `{"jsonrpc":"2.0","id":1,"method":""}`, 200, `1!-32601 MethodNotFound`},
		{"A26 a declared error", `{"jsonrpc":"2.0","id":1,"method":"T.lost"}`, 200, `1!-32404 NotFound`},
		{"A26 another error", `{"jsonrpc":"2.0","id":1,"method":"T.broken"}`, 200, `1!-32603 Internal`},
		// case A28: stephenberry/glaze#2699, stephenberry/glaze#2700
		{"A28 a name that ends the string", `{"jsonrpc":"2.0","id":1,"method":"a\",\"id\":9,\"x\":\""}`, 200, `1!-32601 MethodNotFound`},
		{"A28 markup", `{"jsonrpc":"2.0","id":1,"method":"<script>"}`, 200, `1!-32601 MethodNotFound`},
		// case B06: golang/go#31789, nspcc-dev/neo-go#3226, mailru/easyjson#439
		{"B06 1 MB of brackets", strings.Repeat("[", 1<<20), 400, `null!-32700 ParseError`},
		{"B06 deep params", `{"jsonrpc":"2.0","id":1,"method":"T.echo","params":` + strings.Repeat(`{"a":`, 200000), 400, `null!-32700 ParseError`},
		{"an id of 1 MB", `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 1<<20) + `","method":"T.ping"}`, 400, `null!-32600 InvalidRequest`},
		{"a method of 1 MB", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 1<<20) + `"}`, 200, `1!-32601 MethodNotFound`},
		// results that JSON cannot carry
		{"NaN", `{"jsonrpc":"2.0","id":1,"method":"T.nan"}`, 200, `1!-32603 Internal`},
		{"a cycle", `{"jsonrpc":"2.0","id":1,"method":"T.cycle"}`, 200, `1!-32603 Internal`},
		{"a panic in MarshalJSON", `{"jsonrpc":"2.0","id":1,"method":"T.bomb"}`, 200, `1!-32603 Internal`},
		{"no UTF-8 in a result", `{"jsonrpc":"2.0","id":1,"method":"T.invalid"}`, 200, "1=\"a\ufffdb\""},
		// case G01: modelcontextprotocol/go-sdk#1180, erigontech/erigon#1423
		{"G01 a panic", `{"jsonrpc":"2.0","id":1,"method":"T.panics"}`, 200, `1!-32603 Internal`},
		{"no result", `{"jsonrpc":"2.0","id":1,"method":"T.mark"}`, 200, `1=null`},
		// case A27: drpcorg/nodecore#267
		{"A27 a notification", `{"jsonrpc":"2.0","method":"T.mark"}`, 204, ``},
		{"A27 by position", `{"jsonrpc":"2.0","method":"T.sq","params":[1]}`, 204, ``},
		{"A27 to an unknown method", `{"jsonrpc":"2.0","method":"T.nothing"}`, 204, ``},
		{"A27 that fails", `{"jsonrpc":"2.0","method":"T.lost"}`, 204, ``},
		{"A27 that panics", `{"jsonrpc":"2.0","method":"T.panics"}`, 204, ``},
		{"A27 with params that do not fit", `{"jsonrpc":"2.0","method":"T.sq","params":["x"]}`, 204, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStack(t, rpchttp.Edge{}, guard.Policy{})
			alone := s.post(c.body)
			if got := summary(alone.body); alone.status != c.status || got != c.want {
				t.Errorf("alone: %d %.500s, want %d %s\n%.500s", alone.status, got, c.status, c.want, alone.body)
			}
			checkHeaders(t, alone)
			status, want := 200, "["+alone.body+"]"
			switch {
			case strings.Contains(c.want, "-32700"):
				status, want = 400, "" // one error for the whole, with another position in its text
			case c.status == 204:
				status, want = 204, ""
			}
			batch := s.post("[" + c.body + "]")
			if batch.status != status || want != "" && batch.body != want || want == "" && summary(batch.body) != c.want {
				t.Errorf("in a batch: %d %.500s, want %d %.500s", batch.status, batch.body, status, want)
			}
			checkHeaders(t, batch)
			s.expect(`{"jsonrpc":"2.0","id":7,"method":"T.add","params":[1,2]}`, 200, `{"jsonrpc":"2.0","id":7,"result":3}`)
			if n := s.adm.ran.Load(); n != 0 {
				t.Error("Adm.b ran")
			}
		})
	}
}

func checkHeaders(t *testing.T, r reply) {
	t.Helper()
	if r.status == 204 {
		if r.body != "" || r.header.Get("Content-Type") != "" {
			t.Errorf("204 with a body: %v %q", r.header, r.body)
		}
		return
	}
	if r.header.Get("Content-Type") != "application/json" || r.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("headers %v", r.header)
	}
}

// R-C07: what arrays answer.
func TestArrays(t *testing.T) {
	for _, c := range []struct {
		name   string
		body   string
		status int
		want   string
	}{
		// case A05: creachadair/jrpc2#77
		{"A05 an id twice", `[{"jsonrpc":"2.0","id":1,"method":"T.ping"},{"jsonrpc":"2.0","id":1,"method":"T.add","params":[1,2]}]`, 200, `[1="pong" 1=3]`},
		// case A06: gear-tech/gear-js#1408, shogowada/json-rpc-2.0#63
		{"A06 empty", `[]`, 400, `null!-32600 InvalidRequest`},
		{"A06 no objects", `[1,2]`, 200, `[null!-32600 InvalidRequest null!-32600 InvalidRequest]`},
		{"an array in an array", `[[]]`, 200, `[null!-32600 InvalidRequest]`},
		// case A08: steemit/steem#2584, steemit/jussi#191
		{"A08 one that fails", `[{"jsonrpc":"2.0","id":"a","method":"T.lost"}]`, 200, `["a"!-32404 NotFound]`},
		// case A09: sei-protocol/sei-chain#3246, modelcontextprotocol/go-sdk#1256, tomusdrw/rust-web3#244
		{"A09 notifications", `[{"jsonrpc":"2.0","method":"T.mark"},{"jsonrpc":"2.0","method":"T.lost"}]`, 204, ``},
		{"A09 and a call", `[{"jsonrpc":"2.0","method":"T.mark"},{"jsonrpc":"2.0","id":1,"method":"T.ping"},{"jsonrpc":"2.0","method":"T.mark"}]`, 200, `[1="pong"]`},
		// case A19: gorilla/rpc#69, gorilla/rpc#61
		{"A19 nothing", ``, 400, `null!-32700 ParseError`},
		{"A19 spaces", " \r\n ", 400, `null!-32700 ParseError`},
		{"A20 behind an array", `[{"jsonrpc":"2.0","id":1,"method":"T.mark"}] x`, 400, `null!-32700 ParseError`},
		// case A26: hiero-ledger/hiero-json-rpc-relay#4187
		{"A26 mixed", `[{"jsonrpc":"2.0","id":1,"method":"T.ping"},{"jsonrpc":"2.0","id":2,"method":"T.nothing"},3,{"jsonrpc":"2.0","id":4,"method":"T.sq","params":["x"]},{"jsonrpc":"2.0","id":5,"method":"T.mark"}]`,
			200, `[1="pong" 2!-32601 MethodNotFound null!-32600 InvalidRequest 4!-32602 InvalidParams 5=null]`},
		// case G01: modelcontextprotocol/go-sdk#1180, erigontech/erigon#1423
		{"G01 a panic in the middle", `[{"jsonrpc":"2.0","id":1,"method":"T.ping"},{"jsonrpc":"2.0","id":2,"method":"T.panics"},{"jsonrpc":"2.0","id":3,"method":"T.add","params":[1,2]}]`,
			200, `[1="pong" 2!-32603 Internal 3=3]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStack(t, rpchttp.Edge{}, guard.Policy{})
			got := s.post(c.body)
			if got.status != c.status || summary(got.body) != c.want {
				t.Errorf("%d %s, want %d %s", got.status, summary(got.body), c.status, c.want)
			}
			checkHeaders(t, got)
		})
	}
}

// case A20: nothing runs before the whole body was read.
func TestNothingRunsOnTrailingData(t *testing.T) {
	s := newStack(t, rpchttp.Edge{}, guard.Policy{})
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"T.count"}{}`,
		`[{"jsonrpc":"2.0","id":1,"method":"T.count"}]]`,
		`[{"jsonrpc":"2.0","id":1,"method":"T.count"},`,
		`{"jsonrpc":"2.0","id":1,"method":"T.count","x":"` + "\xff" + `"}`,
	} {
		s.post(body)
	}
	if n := s.svc.ran.Load(); n != 0 {
		t.Errorf("%d calls ran", n)
	}
}

// case A27: a notification runs; an error of one is told to the log and to
// listeners, once.
func TestNotificationsRun(t *testing.T) {
	s := newStack(t, rpchttp.Edge{}, guard.Policy{})
	failed := s.failures()
	s.post(`{"jsonrpc":"2.0","method":"T.count"}`)
	s.post(`[{"jsonrpc":"2.0","method":"T.count"},{"jsonrpc":"2.0","method":"T.count"}]`)
	if n := s.svc.ran.Load(); n != 3 {
		t.Errorf("%d of 3 ran", n)
	}
	if n := failed.count(); n != 0 {
		t.Errorf("%d failures", n)
	}
	for _, method := range []string{"T.nothing", "T.lost", "T.panics"} {
		s.post(`{"jsonrpc":"2.0","method":"` + method + `"}`)
		if n := failed.count(); n != 1 {
			t.Errorf("%s: %d failures told, want 1", method, n)
		}
		if n := len(s.logs.TakeAll()); n != 1 {
			t.Errorf("%s: %d log entries, want 1", method, n)
		}
	}
}

// case A23: ethereum/go-ethereum#18293, ethereum/go-ethereum#26547, hoophq/hoop#1764
func TestContentType(t *testing.T) {
	s := newStack(t, rpchttp.Edge{}, guard.Policy{})
	for contentType, status := range map[string]int{
		"application/json; charset=UTF-8":  200,
		"Application/JSON":                 200,
		"application/json-rpc":             200,
		"":                                 200, // a missing one is accepted
		"text/plain":                       415,
		"application/json; charset=utf-16": 415,
	} {
		for _, body := range []string{`{"jsonrpc":"2.0","id":1,"method":"T.ping"}`, `[{"jsonrpc":"2.0","id":1,"method":"T.ping"}]`} {
			got := s.send("POST", "/rpc", contentType, strings.NewReader(body))
			if got.status != status {
				t.Errorf("%q: %d %s, want %d", contentType, got.status, got.body, status)
			}
			checkHeaders(t, got)
		}
	}
}

// case A25: openethereum/parity-ethereum#1114, higress-group/wasm-go#46
func TestHTTPMethods(t *testing.T) {
	s := newStack(t, rpchttp.Edge{}, guard.Policy{})
	body := `{"jsonrpc":"2.0","id":1,"method":"T.count"}`
	for _, method := range []string{"GET", "HEAD", "PUT", "DELETE", "PATCH"} {
		got := s.send(method, "/rpc", "application/json", strings.NewReader(body))
		if got.status != http.StatusMethodNotAllowed || !strings.Contains(got.header.Get("Allow"), "POST") {
			t.Errorf("%s: %d, Allow %q", method, got.status, got.header.Get("Allow"))
		}
		if want := "null!-32600 InvalidRequest"; method != "HEAD" && summary(got.body) != want || method == "HEAD" && got.body != "" {
			t.Errorf("%s: %s", method, got.body)
		}
	}
	if got := s.send("OPTIONS", "/rpc", "", nil); got.status != http.StatusNoContent || got.body != "" {
		t.Errorf("OPTIONS: %d %s", got.status, got.body)
	}
	if n := s.svc.ran.Load(); n != 0 {
		t.Errorf("%d calls ran", n)
	}
}

// case A28: header values are not reflected, whatever they are.
func TestHostileContentType(t *testing.T) {
	s := newStack(t, rpchttp.Edge{}, guard.Policy{})
	got := s.send("POST", "/rpc", `text/html"><script>alert(1)</script>`, strings.NewReader(`{}`))
	if got.status != 415 || strings.Contains(got.body, "script") || strings.Contains(strings.Join(got.header.Values("Content-Type"), ""), "html") {
		t.Errorf("%d %v %s", got.status, got.header, got.body)
	}
}
