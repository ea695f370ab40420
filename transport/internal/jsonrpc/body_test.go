package jsonrpc_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc/scan"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

const call = `{"jsonrpc":"2.0","id":1,"method":"T.add","params":{"a":40,"b":2}}`

// calls is a batch of n.
func calls(n int) string { return "[" + strings.TrimSuffix(strings.Repeat(call+",", n), ",") + "]" }

// Bodies that are answered by one error object, and of which nothing runs.
func TestParseBody(t *testing.T) {
	for _, c := range []struct {
		name, body string
		code       int
		text       string
	}{
		// case A19: gorilla/rpc#69
		{"an open brace", `{`, -32700, "Parse error: invalid JSON at byte 1: member name expected."},
		{"nothing", ``, -32700, "at byte 0"},
		{"white space", " \r\n\t", -32700, "at byte 4"},
		{"an open batch", `[`, -32700, "at byte 1"},
		{"a batch cut off", `[` + call, -32700, "',' or ']' expected"},
		{"a trailing comma", `[` + call + `,]`, -32700, "value expected"},
		{"a comma missing", `[` + call + call + `]`, -32700, "',' or ']' expected"},
		{"a colon missing", `{"jsonrpc" "2.0"}`, -32700, "at byte 11: ':' expected"},
		{"a value missing", `{"jsonrpc":"2.0","id":,"method":"m"}`, -32700, "at byte 22: value expected"},
		{"a name without quotes", `{jsonrpc:"2.0"}`, -32700, "member name expected"},
		{"a comma before the end", `{"jsonrpc":"2.0","method":"m",}`, -32700, "member name expected"},
		{"single quotes", `{'jsonrpc':'2.0'}`, -32700, "member name expected"},
		{"NaN", `{"jsonrpc":"2.0","id":1,"method":"m","params":[NaN]}`, -32700, "value expected"},
		{"a byte order mark", "\ufeff" + call, -32700, "at byte 0"},
		{"a NUL byte", "\x00" + call, -32700, "at byte 0"},
		{"a NUL byte behind", call + "\x00", -32700, "trailing data"},

		// case A20: go-chi/render#63, ogen-go/ogen#602
		{"two calls", call + call, -32700, "trailing data"},
		{"a call and garbage", call + " garbage", -32700, "trailing data"},
		{"a batch and a bracket", calls(1) + "]", -32700, "trailing data"},

		// case A22: sysprog21/zhtw-mcp#7
		{"the byte 0xFF in params", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":[\"\xff\"]}", -32700, "invalid UTF-8"},
		{"the byte 0xFF in a method", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", -32700, "invalid UTF-8"},
		{"the byte 0xFF in an id", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"m\"}", -32700, "invalid UTF-8"},
		{"the byte 0xFF in an unknown name", "{\"jsonrpc\":\"2.0\",\"\xff\":1,\"method\":\"m\"}", -32700, "invalid UTF-8"},
		{"a lone surrogate in params", `{"jsonrpc":"2.0","id":1,"method":"m","params":["\ud800"]}`, -32700, "lone surrogate"},
		{"a lone surrogate in an id", `{"jsonrpc":"2.0","id":"\udc00","method":"m"}`, -32700, "lone surrogate"},
		{"a control character", "{\"jsonrpc\":\"2.0\",\"id\":\"a\nb\",\"method\":\"m\"}", -32700, "control character"},
		{"a bad last member spoils the body", `[` + call + `,{"jsonrpc":"2.0","id":2,"method":"\x"}]`, -32700, "unknown escape"},

		// case A06
		{"an empty batch", ` [ ] `, -32600, "Invalid request: a batch must hold at least one request."},
		// A body that is no JSON is told so first.
		{"an empty batch and garbage", `[]x`, -32700, "trailing data"},

		// case B01: ethereum/go-ethereum#27924
		{"a batch of 101", calls(101), -32600, "Invalid request: a batch may hold 100 requests at most."},
		{"too many, then garbage: not read", calls(101) + "garbage", -32600, "100 requests"},

		// case B06: golang/go#31789
		{"1 MB of brackets", strings.Repeat("[", 1<<20), -32700, "Parse error: nested deeper than 64 levels, at byte 65."},
		{"200 000 objects in params", `{"jsonrpc":"2.0","id":1,"method":"m","params":` + strings.Repeat(`{"a":`, 200_000), -32700, "nested deeper"},
	} {
		t.Run(c.name, func(t *testing.T) {
			reqs, batch, err := jsonrpc.Parse([]byte(c.body), jsonrpc.Limits{}, nil)
			var e *rpcerrors.Error
			if !errors.As(err, &e) || e.Code() != c.code || !strings.Contains(e.Error(), c.text) {
				t.Fatalf("got %v, want %d %q", err, c.code, c.text)
			}
			if reqs != nil {
				t.Errorf("%d requests could run", len(reqs))
			}
			if want := strings.HasPrefix(strings.TrimSpace(c.body), "["); batch != want {
				t.Errorf("batch = %v", batch)
			}
			var cause *scan.Error
			if errors.As(err, &cause) != (c.code == -32700) {
				t.Errorf("cause %v", cause)
			}
		})
	}
}

// case A20: white space behind is fine.
func TestParseWhiteSpaceAround(t *testing.T) {
	for _, body := range []string{call + "\n\n", "\r\n\t " + call, " [ " + call + " ] \n"} {
		if _, _, err := jsonrpc.Parse([]byte(body), jsonrpc.Limits{}, nil); err != nil {
			t.Errorf("%q: %v", body, err)
		}
	}
}

// case A06: `[1,2]` is two bad requests, not a bad body.
func TestParseBatchOfNumbers(t *testing.T) {
	reqs, batch, err := jsonrpc.Parse([]byte(`[1,2]`), jsonrpc.Limits{}, nil)
	if err != nil || !batch || len(reqs) != 2 || reqs[0].Fault == nil || reqs[1].Fault == nil {
		t.Errorf("%v %v %v", reqs, batch, err)
	}
}

func TestParseBatchLimit(t *testing.T) {
	for _, c := range []struct {
		n, limit int
		refused  bool
	}{{100, 0, false}, {100, -1, false}, {3, 3, false}, {4, 3, true}, {1, 1, false}, {250, 250, false}} {
		reqs, _, err := jsonrpc.Parse([]byte(calls(c.n)), jsonrpc.Limits{Batch: c.limit}, nil)
		if errors.Is(err, rpcerrors.InvalidRequest) != c.refused || !c.refused && len(reqs) != c.n {
			t.Errorf("%d of %d: %d requests, %v", c.n, c.limit, len(reqs), err)
		}
	}
	id := []byte(`{"jsonrpc":"2.0","id":12345,"method":"m"}`)
	if reqs, _, _ := jsonrpc.Parse(id, jsonrpc.Limits{ID: 5}, nil); reqs[0].Fault != nil {
		t.Errorf("an id at the limit: %v", reqs[0].Fault)
	}
	if reqs, _, _ := jsonrpc.Parse(id, jsonrpc.Limits{ID: 4}, nil); reqs[0].Fault == nil {
		t.Error("an id above the limit is accepted")
	}
}

// R-C14: a hostile body costs no memory and, for its size, no time.
func TestParseHostileBodyIsCheap(t *testing.T) {
	big := strings.Repeat("x", 1<<20)
	for _, c := range []struct{ name, body string }{
		{"1 MB of brackets", strings.Repeat("[", 1<<20)},
		{"1 MB id", `{"jsonrpc":"2.0","id":"` + big + `","method":"m"}`},
		{"10 000 members", calls(10_000)},
		{"10 000 faulty members", "[" + strings.Repeat("1,", 9_999) + "1]"},
		{"100 000 unknown members", `{"jsonrpc":"2.0"` + manyExtra(100_000) + `}`},
		{"1 MB version", `{"jsonrpc":"` + big + `","method":"m"}`},
		{"1 MB of escapes cut off", `{"` + strings.Repeat(`\n`, 1<<19)},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := []byte(c.body)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			_, _, _ = jsonrpc.Parse(body, jsonrpc.Limits{}, nil)
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 256<<10 {
				t.Errorf("%d KB allocated", used>>10)
			}
			if took > time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func manyExtra(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"member%d":null`, i)
	}
	return b.String()
}
