package mcp_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/go-json-experiment/json"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// Bulk answers as much as it is asked for.
type Bulk struct{}

type SizeParams struct {
	Bytes int `json:"bytes"`
}

func (Bulk) Big(p SizeParams) string { return strings.Repeat("x", p.Bytes) }

func (Bulk) Blocks(p SizeParams) rpc.Content {
	return rpc.Content{rpc.TextBlock(strings.Repeat("x", p.Bytes))}
}

func (Bulk) Fail(p SizeParams) error {
	return soldOut.New(Left{p.Bytes}).WithMessage(strings.Repeat("x", p.Bytes))
}

// Heap is how many bytes are alive.
func (Bulk) Heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// watched is a program whose errors and sent answers are counted.
type watched struct {
	*program
	logs   *observer.ObservedLogs
	mu     sync.Mutex
	failed []string // kind and method, from rpc.error
	sent   []string // methods, from rpc.post_response
}

func watch(t *testing.T, edge mcp.Edge, services ...any) *watched {
	t.Helper()
	core, logs := observer.New(zap.InfoLevel)
	w := &watched{logs: logs}
	bus := new(events.Bus)
	events.On(bus, func(_ context.Context, e rpc.Failed) error {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.failed = append(w.failed, e.Error.Kind()+" "+e.Call.Method)
		return nil
	})
	events.On(bus, func(_ context.Context, e rpc.PostResponse) error {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.sent = append(w.sent, e.Call.Method)
		return nil
	})
	w.program = mount(t, setup{edge: edge, services: services, options: rpc.Options{Events: bus, Logger: zap.New(core)}})
	return w
}

// reported is what was published since the last time, and whether the log has
// as much.
func (w *watched) reported() string {
	seen := strings.Join(w.failed, ", ")
	if n := len(w.logs.FilterMessage("call failed").All()); n != len(w.failed) {
		seen += fmt.Sprintf(" but logged %d times", n)
	}
	w.logs.TakeAll()
	w.failed = nil
	return seen
}

// R-M10, R-E02, R-E03: a call that answers too much has failed, in either
// form of content; it is told once, and not as sent.
func TestResultLimit(t *testing.T) {
	w := watch(t, mcp.Edge{Group: "mcp", MaxResponse: 4000}, rpc.Service{Name: "Bulk", Groups: []string{"mcp"}, Methods: []rpc.Method{
		{Name: "big", Func: Bulk{}.Big}, {Name: "blocks", Func: Bulk{}.Blocks}, {Name: "fail", Func: Bulk{}.Fail},
	}})
	const tooLarge = `"isError":true`
	for _, c := range []struct {
		tool  string
		bytes int
		want  string // in the answer
		told  string
	}{
		{"Bulk.big", 800, `"isError":false`, ""},
		{"Bulk.big", 1000, tooLarge, "ResponseTooLarge Bulk.big"}, // twice, with what is around it
		{"Bulk.big", 1 << 20, tooLarge, "ResponseTooLarge Bulk.big"},
		{"Bulk.blocks", 1500, `"isError":false`, ""},
		{"Bulk.blocks", 2000, tooLarge, "ResponseTooLarge Bulk.blocks"},
		{"Bulk.fail", 1000, `"SoldOut`, "SoldOut Bulk.fail"},
		{"Bulk.fail", 3000, `"ResponseTooLarge"`, "SoldOut Bulk.fail"}, // told as what it was
	} {
		for name, answer := range map[string]string{
			"2026-07-28": w.call(c.tool, fmt.Sprintf(`{"bytes":%d}`, c.bytes)).Body.String(),
		} {
			if len(answer) > 2000 || !strings.Contains(answer, strings.ReplaceAll(c.want, `"S`, `\"S`)) && !strings.Contains(answer, c.want) {
				t.Errorf("%s: %s of %d bytes: %d bytes, %.300s", name, c.tool, c.bytes, len(answer), answer)
			}
			if c.want == tooLarge && !strings.Contains(answer, `{\"code\":-32603,\"message\":\"The call ran, but its answer is larger than 2000 bytes. Ask for less.\",\"data\":{\"exception\":\"ResponseTooLarge\"}}`) {
				t.Errorf("%s: %s", name, answer)
			}
		}
		if got := w.reported(); got != c.told {
			t.Errorf("%s of %d bytes: reported %q, want %q", c.tool, c.bytes, got, c.told)
		}
	}
	if err := w.exec.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(w.sent, " "); got != "Bulk.big Bulk.blocks" {
		t.Errorf("sent: %s", got)
	}
}

// The default is the same as that of /rpc: 16 MiB for one call.
func TestDefaultResultLimit(t *testing.T) {
	w := watch(t, mcp.Edge{}, rpc.Service{Name: "Bulk", Groups: []string{"mcp"}, Methods: []rpc.Method{{Name: "big", Func: Bulk{}.Big}}})
	if got := w.call("Bulk.big", `{"bytes":8300000}`).Body.Len(); got < 2*8_300_000 {
		t.Errorf("%d bytes", got)
	}
	if got := w.call("Bulk.big", `{"bytes":60000000}`).Body.String(); len(got) > 1000 || !strings.Contains(got, "larger than 16777216 bytes") {
		t.Errorf("%.500s", got)
	}
}

// R-M13, case B03: the answers of a batch are bounded together, and large ones
// do not pile up; those that fit are sent.
func TestBatchResponseLimit(t *testing.T) {
	const n, each, limit = 99, 1 << 20, 10 << 20
	w := watch(t, mcp.Edge{MaxResponse: limit}, rpc.Service{Name: "Bulk", Groups: []string{"mcp"}, Methods: []rpc.Method{
		{Name: "big", Func: Bulk{}.Big}, {Name: "heap", Func: Bulk{}.Heap},
	}})
	before := Bulk{}.Heap()
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"Bulk.big","arguments":{"bytes":%d}}},`, i, each)
	}
	body := "[" + b.String() + `{"jsonrpc":"2.0","id":"heap","method":"tools/call","params":{"name":"Bulk.heap"}}]`
	got := w.post(body, w.begin("2025-03-26")...)
	if got.Code != 200 || got.Body.Len() > limit+n*512 {
		t.Fatalf("%d, %d bytes", got.Code, got.Body.Len())
	}
	var answers []struct {
		ID     any `json:"id"`
		Result struct {
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
			IsError bool `json:"isError"`
		} `json:"result"`
	}
	if err := json.Unmarshal(got.Body.Bytes(), &answers); err != nil || len(answers) != n+1 {
		t.Fatalf("%d answers, %v", len(answers), err)
	}
	full := 0
	for i, a := range answers[:n] {
		text := a.Result.Content[0].Text
		switch {
		case a.ID != float64(i):
			t.Fatalf("answer %d has the id %v", i, a.ID)
		case !a.Result.IsError:
			full++
		case !strings.Contains(text, `"exception":"ResponseTooLarge"`) || !strings.Contains(text, "answers of its batch"):
			t.Fatalf("answer %d: %s", i, text)
		}
	}
	if full != limit/each-1 {
		t.Errorf("%d answers of 1 MiB, want %d", full, limit/each-1)
	}
	// A result is there as a value, as JSON and as text; eight calls run at once.
	var heap uint64
	if _, err := fmt.Sscan(answers[n].Result.Content[0].Text, &heap); err != nil || heap > before+8*limit {
		t.Errorf("alive at the end of the batch: %d bytes, before it %d, %v", heap, before, err)
	}
	if err := w.exec.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(w.sent) != full+1 {
		t.Errorf("%d answers are told as sent, %d were", len(w.sent), full+1)
	}
}

// What is no call is bounded in a batch as well.
func TestBatchOfListsIsBounded(t *testing.T) {
	w := watch(t, mcp.Edge{MaxResponse: 100_000}, many(100))
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"},`
	got := w.post("["+strings.Repeat(list, 99)+`{"jsonrpc":"2.0","id":2,"method":"ping"}]`, w.begin("2025-03-26")...).Body.String()
	if len(got) > 100_000+99*512 || !strings.Contains(got, `"code":-32603`) || !strings.Contains(got, `{"jsonrpc":"2.0","id":2,"result":{}}`) {
		t.Errorf("%d bytes, %.300s", len(got), got)
	}
}

func TestLimitsAreChecked(t *testing.T) {
	p := mount(t, setup{})
	for _, e := range []mcp.Edge{{MaxResponse: -1}, {MaxResult: -1}} {
		if err := mountOn(p.exec, e); err == nil || !strings.Contains(err.Error(), "give positive numbers") {
			t.Errorf("%+v: %v", e, err)
		}
	}
}
