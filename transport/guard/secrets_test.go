package guard_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
)

// R-S01, R-E03: secrets in every header and parameter, in dev, on every way a
// request can fail: none is in a log entry or an answer.
func TestSecretsStaySecret(t *testing.T) {
	registry, err := rpc.NewRegistry(rpc.App{Name: "test", Version: "1.0.0"}, rpc.Service{Name: "S", Methods: []rpc.Method{
		{Name: "fail", Func: func(struct {
			Password string `json:"password"`
			Token    string `json:"token"`
		}) error {
			return fmt.Errorf("down")
		}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	core, logs := observer.New(zap.DebugLevel)
	exec, err := rpc.NewExecutor(registry, rpc.Options{Env: rpc.Dev, Logger: zap.New(core)})
	if err != nil {
		t.Fatal(err)
	}
	policy := guard.Policy{MaxBody: 500, Gzip: true, Tokens: []guard.Token{{Secret: "planted-token"}}}
	engine := gin.New()
	if err := guard.Mount(engine, exec, policy, rpchttp.Edge{}); err != nil {
		t.Fatal(err)
	}
	const good = "RPC-Token: planted-token"
	for i, c := range []struct {
		method, path, body string
		headers            []string
		status             int
	}{
		{"POST", "/rpc", `{"jsonrpc":"2.0","id":1,"method":"S.fail","params":{"password":"planted-p","token":"planted-t"}}`, []string{good}, 200},
		{"POST", "/rpc", `{"jsonrpc":"2.0","id":1,"method":"S.fail","params":{"password":"planted-p","token":7,"secret":"planted-s"}}`, []string{good}, 200},
		{"POST", "/rpc", `[{"jsonrpc":"2.0","id":1,"method":"S.fail","params":["planted-p","planted-t"]},{"jsonrpc":"2.0","id":1,"method":"S.no","params":["planted"]}]`, []string{good}, 200},
		{"POST", "/rpc", `{"jsonrpc":"2.0","id":1,"method":"S.fail","params":{"password":"planted-p"}`, []string{good}, 400},
		{"POST", "/rpc", `{"jsonrpc":"2.0","id":1,"method":"S.fail","params":{"password":"planted-p","token":"t"}}`,
			[]string{good, "Idempotency-Key: planted-key"}, 200},
		{"POST", "/rpc", `{"password":"planted-p"}`, []string{"Authorization: Bearer planted-wrong"}, 403},
		{"POST", "/rpc", `{"password":"planted-p"}`, []string{"Authorization: Basic planted-wrong"}, 401},
		{"POST", "/rpc", `{}`, []string{good, "Authorization: Bearer planted-other"}, 403},
		{"POST", "/rpc", `{}`, []string{good, "Origin: https://planted.example"}, 403},
		{"POST", "/rpc", `planted-body`, []string{good, "Content-Type: planted/type"}, 415},
		{"POST", "/rpc", `planted-body`, []string{good, "Content-Encoding: gzip"}, 400},
		{"POST", "/rpc", `planted-body`, []string{good, "Content-Encoding: planted"}, 415},
		{"POST", "/rpc", strings.Repeat(`planted-body`, 100), []string{good}, 413},
		{"POST", "/rpc/planted", `{}`, []string{good}, 404},
		{"PUT", "/rpc?token=planted", `{}`, []string{good, "Cookie: planted=planted"}, 405},
	} {
		w := serve(engine, request(c.method, c.path, c.body, c.headers...))
		if w.Code != c.status {
			t.Errorf("%d: status %d, want %d", i, w.Code, c.status)
		}
		if s := fmt.Sprint(w.Header(), w.Body); strings.Contains(strings.ReplaceAll(s, "https://planted.example", ""), "planted") {
			t.Errorf("%d: the answer tells a secret: %s", i, s)
		}
	}
	encoder := zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig())
	entries := logs.TakeAll()
	for _, e := range entries {
		line, err := encoder.EncodeEntry(e.Entry, e.Context)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(line.String(), "planted") {
			t.Errorf("logged: %s", line)
		}
	}
	if len(entries) < 5 {
		t.Errorf("only %d log entries", len(entries))
	}
}
