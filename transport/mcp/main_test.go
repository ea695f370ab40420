package mcp_test

import (
	"context"
	"flag"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/lock"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "write the transcripts in testdata anew")

func TestMain(m *testing.M) {
	gin.SetMode(gin.ReleaseMode)
	goleak.VerifyTestMain(m)
}

// program is a mounted program: /rpc and /mcp over the same methods.
type program struct {
	http.Handler
	exec *rpc.Executor
	bus  *events.Bus
}

// setup says what a program is made of; the zero setup serves the depot,
// openly, with an mcp.Edge as it is.
type setup struct {
	edge     mcp.Edge
	policy   guard.Policy
	options  rpc.Options
	app      rpc.App
	services []any
	more     []guard.Edge
}

func mount(t testing.TB, s setup) *program {
	t.Helper()
	if s.app.Name == "" {
		s.app = rpc.App{
			Name: "depot", Title: "Depot", Version: "1.2.3", Description: "Keeps goods.",
			Website: "https://depot.example",
		}
	}
	if s.services == nil {
		s.services = []any{&Depot{}}
	}
	registry, err := rpc.NewRegistry(s.app, s.services...)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := cache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	if s.options.Events == nil {
		s.options.Events = new(events.Bus)
	}
	s.options.Store, s.options.Locker = pool, new(lock.Local)
	if s.options.Records == nil {
		s.options.Records = pool
	}
	watch := rpctest.WatchSecrets(t, "planted-cookie")
	if s.options.Logger == nil {
		s.options.Logger = watch.Logger()
	}
	exec, err := rpc.NewExecutor(registry, s.options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := exec.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if s.policy.Tokens == nil && s.policy.Verifier == nil {
		s.policy.Open = true
	}
	engine := gin.New()
	edges := append([]guard.Edge{rpchttp.Edge{Group: "mcp"}, s.edge}, s.more...)
	if err := guard.Mount(engine, exec, s.policy, edges...); err != nil {
		t.Fatal(err)
	}
	handler := watch.Handler(engine)
	if _, measured := t.(*testing.B); measured {
		handler = engine // without what the watch costs
	}
	return &program{handler, exec, s.options.Events}
}

func mountOn(exec *rpc.Executor, edge mcp.Edge) error {
	return guard.Mount(gin.New(), exec, guard.Policy{Open: true}, edge)
}

// post sends a body to /mcp. headers are lines such as "Mcp-Name: x"; Accept
// and Content-Type are as clients send them, unless a line says otherwise.
func (p *program) post(body string, headers ...string) *httptest.ResponseRecorder {
	return p.postTo("/mcp", body, headers...)
}

func (p *program) postTo(path, body string, headers ...string) *httptest.ResponseRecorder {
	return p.send(context.Background(), path, body, headers...)
}

func (p *program) postIn(ctx context.Context, body string, headers ...string) *httptest.ResponseRecorder {
	return p.send(ctx, "/mcp", body, headers...)
}

func (p *program) send(ctx context.Context, path, body string, headers ...string) *httptest.ResponseRecorder {
	return p.request(ctx, http.MethodPost, path, body, headers...)
}

func (p *program) request(ctx context.Context, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	p.requestTo(ctx, w, method, path, body, headers...)
	return w
}

func (p *program) requestTo(ctx context.Context, w http.ResponseWriter, method, path, body string, headers ...string) {
	r := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Cookie", "session=planted-cookie")
	set := map[string]bool{}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ":")
		name = http.CanonicalHeaderKey(name)
		if !set[name] {
			r.Header.Del(name)
			set[name] = true
		}
		if value != "" {
			r.Header.Add(name, strings.TrimSpace(value))
		}
	}
	p.ServeHTTP(w, r)
}

const (
	metaVersion = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`
	metaCaps    = `"io.modelcontextprotocol/clientCapabilities":{}`
	meta        = `"_meta":{` + metaVersion + `,` + metaCaps + `}`
)

// modern is a complete request of 2026-07-28: its body and its headers. rest
// is more of params, such as `"name":"x"`.
func modern(method, rest string, headers ...string) (string, []string) {
	params := meta
	if rest != "" {
		params += "," + rest
	}
	body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + `}}`
	return body, append([]string{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: " + method}, headers...)
}

// call is tools/call in the era of 2026-07-28.
func (p *program) call(name, arguments string) *httptest.ResponseRecorder {
	body, headers := modern("tools/call", `"name":"`+name+`","arguments":`+arguments, "Mcp-Name: "+name)
	return p.post(body, headers...)
}

// legacyCall is tools/call in the session era, in a session of its own.
func (p *program) legacyCall(version, name, arguments string) *httptest.ResponseRecorder {
	return p.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+`","arguments":`+arguments+`}}`,
		p.begin(version)...)
}

// begin starts a session and returns the headers of a request in it. more are
// the headers of initialize.
func (p *program) begin(version string, more ...string) []string {
	return p.beginAt("/mcp", version, more...)
}

func (p *program) beginAt(path, version string, more ...string) []string {
	w := p.postTo(path, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"`+version+`","capabilities":{}}}`, more...)
	return append(slices.Clone(more), "MCP-Protocol-Version: "+version, "Mcp-Session-Id: "+w.Header().Get("Mcp-Session-Id"))
}

// standsAlone is a program without sessions: each request of the session era
// stands alone.
var standsAlone = setup{edge: mcp.Edge{SessionTTL: -1}}
