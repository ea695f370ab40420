package guard_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/gin-gonic/gin"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// edge is a protocol of one route, for tests.
type edge struct {
	route guard.Route
	err   error
	serve guard.Handler // nil: ok
}

func (e edge) Routes(*guard.Site) ([]guard.Route, error) {
	r := e.route
	if e.err == nil && r.Handler == nil {
		r.Handler = func(d *guard.Door) guard.Handler {
			if e.serve != nil {
				return e.serve
			}
			return func(w http.ResponseWriter, _ *http.Request, v *guard.Visit) {
				w.Header().Set("Served-By", d.Name())
				w.Header().Set("Served-To", v.Caller.ID)
				guard.Answer(w, http.StatusOK, []byte(`"ok"`))
			}
		}
	}
	return []guard.Route{r}, e.err
}

// calls is like /rpc, pages like /openrpc, sessions like /mcp, ui like /openrpc/ui.
var (
	calls = edge{route: guard.Route{Edge: "rpc", Path: "/rpc", Group: rpc.DefaultGroup,
		Methods: []string{http.MethodPost}, Types: []string{"application/json", "application/json-rpc"}}}
	pages = edge{route: guard.Route{Edge: "openrpc", Path: "/openrpc", Group: rpc.DefaultGroup,
		Methods: []string{http.MethodGet}}}
	sessions = edge{route: guard.Route{Edge: "mcp", Path: "/mcp", Group: "internal",
		Methods: []string{http.MethodPost, http.MethodDelete}, Types: []string{"application/json"}}}
	ui = edge{route: guard.Route{Edge: "openrpc", Path: "/openrpc/ui", Document: true, Group: rpc.DefaultGroup,
		Methods: []string{http.MethodGet}, Public: true}}
)

// echo is calls whose handler echoes what Body read.
var echo = edge{route: calls.route, serve: func(w http.ResponseWriter, r *http.Request, v *guard.Visit) {
	if body, ok := v.Body(w, r); ok {
		guard.Answer(w, http.StatusOK, body)
	}
}}

func add(struct {
	A int `json:"a"`
}) int {
	return 0
}

// executor serves Math.add in the groups default and internal, version 1, and
// Math.old and Math.late, which give them the versions 2 and 4.
func executor(t testing.TB) *rpc.Executor {
	t.Helper()
	return executorWith(t, nil)
}

func executorWith(t testing.TB, log *zap.Logger) *rpc.Executor {
	t.Helper()
	return executorOf(t, rpc.App{Name: "test", Version: "1.0.0"}, log)
}

func executorOf(t testing.TB, app rpc.App, log *zap.Logger) *rpc.Executor {
	t.Helper()
	groups := []string{rpc.DefaultGroup, "internal"}
	registry, err := rpc.NewRegistry(app, rpc.Service{
		Name: "Math", Groups: groups, Methods: []rpc.Method{
			{Name: "add", Func: add},
			{Name: "old", Func: add, Until: 1},
			{Name: "late", Func: add, Since: 4},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	watch := rpctest.WatchSecrets(t, "all-secret", "default-secret", "planted").Core() // of twoTokens, and others
	if log == nil {
		log = zap.NewNop()
	}
	log = log.WithOptions(zap.WrapCore(func(c zapcore.Core) zapcore.Core { return zapcore.NewTee(c, watch) }))
	exec, err := rpc.NewExecutor(registry, rpc.Options{Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	return exec
}

// twoTokens is a policy with a caller of everything and one of the default group.
func twoTokens() guard.Policy {
	return guard.Policy{Tokens: []guard.Token{
		{Secret: "all-secret", Caller: rpc.Caller{ID: "all", Groups: []string{rpc.AnyGroup}}},
		{Secret: "default-secret", Caller: rpc.Caller{ID: "default"}},
	}}
}

// mounted is an engine with the edges.
func mounted(t testing.TB, policy guard.Policy, edges ...guard.Edge) *gin.Engine {
	t.Helper()
	engine := gin.New()
	if err := guard.Mount(engine, executor(t), policy, edges...); err != nil {
		t.Fatal(err)
	}
	return engine
}

// request has headers given as "Name: value".
func request(method, path, body string, headers ...string) *http.Request {
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, path, in)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			r.Host = value
		} else {
			r.Header.Add(name, value)
		}
	}
	return r
}

// onLoopback is r as it comes in at 127.0.0.1.
func onLoopback(r *http.Request) *http.Request {
	addr := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
	return r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(addr)))
}

func serve(engine http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	engine.ServeHTTP(w, r)
	return w
}

func TestMain(m *testing.M) {
	gin.SetMode(gin.TestMode)
	m.Run()
}

func contains(w *httptest.ResponseRecorder, text string) bool {
	return strings.Contains(w.Body.String(), text)
}
