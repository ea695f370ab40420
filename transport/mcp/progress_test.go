package mcp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/facet-rpc/facet/rpc"
)

// BuildParams are those of a method that takes its time.
type BuildParams struct {
	Steps int `json:"steps"`
}

// OrderParams has arguments that headers repeat.
type OrderParams struct {
	Region string `json:"region" mcp:"header=Region"`
	Part   struct {
		Count int  `json:"count,omitzero" mcp:"header=Count"`
		Sharp bool `json:"sharp,omitzero" mcp:"header=Is-Sharp"`
	} `json:"part,omitzero"`
}

// workshop tells its progress, and has an order form.
func workshop() rpc.Service {
	return rpc.Service{Name: "Workshop", Groups: []string{"mcp"}, Methods: []rpc.Method{
		{Name: "build", Func: func(ctx context.Context, p BuildParams) int {
			for i := range p.Steps {
				rpc.Progress(ctx, float64(i+1), float64(p.Steps), "sawing")
			}
			return p.Steps
		}},
		{Name: "order", Func: func(p OrderParams) string { return p.Region }},
	}}
}

// buildOf is tools/call of Workshop.build in an era, with a progressToken.
func buildOf(p *program, version string, steps int, token string) (body string, headers []string) {
	meta, call := `"_meta":{"progressToken":`+token+`}`, fmt.Sprintf(`"name":"Workshop.build","arguments":{"steps":%d}`, steps)
	if version == "2026-07-28" {
		body, headers = modern("tools/call", call, "Mcp-Name: Workshop.build")
		return strings.Replace(body, `"_meta":{`, `"_meta":{"progressToken":`+token+`,`, 1), headers
	}
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + call + `,` + meta + `}}`, p.begin(version)
}

var everyVersion = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// R-M14, mcp rows 12, 13 and 67: progress goes out as events before the
// answer, to who sent a token and takes a stream, and only then.
func TestProgress(t *testing.T) {
	p := mount(t, setup{services: []any{workshop()}})
	for _, version := range everyVersion {
		for _, c := range []struct {
			name, token, accept string
			steps               int
			stream              bool
		}{
			{"asked for", `"t"`, "application/json, text/event-stream", 3, true},
			{"a number", `7`, "text/event-stream, application/json", 3, true},
			{"only the stream is taken", `"t"`, "text/event-stream", 3, true},
			{"none was made", `"t"`, "application/json, text/event-stream", 0, false},
			{"no stream is taken", `"t"`, "application/json", 3, false},
			{"anything is taken", `"t"`, "*/*", 3, false},
			{"nothing is said", `"t"`, "", 3, false},
		} {
			body, headers := buildOf(p, version, c.steps, c.token)
			w := p.post(body, append(headers, "Accept: "+c.accept)...)
			events := eventsOf(w.Body.String())
			if c.stream != (w.Header().Get("Content-Type") == "text/event-stream") || c.stream && w.Header().Get("X-Accel-Buffering") != "no" {
				t.Errorf("%s, %s: %v", version, c.name, w.Header())
			}
			if !c.stream {
				if len(events) != 0 || !strings.Contains(w.Body.String(), `"result"`) {
					t.Errorf("%s, %s: %s", version, c.name, w.Body)
				}
				continue
			}
			if len(events) != c.steps+1 || !strings.HasPrefix(events[c.steps], `{"jsonrpc":"2.0","id":1,"result":{`) {
				t.Errorf("%s, %s: %q", version, c.name, events)
				continue
			}
			message := `,"message":"sawing"`
			if version == "2024-11-05" { // which knows none, mcp L16
				message = ""
			}
			want := `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + c.token + `,"progress":2,"total":3` + message + `}}`
			if events[1] != want {
				t.Errorf("%s, %s: %s\nwant %s", version, c.name, events[1], want)
			}
		}
	}
	for _, token := range []string{`null`, `{}`, `1.5`} { // of the session era, which is lenient
		body, headers := buildOf(p, "2025-11-25", 3, token)
		if w := p.post(body, headers...); w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("token %s: %s", token, w.Body)
		}
	}
	_, headers := buildOf(p, "2025-03-26", 0, `1`) // a batch has no progress
	batch := `[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Workshop.build","arguments":{"steps":3},"_meta":{"progressToken":1}}}]`
	if got := p.post(batch, headers...).Body.String(); !strings.HasPrefix(got, `[{"jsonrpc":"2.0","id":1,"result"`) {
		t.Errorf("in a batch: %s", got)
	}
}

// eventsOf are the data of the events in a body, nil for another body.
func eventsOf(body string) (data []string) {
	for event := range strings.SplitSeq(strings.TrimSuffix(body, "\n\n"), "\n\n") {
		if one, ok := strings.CutPrefix(event, "event: message\ndata: "); ok {
			data = append(data, one)
		}
	}
	return data
}

// mcp row 67: progress rises, is a number, and ends with the call.
func TestProgressRises(t *testing.T) {
	late := make(chan func())
	tool := rpc.Method{Name: "odd", Func: func(ctx context.Context) error {
		rpc.Progress(ctx, -0.5, 0, "")
		rpc.Progress(ctx, -0.5, 10, "again")
		rpc.Progress(ctx, -1, 10, "back")
		rpc.Progress(ctx, math.NaN(), 10, "none")
		rpc.Progress(ctx, 1e-9, math.Inf(1), "line\nbreak \"quoted\" \xff")
		rpc.Progress(ctx, math.Inf(1), 10, "none")
		rpc.Progress(ctx, 1e21, 1e300, "")
		go func() { late <- func() { rpc.Progress(ctx, 2e21, 0, "after the end") } }()
		return errors.New("no luck")
	}}
	p := mount(t, setup{services: []any{rpc.Service{Name: "W", Groups: []string{"mcp"}, Methods: []rpc.Method{tool}}}})
	body, headers := modern("tools/call", `"name":"W.odd"`, "Mcp-Name: W.odd")
	w := p.post(strings.Replace(body, `"_meta":{`, `"_meta":{"progressToken":1,`, 1), headers...)
	(<-late)()
	const head = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":`
	want := []string{head + `-0.5}}`, head + "1e-09,\"message\":\"line\\nbreak \\\"quoted\\\" \uFFFD\"}}", head + `1e+21,"total":1e+300}}`}
	got := eventsOf(w.Body.String())
	if len(got) != 4 || !slices.Equal(got[:3], want) || !strings.Contains(got[3], `"isError":true`) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// A client that reads slowly holds up neither the method nor its lock;
// progress in between is dropped, the answer is not.
func TestProgressToSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const steps = 10_000
		returned := make(chan struct{})
		tool := rpc.Method{Name: "fast", Func: func(ctx context.Context) int {
			defer close(returned)
			for i := range steps {
				rpc.Progress(ctx, float64(i+1), steps, "")
			}
			return steps
		}}
		p := mount(t, setup{services: []any{rpc.Service{Name: "W", Groups: []string{"mcp"}, Methods: []rpc.Method{tool}}}})
		body, headers := modern("tools/call", `"name":"W.fast"`, "Mcp-Name: W.fast")
		w := &slowReader{ResponseRecorder: httptest.NewRecorder(), reads: make(chan struct{})}
		done := make(chan struct{})
		go func() {
			p.requestTo(t.Context(), w, http.MethodPost, "/mcp", strings.Replace(body, `"_meta":{`, `"_meta":{"progressToken":1,`, 1), headers...)
			close(done)
		}()
		<-returned // while nothing has been read
		synctest.Wait()
		select {
		case <-done:
			t.Error("answered before it was read")
		default:
		}
		close(w.reads)
		<-done
		got := eventsOf(w.Body.String())
		if n := len(got); n < 2 || n > 70 || !strings.Contains(got[n-2], `"progress":10000`) || !strings.Contains(got[n-1], `"result":10000`) {
			t.Errorf("%d events, last %q", n, got[max(0, n-2):])
		}
	})
}

// slowReader is a client that reads nothing until reads is closed.
type slowReader struct {
	*httptest.ResponseRecorder
	reads chan struct{}
}

func (w *slowReader) Write(b []byte) (int, error) {
	<-w.reads
	return w.ResponseRecorder.Write(b)
}

// Each event is on the wire when the method goes on, and one that a client
// that has gone does not read hurts nobody. R-C15, mcp row 14.
func TestProgressIsFlushed(t *testing.T) {
	step, ended := make(chan struct{}), make(chan error, 1)
	tool := rpc.Method{Name: "walk", Func: func(ctx context.Context) error {
		for i := 1; ; i++ {
			rpc.Progress(ctx, float64(i), 0, "")
			select {
			case <-ctx.Done():
				ended <- ctx.Err()
				return ctx.Err()
			case <-step:
			}
		}
	}}
	p := mount(t, setup{services: []any{rpc.Service{Name: "W", Groups: []string{"mcp"}, Methods: []rpc.Method{tool}}}})
	body, lines := modern("tools/call", `"name":"W.walk"`, "Mcp-Name: W.walk", "Accept: application/json, text/event-stream")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, listen(t, p)+"/mcp", strings.NewReader(strings.Replace(body, `"_meta":{`, `"_meta":{"progressToken":1,`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	resp, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	events := bufio.NewScanner(resp.Body)
	for i := 1; i <= 3; i++ {
		for events.Scan() && !strings.Contains(events.Text(), fmt.Sprintf(`"progress":%d}`, i)) {
		}
		step <- struct{}{}
	}
	cancel()
	select {
	case step <- struct{}{}:
		err = <-ended
	case err = <-ended:
	}
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
