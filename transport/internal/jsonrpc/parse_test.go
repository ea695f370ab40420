package jsonrpc_test

import (
	"errors"
	"strings"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

const absent = "\x00absent"

// show is a slice of a Request as text.
func show(b []byte) string {
	if b == nil {
		return absent
	}
	return string(b)
}

// members is what one request object is read as, alone and between others. fault is part of the
// message, empty for a valid request.
var members = []struct {
	name, text         string
	id, method, params string
	fault              string
}{
	// R-C01
	{"by name", `{"jsonrpc":"2.0","id":1,"method":"T.add","params":{"a":1}}`, `1`, "T.add", `{"a":1}`, ""},
	{"by position", `{"jsonrpc":"2.0","id":1,"method":"T.add","params":[1,2]}`, `1`, "T.add", `[1,2]`, ""},
	{"any order, any space", " {\n\"params\" : [ 1 ] ,\t\"method\":\"m\", \"id\" : 7 , \"jsonrpc\":\"2.0\" }\r\n", `7`, "m", `[ 1 ]`, ""},
	{"notification", `{"jsonrpc":"2.0","method":"m"}`, absent, "m", absent, ""}, // case A27: drpcorg/nodecore#267
	{"empty method name", `{"jsonrpc":"2.0","id":1,"method":""}`, `1`, "", absent, ""},
	{"NUL in the method name", `{"jsonrpc":"2.0","id":1,"method":"a\u0000b"}`, `1`, "a\x00b", absent, ""},

	// case A01: sei-protocol/sei-chain#3303
	{"id null is a request", `{"jsonrpc":"2.0","id":null,"method":"T.ping"}`, `null`, "T.ping", absent, ""},

	// case A03: erpc/erpc#851, btcsuite/btcrpcclient#80
	{"id 0", `{"jsonrpc":"2.0","id":0,"method":"m"}`, `0`, "m", absent, ""},
	{"id -1", `{"jsonrpc":"2.0","id":-1,"method":"m"}`, `-1`, "m", absent, ""},
	{"id above 2^53", `{"jsonrpc":"2.0","id":9007199254740993,"method":"m"}`, `9007199254740993`, "m", absent, ""},
	{"id with a fraction", `{"jsonrpc":"2.0","id":3.14,"method":"m"}`, `3.14`, "m", absent, ""},
	{"id with an exponent", `{"jsonrpc":"2.0","id":1e3,"method":"m"}`, `1e3`, "m", absent, ""},
	{"id empty string", `{"jsonrpc":"2.0","id":"","method":"m"}`, `""`, "m", absent, ""},
	{"id string of a digit", `{"jsonrpc":"2.0","id":"1","method":"m"}`, `"1"`, "m", absent, ""},
	{"id with escapes stays as written", `{"jsonrpc":"2.0","id":"\u0041\/\n","method":"m"}`, `"\u0041\/\n"`, "m", absent, ""},
	{"id object", `{"jsonrpc":"2.0","id":{"a":1},"method":"m"}`, absent, "m", absent, `"id" must be a string, a number or null.`},
	{"id array", `{"jsonrpc":"2.0","id":[1],"method":"m"}`, absent, "m", absent, `"id" must be`},
	{"id true", `{"jsonrpc":"2.0","id":true,"method":"m"}`, absent, "m", absent, `"id" must be`},
	{"id false", `{"jsonrpc":"2.0","id":false,"method":"m"}`, absent, "m", absent, `"id" must be`},

	// case A06: gear-tech/gear-js#1408, shogowada/json-rpc-2.0#63
	{"a number", `1`, absent, absent, absent, "it must be an object."},
	{"a string", `"m"`, absent, absent, absent, "it must be an object."},
	{"null", `null`, absent, absent, absent, "it must be an object."},
	{"an empty object", `{}`, absent, absent, absent, `"jsonrpc" must be the string "2.0".`},

	// case A11: modelcontextprotocol/go-sdk#805 (CVE-2026-27896), gravitational/teleport#63325
	{"Method is not method", `{"jsonrpc":"2.0","id":1,"method":"Pub.a","Method":"Adm.b"}`, `1`, "Pub.a", absent, ""},
	{"METHOD alone", `{"jsonrpc":"2.0","id":1,"METHOD":"Adm.b"}`, `1`, absent, absent, `"method" must be a string`},
	{"PARAMS is not params", `{"jsonrpc":"2.0","id":1,"method":"m","PARAMS":{"a":1}}`, `1`, "m", absent, ""},
	{"ID is not id", `{"jsonrpc":"2.0","ID":1,"method":"m"}`, absent, "m", absent, ""},
	{"long s", `{"jsonrpc":"2.0","id":1,"method":"m","param\u017f":{"a":1}}`, `1`, "m", absent, ""},
	{"an escaped name is what it spells", `{"jsonrpc":"2.0","\u0069d":1,"method":"m","par\u0061ms":[1]}`, `1`, "m", `[1]`, ""},

	// R-C02: a duplicate envelope member
	{"method twice", `{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}`, `1`, "a", absent, `the member "method" is given twice.`},
	{"method twice, once escaped", `{"jsonrpc":"2.0","id":1,"method":"a","m\u0065thod":"b"}`, `1`, "a", absent, `the member "method" is given twice.`},
	{"params twice", `{"jsonrpc":"2.0","id":1,"method":"a","params":[],"params":[1]}`, `1`, "a", `[]`, `the member "params" is given twice.`},
	{"params null, then params", `{"jsonrpc":"2.0","id":1,"method":"a","params":null,"params":[1]}`, `1`, "a", absent, `the member "params" is given twice.`},
	{"jsonrpc twice", `{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"a"}`, `1`, "a", absent, `the member "jsonrpc" is given twice.`},
	{"id twice: none is readable", `{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}`, absent, "a", absent, `the member "id" is given twice.`},
	{"id three times", `{"jsonrpc":"2.0","id":1,"id":2,"id":3,"method":"a"}`, absent, "a", absent, `the member "id" is given twice.`},
	{"an unknown member", `{"jsonrpc":"2.0","id":1,"method":"a","x":[{"x":1,"x":2}],"":0}`, `1`, "a", absent, ""},
	{"an unknown member twice", `{"jsonrpc":"2.0","id":1,"method":"a","x":1,"\u0078":2}`, `1`, "a", absent, "is given twice."},
	{"duplicates inside params are not the envelope's", `{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":1,"x":2}}`, `1`, "a", `{"x":1,"x":2}`, ""},
	{"16 unknown members", `{"jsonrpc":"2.0","id":1,"method":"a"` + extra(16) + `}`, `1`, "a", absent, ""},
	{"17 unknown members", `{"jsonrpc":"2.0","id":1,"method":"a"` + extra(17) + `}`, `1`, "a", absent, "more than 16 members"},

	// case A13: tendermint/tendermint#708, gorilla/rpc#1
	{"params omitted", `{"jsonrpc":"2.0","id":1,"method":"m"}`, `1`, "m", absent, ""},
	{"params null", `{"jsonrpc":"2.0","id":1,"method":"m","params":null}`, `1`, "m", absent, ""},
	{"params []", `{"jsonrpc":"2.0","id":1,"method":"m","params":[]}`, `1`, "m", `[]`, ""},
	{"params {}", `{"jsonrpc":"2.0","id":1,"method":"m","params":{}}`, `1`, "m", `{}`, ""},
	{"params string", `{"jsonrpc":"2.0","id":1,"method":"m","params":"bar"}`, `1`, "m", absent, `"params" must be an object or an array.`},
	{"params number", `{"jsonrpc":"2.0","id":1,"method":"m","params":1}`, `1`, "m", absent, `"params" must be`},
	{"params bool", `{"jsonrpc":"2.0","id":1,"method":"m","params":false}`, `1`, "m", absent, `"params" must be`},

	// case A17: gorilla/rpc#24: an array is the list of parameters, also of a notification
	{"positional notification", `{"jsonrpc":"2.0","method":"Sq","params":[1]}`, absent, "Sq", `[1]`, ""},

	// case A24: vshulcz/deja-vu#1796
	{"version 1.0", `{"jsonrpc":"1.0","id":7,"method":"m"}`, `7`, "m", absent, `"jsonrpc" must be the string "2.0".`},
	{"no version", `{"id":"7","method":"m"}`, `"7"`, "m", absent, `"jsonrpc" must be`},
	{"version as a number", `{"jsonrpc":2.0,"id":7,"method":"m"}`, `7`, "m", absent, `"jsonrpc" must be`},
	{"version null", `{"jsonrpc":null,"id":7,"method":"m"}`, `7`, "m", absent, `"jsonrpc" must be`},
	{"version spelled with an escape", `{"jsonrpc":"2\u002e0","id":7,"method":"m"}`, `7`, "m", absent, ""},
	{"a fault before the id keeps the id", `{"jsonrpc":"1.0","method":1,"params":3,"id":"x"}`, `"x"`, absent, absent, `"jsonrpc" must be`},
	{"no method", `{"jsonrpc":"2.0","id":1}`, `1`, absent, absent, `"method" must be a string, the name of the method.`},
	{"method number", `{"jsonrpc":"2.0","method":1,"id":1}`, `1`, absent, absent, `"method" must be`},
	{"method null", `{"jsonrpc":"2.0","method":null,"id":1}`, `1`, absent, absent, `"method" must be`},
	{"a faulty notification is answered", `{"jsonrpc":"2.0","method":1}`, absent, absent, absent, `"method" must be`},

	// case A28: stephenberry/glaze#2699
	{"hostile method name", `{"jsonrpc":"2.0","id":1,"method":"a\",\"id\":9,\"x\":\""}`, `1`, `a","id":9,"x":"`, absent, ""},

	// the limit of the id
	{"id of 1024 bytes", `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 1022) + `","method":"m"}`, `"` + strings.Repeat("x", 1022) + `"`, "m", absent, ""},
	{"id of 1025 bytes", `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 1023) + `","method":"m"}`, absent, "m", absent, `"id" may be 1024 bytes long at most.`},
	{"id of 1 MB", `{"jsonrpc":"2.0","id":` + strings.Repeat("7", 1<<20) + `,"method":"m"}`, absent, "m", absent, `"id" may be`},
}

// extra is n different unknown members.
func extra(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`,"x` + string(rune('a'+i)) + `":null`)
	}
	return b.String()
}

func TestParseMember(t *testing.T) {
	for _, c := range members {
		t.Run(c.name, func(t *testing.T) {
			check := func(t *testing.T, r jsonrpc.Request) {
				t.Helper()
				if show(r.ID) != c.id || show(r.Method) != c.method || show(r.Params) != c.params {
					t.Errorf("got id %.80q method %q params %q", show(r.ID), show(r.Method), show(r.Params))
				}
				if (r.Fault == nil) != (c.fault == "") || c.fault != "" && !strings.Contains(r.Fault.Error(), c.fault) {
					t.Errorf("got fault %v, want %q", r.Fault, c.fault)
				}
				if r.Fault != nil && (!errors.Is(r.Fault, rpcerrors.InvalidRequest) || rpcerrors.From(r.Fault).Code() != -32600) {
					t.Errorf("the fault is no -32600: %#v", r.Fault)
				}
				if want := c.id == absent && c.fault == ""; r.Notification() != want {
					t.Errorf("Notification() = %v", r.Notification())
				}
			}
			reqs, batch, err := jsonrpc.Parse([]byte(c.text), jsonrpc.Limits{}, nil)
			if err != nil || batch || len(reqs) != 1 {
				t.Fatalf("alone: %d requests, batch %v, %v", len(reqs), batch, err)
			}
			check(t, reqs[0])

			good := `{"jsonrpc":"2.0","id":"good","method":"good"}`
			reqs, batch, err = jsonrpc.Parse([]byte("["+good+", "+c.text+" ,"+good+"]"), jsonrpc.Limits{}, reqs)
			if err != nil || !batch || len(reqs) != 3 {
				t.Fatalf("in a batch: %d requests, batch %v, %v", len(reqs), batch, err)
			}
			check(t, reqs[1])
			for _, i := range []int{0, 2} { // R-C07: one bad member never spoils the others
				if r := reqs[i]; r.Fault != nil || show(r.ID) != `"good"` || show(r.Method) != "good" || r.Params != nil {
					t.Errorf("neighbour %d: %+v", i, r)
				}
			}
		})
	}
}

// A request is as deep in a batch as alone. R-C14, case B06
func TestParseDepth(t *testing.T) {
	nested := func(n int) string { // n levels with the request object
		return `{"jsonrpc":"2.0","id":1,"method":"m","params":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}`
	}
	for _, c := range []struct {
		name, body string
		depth      int
		refused    bool
	}{
		{"64 by default", nested(64), 0, false},
		{"65", nested(65), 0, true},
		{"64 in a batch", "[" + nested(64) + "]", 0, false},
		{"65 in a batch", "[" + nested(64) + "," + nested(65) + "]", 0, true},
		{"own limit", nested(3), 3, false},
		{"above the own limit", nested(4), 3, true},
		{"deep id", `{"id":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`, 0, true},
		{"deep unknown member", `{"x":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`, 0, true},
	} {
		_, _, err := jsonrpc.Parse([]byte(c.body), jsonrpc.Limits{Depth: c.depth}, nil)
		if errors.Is(err, rpcerrors.ParseError) != c.refused || (err != nil) != c.refused {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// case A05: creachadair/jrpc2#77: equal ids are two requests, both to be answered.
func TestParseEqualIDs(t *testing.T) {
	reqs, _, err := jsonrpc.Parse([]byte(`[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":1,"method":"b"}]`), jsonrpc.Limits{}, nil)
	if err != nil || len(reqs) != 2 || reqs[0].Fault != nil || reqs[1].Fault != nil {
		t.Errorf("%v %v", reqs, err)
	}
}

// case A09: sei-protocol/sei-chain#3246
func TestParseNotificationsInABatch(t *testing.T) {
	reqs, batch, err := jsonrpc.Parse([]byte(`[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":null,"method":"b"}]`), jsonrpc.Limits{}, nil)
	if err != nil || !batch || len(reqs) != 2 || !reqs[0].Notification() || reqs[1].Notification() {
		t.Errorf("%v %v", reqs, err)
	}
}

// Members are given twice only within one request.
func TestParseUnknownMembersOfNeighbours(t *testing.T) {
	one := `{"jsonrpc":"2.0","id":1,"method":"a","trace":1}`
	reqs, _, err := jsonrpc.Parse([]byte("["+one+","+one+"]"), jsonrpc.Limits{}, nil)
	if err != nil || reqs[0].Fault != nil || reqs[1].Fault != nil {
		t.Errorf("%v %v", reqs, err)
	}
}

func TestParseReusesStorage(t *testing.T) {
	dst := make([]jsonrpc.Request, 5, 8)
	dst[0] = jsonrpc.Request{ID: []byte("old"), Params: []byte("old"), Fault: errors.New("old")}
	reqs, _, err := jsonrpc.Parse([]byte(`{"jsonrpc":"2.0","method":"m"}`), jsonrpc.Limits{}, dst)
	if err != nil || len(reqs) != 1 || &reqs[0] != &dst[0] {
		t.Fatalf("%v %v", reqs, err)
	}
	if r := reqs[0]; r.ID != nil || r.Params != nil || r.Fault != nil {
		t.Errorf("an old request shows through: %+v", r)
	}
}
