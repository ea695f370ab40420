package async_test

import (
	"bytes"
	"context"
	"flag"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/lock"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/async"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json"
	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "write the tables of the pages")

func TestMain(m *testing.M) {
	gin.SetMode(gin.ReleaseMode)
	goleak.VerifyTestMain(m)
}

// secret signs the webhooks of the tests.
const secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"

// program is a whole program: /rpc for two callers, and its jobs.
type program struct {
	tb     testing.TB
	jobs   *async.Jobs
	exec   *rpc.Executor
	engine *gin.Engine
	bus    *events.Bus
	watch  *rpctest.Secrets
}

// setup is what a test wants to be otherwise.
type setup struct {
	async async.Options
	rpc   rpc.Options
	rest  func(*async.Jobs) // before the program starts
}

// start starts a program with the methods, bare. It ends with the test.
func start(tb testing.TB, s setup, methods ...rpc.Method) *program {
	tb.Helper()
	registry, err := rpc.NewRegistry(rpc.App{Name: "test", Version: "1"}, rpc.Service{Bare: true, Methods: methods})
	if err != nil {
		tb.Fatal(err)
	}
	pool, err := cache.NewMemory(8 << 20)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(pool.Close)
	p := &program{tb: tb, engine: gin.New(), bus: new(events.Bus)}
	watch := rpctest.WatchSecrets(tb, strings.TrimPrefix(secret, "whsec_"), "token-ann", "token-bob")
	if s.rpc.Logger == nil {
		s.rpc.Logger = watch.Logger()
	}
	p.watch = watch
	s.rpc.Store, s.rpc.Records, s.rpc.Locker, s.rpc.Events = pool, pool, new(lock.Local), p.bus
	if p.exec, err = rpc.NewExecutor(registry, s.rpc); err != nil {
		tb.Fatal(err)
	}
	if s.async.Records == nil {
		s.async.Records = pool
	}
	if s.async.Webhooks.Secrets == nil && s.async.Webhooks.SecretsOf == nil {
		s.async.Webhooks.Secrets = []string{secret}
	}
	if s.async.Webhooks.Hosts == nil {
		s.async.Webhooks.Hosts = []string{"*"}
	}
	if p.jobs, err = async.New(s.async); err != nil {
		tb.Fatal(err)
	}
	if s.rest != nil {
		s.rest(p.jobs)
	}
	policy := guard.Policy{Tokens: []guard.Token{
		{Secret: "token-ann", Caller: rpc.Caller{ID: "ann"}}, {Secret: "token-bob", Caller: rpc.Caller{ID: "bob"}},
	}}
	if err := guard.Mount(p.engine, p.exec, policy, rpchttp.Edge{}, p.jobs); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(p.stop)
	return p
}

// stop ends the program, and what is left of it after a second.
func (p *program) stop() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.tb.Context()), time.Second)
	defer cancel()
	_ = p.exec.Shutdown(ctx)
}

// as sends a body to /rpc.
func (p *program) as(token, body string, header ...string) string {
	p.tb.Helper()
	r := httptest.NewRequest(http.MethodPost, "http://localhost/rpc", strings.NewReader(body))
	r.Header.Set("RPC-Token", token)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	p.engine.ServeHTTP(w, r)
	p.watch.Check("an answer", w.Body.String())
	return w.Body.String()
}

func (p *program) post(body string, header ...string) string {
	p.tb.Helper()
	return p.as("token-ann", body, header...)
}

// submit calls a method with a callback and returns the job's id.
func (p *program) submit(method, params, callback string) string {
	p.tb.Helper()
	params = strings.TrimSuffix(params, "}")
	if params != "{" {
		params += ","
	}
	answer := p.post(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `"$rpc":{"callback":"` + callback + `"}}}`)
	var a struct {
		Result struct {
			Async bool   `json:"async"`
			JobID string `json:"jobId"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(answer), &a); err != nil || !a.Result.Async || a.Result.JobID == "" {
		p.tb.Fatalf("%s was not accepted: %s", method, answer)
	}
	return a.Result.JobID
}

// job asks for a job.
func (p *program) job(id string) async.Job {
	p.tb.Helper()
	return p.ask("rpc.job.get", id)
}

func (p *program) ask(method, id string) async.Job {
	p.tb.Helper()
	answer := p.post(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"id":"` + id + `"}}`)
	var a struct {
		Result async.Job `json:"result"`
	}
	if err := json.Unmarshal([]byte(answer), &a); err != nil || a.Result.ID != id {
		p.tb.Fatalf("%s: %s, %v", method, answer, err)
	}
	return a.Result
}

// hook is what a receiver got.
type hook struct {
	header http.Header
	body   string
}

// receiver is a server on loopback that keeps what it gets.
type receiver struct {
	*httptest.Server
	hooks chan hook
	conns sync.Map // open connections
}

// receive starts a receiver; answer may be nil: 204.
func receive(tb testing.TB, answer http.HandlerFunc) *receiver {
	tb.Helper()
	r := &receiver{hooks: make(chan hook, 1000)}
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r.hooks <- hook{req.Header.Clone(), string(body)}
		if answer == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		answer(w, req)
	}))
	r.Config.ConnState = func(c net.Conn, s http.ConnState) {
		switch s {
		case http.StateNew:
			r.conns.Store(c, true)
		case http.StateClosed, http.StateHijacked:
			r.conns.Delete(c)
		}
	}
	r.Start()
	tb.Cleanup(r.Close)
	return r
}

// local are webhooks to a receiver on this machine.
func (r *receiver) local() async.Webhooks {
	return async.Webhooks{Hosts: []string{strings.TrimPrefix(r.URL, "http://")}, Secrets: []string{secret}, Plain: true, Private: true}
}

func (r *receiver) next(tb testing.TB) hook {
	tb.Helper()
	select {
	case h := <-r.hooks:
		return h
	case <-time.After(10 * time.Second):
		tb.Fatal("no webhook came")
		return hook{}
	}
}

// outputs hears rpc.async_output.
func (p *program) outputs() <-chan rpc.AsyncOutput {
	out := make(chan rpc.AsyncOutput, 1000)
	events.On(p.bus, func(_ context.Context, e rpc.AsyncOutput) error { out <- e; return nil })
	return out
}

// end waits for the next rpc.async_output.
func end(tb testing.TB, outputs <-chan rpc.AsyncOutput) rpc.AsyncOutput {
	tb.Helper()
	select {
	case o := <-outputs:
		return o
	case <-time.After(10 * time.Second):
		tb.Fatal("no rpc.async_output came")
		return rpc.AsyncOutput{}
	}
}
