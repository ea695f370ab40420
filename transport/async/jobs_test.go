package async_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/async"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

type echoParams struct {
	Text string `json:"text" validate:"max=5"`
}

var tooLate = rpcerrors.Define[struct{}](1001, "TooLate", "It is too late.")

type words struct {
	Text string `json:"text"`
}

var wordy = rpcerrors.Define[words](1002, "Wordy", "Too many words.")

// echo answers what it was given, and who called.
func echo(ctx context.Context, p echoParams) (string, error) {
	c := rpc.CallFrom(ctx)
	switch p.Text {
	case "late":
		return "", tooLate.New(struct{}{})
	case "panic":
		panic("no")
	case "exit":
		runtime.Goexit()
	case "data":
		return "", wordy.New(words{strings.Repeat("x", 8<<10)})
	case "large":
		return strings.Repeat("x", 200), nil
	}
	return p.Text + " " + c.Caller.ID + " " + c.RayID, nil
}

// R-C10 R-S06 R-C09: a call with a callback is answered at once, and its
// response is posted later, signed, in the bytes of /rpc, with what connects
// it with the request and without the caller's token.
func TestCallback(t *testing.T) {
	r := receive(t, nil)
	p := start(t, setup{async: async.Options{Webhooks: r.local()}}, rpc.Method{Name: "echo", Func: echo})
	outputs := p.outputs()
	url := r.URL + "/hook?a=1&b=\\u0026"
	answer := p.post(`{"jsonrpc":"2.0","id":1e3,"method":"echo","params":{"text":"hi","$rpc":{"callback":"`+url+`","rayId":"ray 1"}}}`,
		"Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "Tracestate", "a=1", "Tracestate", "b=2", "Baggage", "k=v",
		"X-Request-Id", "request-1", "X-Correlation-Id", "correlation-1", "Cookie", "c=1", "Authorization", "Bearer token-ann")
	id := strings.TrimSuffix(answer[strings.LastIndex(answer, `"jobId":"`)+9:], `"}}`)
	want := `{"jsonrpc":"2.0","id":1e3,"result":{"async":true,"callback":"` + r.URL + `/hook?a=1&b=&","jobId":"` + id + `"}}`
	if answer != want {
		t.Fatalf("got  %s\nwant %s", answer, want)
	}
	h := r.next(t)
	if want := `{"jsonrpc":"2.0","id":1e3,"result":"hi ann ray 1"}`; h.body != want {
		t.Errorf("posted %s\nwant   %s", h.body, want)
	}
	if got, err := async.Verify(h.header, []byte(h.body), secret); got != id || err != nil {
		t.Errorf("Verify: %q, %v", got, err)
	}
	for name, want := range map[string]string{
		"Traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "Tracestate": "a=1,b=2", "Baggage": "k=v",
		"X-Request-Id": "request-1", "X-Correlation-Id": "correlation-1", "X-Ray-Id": "ray%201",
		"Content-Type": "application/json", "Webhook-Id": id, "Rpc-Token": "", "Authorization": "", "Cookie": "",
	} {
		if got := strings.Join(h.header[name], "|"); got != want {
			t.Errorf("header %s: got %q, want %q", name, got, want)
		}
	}
	if o := end(t, outputs); o.Err != nil || o.Attempts != 1 || o.Deferred.Job != id || string(o.Body) != h.body {
		t.Errorf("rpc.async_output: %+v", o)
	}
	if job := p.job(id); job.State != async.Done || job.Attempts != 1 || string(job.Response) != h.body || job.Method != "echo" {
		t.Errorf("job %+v", job)
	}
}

// R-C10: what can be refused is refused at once, and nothing runs.
func TestRefusedAtOnce(t *testing.T) {
	ran := 0
	p := start(t, setup{rpc: rpc.Options{Visible: func(_ *rpc.Caller, s *rpc.Spec) bool { return s.Name() != "hidden" }}},
		rpc.Method{Name: "run", Func: func(echoParams) { ran++ }},
		rpc.Method{Name: "hidden", Func: func() {}},
		rpc.Method{Name: "locked", Func: func() {}})
	events.On(p.bus, func(_ context.Context, e rpc.AsyncRequest) error {
		if e.Call.Method == "locked" && e.Deferred.Job != "" {
			return tooLate.New(struct{}{})
		}
		return nil
	})
	call := func(id, method, params string) string {
		return `{"jsonrpc":"2.0",` + id + `"method":"` + method + `","params":` + params + `}`
	}
	with := func(callback string) string { return `{"text":"a","$rpc":{"callback":"` + callback + `"}}` }
	const ok = "https://hooks.example/x"
	for _, tt := range []struct {
		name, body string
		want       []string
	}{
		{"an unknown method", call(`"id":1,`, "none", with(ok)), []string{`-32601`}},
		{"a method that others may see", call(`"id":1,`, "hidden", with(ok)), []string{`-32601`}},
		{"a wrong type", call(`"id":1,`, "run", `{"text":1,"$rpc":{"callback":"`+ok+`"}}`), []string{`/text`}},
		{"a broken rule", call(`"id":1,`, "run", `{"text":"abcdef","$rpc":{"callback":"`+ok+`"}}`), []string{`/text`, `"max"`}},
		{"no URL and a broken rule", call(`"id":1,`, "run", `{"text":"abcdef","$rpc":{"callback":"x","timeout":1}}`), []string{`/text`, `/$rpc/callback`, `/$rpc/timeout`}},
		{"plain http", call(`"id":1,`, "run", with("http://hooks.example/x")), []string{`/$rpc/callback`, `"target"`, `https`}},
		{"an address", call(`"id":1,`, "run", with("https://127.0.0.1/x")), []string{`"target"`, `allowed`}},
		{"another port", call(`"id":1,`, "run", with("https://hooks.example:8443/x")), []string{`"target"`, `allowed`}},
		{"a password", call(`"id":1,`, "run", with("https://a:b@hooks.example/x")), []string{`"target"`, `password`}},
		{"a built-in", call(`"id":1,`, "ping", `{"$rpc":{"callback":"`+ok+`"}}`), []string{`-32300`, `ping`}},
		{"a listener", call(`"id":1,`, "locked", `{"$rpc":{"callback":"`+ok+`"}}`), []string{`1001`}},
	} {
		got := p.post(tt.body)
		for _, want := range tt.want {
			if !strings.Contains(got, want) || strings.Contains(got, `"result"`) {
				t.Errorf("%s: got %s, want %s in it", tt.name, got, want)
			}
		}
	}
	if got := p.post(call("", "run", with(ok))); got != "" || ran != 0 {
		t.Errorf("a notification: %q, ran %d times", got, ran)
	}
}

// R-C10: a notification with a callback is refused, which only the log tells.
func TestNotificationIsRefused(t *testing.T) {
	core, logs := observer.New(zap.InfoLevel)
	p := start(t, setup{rpc: rpc.Options{Logger: zap.New(core)}}, rpc.Method{Name: "run", Func: func() { t.Error("it ran") }})
	p.post(`{"jsonrpc":"2.0","method":"run","params":{"$rpc":{"callback":"https://hooks.example"}}}`)
	if n := logs.FilterMessage("call failed").FilterField(zap.Int("code", rpcerrors.CodeAsync)).Len(); n != 1 {
		t.Errorf("logged %d times: %v", n, logs.All())
	}
}

// R-C10 R-C03: a full queue is -32503, and the job is not known.
func TestQueueFull(t *testing.T) {
	block := make(chan struct{})
	p := start(t, setup{async: async.Options{Queue: async.NewMemory(async.MemoryOptions{Tasks: 2, Workers: 1})}},
		rpc.Method{Name: "run", Func: func() { <-block }})
	for range 2 {
		p.submit("run", "{}", "https://hooks.example")
	}
	got := p.post(`{"jsonrpc":"2.0","id":1,"method":"run","params":{"$rpc":{"callback":"https://hooks.example"}}}`)
	if !strings.Contains(got, `-32503`) || !strings.Contains(got, "queue is full") {
		t.Errorf("got %s", got)
	}
	p.jobs.DialWith(nowhere)
	close(block)
}

// R-C10: errors are posted like results, byte for byte as /rpc answers them.
func TestErrorsArePosted(t *testing.T) {
	r := receive(t, nil)
	p := start(t, setup{async: async.Options{Webhooks: r.local(), MaxResult: 100}, rpc: rpc.Options{MinTimeout: time.Millisecond}},
		rpc.Method{Name: "echo", Func: echo},
		rpc.Method{Name: "wait", Func: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }})
	outputs := p.outputs()
	for _, tt := range []struct{ method, params, want string }{
		{"echo", `{"text":"late"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":1001,"message":"It is too late.","data":{"exception":"TooLate"}}}`},
		{"echo", `{"text":"panic"}`, `"code":-32603`},
		{"echo", `{"text":"large"}`, `ResponseTooLarge`},
		{"echo", `{"text":"data"}`, `ResponseTooLarge`},
		{"echo", `{"text":"exit"}`, `"code":-32603`},
	} {
		id := p.submit(tt.method, tt.params, r.URL)
		if h := r.next(t); !strings.Contains(h.body, tt.want) || h.header.Get("Webhook-Id") != id {
			t.Errorf("%s: posted %s, want %s", tt.params, h.body, tt.want)
		}
		end(t, outputs)
		if job := p.job(id); job.State != async.Failed {
			t.Errorf("%s: %s", tt.params, job.State)
		}
	}
	p.post(`{"jsonrpc":"2.0","id":1,"method":"wait","params":{"$rpc":{"callback":"` + r.URL + `","timeout":0.01}}}`)
	if h := r.next(t); !strings.Contains(h.body, `-32408`) {
		t.Errorf("$rpc.timeout: %s", h.body)
	}
	end(t, outputs)
}

// R-E01: the events of a call that runs later, in their order.
func TestEvents(t *testing.T) {
	r := receive(t, nil)
	p := start(t, setup{async: async.Options{Webhooks: r.local()}}, rpc.Method{Name: "echo", Func: echo})
	var mu sync.Mutex
	var heard []string
	hear := func(name string, c *rpc.Call) {
		mu.Lock()
		defer mu.Unlock()
		if c != nil && c.Job() != "" {
			name += " of a job"
		}
		heard = append(heard, name)
	}
	events.On(p.bus, func(_ context.Context, e rpc.Request) error { hear(e.EventName(), e.Call); return nil })
	events.On(p.bus, func(_ context.Context, e rpc.AsyncRequest) error { hear(e.EventName(), e.Call); return nil })
	events.On(p.bus, func(_ context.Context, e rpc.PreExecute) error { hear(e.EventName(), e.Call); return nil })
	events.On(p.bus, func(_ context.Context, e rpc.PostExecute) error { hear(e.EventName(), e.Call); return nil })
	events.On(p.bus, func(_ context.Context, e rpc.PreResponse) error { hear(e.EventName(), e.Call); return nil })
	events.On(p.bus, func(_ context.Context, e rpc.AsyncOutput) error {
		hear(e.EventName(), nil)
		return errors.New("ignored")
	})
	outputs := p.outputs()
	p.submit("echo", `{"text":"hi"}`, r.URL)
	end(t, outputs)
	p.stop()
	want := []string{"rpc.request", "rpc.async_request", "rpc.request of a job", "rpc.pre_execute of a job", "rpc.post_execute of a job", "rpc.pre_response of a job", "rpc.async_output"}
	if !slices.Equal(heard, want) {
		t.Errorf("heard %v\nwant  %v", heard, want)
	}
}

// R-C10: a result that is cached is posted all the same, and a job of a method
// with an idempotency key runs it once.
func TestCachedAndRepeated(t *testing.T) {
	r := receive(t, nil)
	ran := 0
	p := start(t, setup{async: async.Options{Webhooks: r.local()}},
		rpc.Method{Name: "cached", Func: func() int { ran++; return ran }, Cache: rpc.Cache{TTL: time.Hour, Shared: true}},
		rpc.Method{Name: "once", Func: func() int { ran++; return ran }, Idempotency: rpc.Idempotency{TTL: time.Hour}})
	p.post(`{"jsonrpc":"2.0","id":1,"method":"cached"}`)
	p.submit("cached", "{}", r.URL)
	if h := r.next(t); !strings.Contains(h.body, `"result":1`) {
		t.Errorf("cached: %s", h.body)
	}
	for range 2 {
		p.post(`{"jsonrpc":"2.0","id":1,"method":"once","params":{"$rpc":{"callback":"`+r.URL+`"}}}`, "Idempotency-Key", "k")
		if h := r.next(t); !strings.Contains(h.body, `"result":2`) {
			t.Errorf("once: %s", h.body)
		}
	}
}

// R-C10: a job is there for who started it; for anybody else it is as one that
// never was.
func TestJobsOfOthers(t *testing.T) {
	r := receive(t, nil)
	p := start(t, setup{async: async.Options{Webhooks: r.local()}}, rpc.Method{Name: "echo", Func: echo})
	outputs := p.outputs()
	id := p.submit("echo", `{"text":"hi"}`, r.URL)
	end(t, outputs)
	for _, method := range []string{"rpc.job.get", "rpc.job.cancel"} {
		ask := func(token, id string) string {
			return p.as(token, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{"id":"`+id+`"}}`)
		}
		if mine := ask("token-ann", id); !strings.Contains(mine, `"state":"done"`) {
			t.Errorf("%s: %s", method, mine)
		}
		none := ask("token-bob", "none")
		for _, unseen := range []string{id, id + ".fate", "../" + id, " " + id} {
			if others := ask("token-bob", unseen); others != none || !strings.Contains(none, "-32404") {
				t.Errorf("%s %s: %s and %s", method, unseen, others, none)
			}
		}
	}
}

// R-C10: a job that waits never runs, one that runs has its context cancelled,
// an answer is not posted again; of each nothing is posted.
func TestCancel(t *testing.T) {
	r := receive(t, nil)
	began := make(chan struct{}, 10)
	block := make(chan struct{})
	p := start(t, setup{async: async.Options{Webhooks: r.local(), Queue: async.NewMemory(async.MemoryOptions{Workers: 1})}},
		rpc.Method{Name: "wait", Func: func(ctx context.Context) error {
			began <- struct{}{}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-block:
				return nil
			}
		}})
	running := p.submit("wait", "{}", r.URL)
	<-began
	waiting := p.submit("wait", "{}", r.URL)
	if got := p.job(running).State; got != async.Running {
		t.Errorf("running: %s", got)
	}
	if got := p.job(waiting).State; got != async.Queued {
		t.Errorf("waiting: %s", got)
	}
	if got := p.ask("rpc.job.cancel", waiting).State; got != async.Cancelled {
		t.Errorf("waiting, cancelled: %s", got)
	}
	p.ask("rpc.job.cancel", running)
	p.ask("rpc.job.cancel", running)
	last := p.submit("wait", "{}", r.URL)
	<-began // of last: the other two have ended
	close(block)
	if h := r.next(t); h.header.Get("Webhook-Id") != last {
		t.Errorf("posted %s for %s", h.body, h.header.Get("Webhook-Id"))
	}
	for _, id := range []string{running, waiting} {
		if got := p.ask("rpc.job.cancel", id); got.State != async.Cancelled || got.Response != nil {
			t.Errorf("in the end: %+v", got)
		}
	}
	if len(began) != 0 || len(r.hooks) != 0 {
		t.Errorf("%d began, %d posted", len(began), len(r.hooks))
	}
}

// R-C09 R-E03: what goes wrong in a job is logged once, with what names it.
func TestLog(t *testing.T) {
	core, logs := observer.New(zap.InfoLevel)
	r := receive(t, hijack(""))
	w := r.local()
	w.Attempts = 1
	p := start(t, setup{async: async.Options{Webhooks: w}, rpc: rpc.Options{Logger: zap.New(core)}}, rpc.Method{Name: "echo", Func: echo})
	outputs := p.outputs()
	answer := p.post(`{"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":"panic","$rpc":{"callback":"` + r.URL + `/secret-path","rayId":"r1"}}}`)
	o := end(t, outputs)
	if !strings.Contains(answer, o.Deferred.Job) {
		t.Errorf("accepted %s, then %s", answer, o.Deferred.Job)
	}
	for _, entry := range logs.All() {
		if text := fmt.Sprint(entry); strings.Contains(text, "secret-path") {
			t.Errorf("the log has the callback: %s", text)
		}
	}
	for _, message := range []string{"call failed", "an answer was given up"} {
		found := logs.FilterMessage(message).FilterField(zap.String("job", o.Deferred.Job)).FilterField(zap.String("ray", "r1")).
			FilterField(zap.String("caller", "ann")).FilterField(zap.String("method", "echo"))
		if found.Len() != 1 || logs.FilterMessage(message).Len() != 1 {
			t.Errorf("%s: %v", message, logs.FilterMessage(message).All())
		}
	}
}

// One Jobs may be mounted on two routers of an executor, and no second one.
func TestMountedTwice(t *testing.T) {
	p := start(t, setup{}, rpc.Method{Name: "run", Func: func() {}})
	open := guard.Policy{Open: true}
	if err := guard.Mount(gin.New(), p.exec, open, rpchttp.Edge{}, p.jobs); err != nil {
		t.Error(err)
	}
	other, err := jobsFor(t, async.Webhooks{Hosts: []string{"*"}, Secrets: []string{secret}})
	if err != nil {
		t.Fatal(err)
	}
	if err := guard.Mount(gin.New(), p.exec, open, rpchttp.Edge{}, other); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("a second Jobs: %v", err)
	}
	if err := guard.Mount(gin.New(), p.exec, open, rpchttp.Edge{}, p.jobs, other); err == nil || !strings.Contains(err.Error(), "keep one") {
		t.Errorf("two Jobs: %v", err)
	}
}
