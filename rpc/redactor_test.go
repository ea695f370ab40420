package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// traced is an error with more to say for %+v.
type traced struct{ text string }

func (e traced) Error() string              { return "traced" }
func (e traced) Format(s fmt.State, _ rune) { fmt.Fprint(s, e.text) }
func (e traced) String() string             { return e.text }
func failing(err error) func(login) error   { return func(login) error { return err } }
func panicsWith(v any) func(login) error    { return func(login) error { panic(v) } }
func wrapped(text string) func(login) error {
	return failing(fmt.Errorf("outer: %w", errors.New(text)))
}
func declaredBy(text string) func(login) error {
	return failing(rpcerrors.Unavailable.Wrap(errors.New(text), "Down."))
}

// R-E03: whatever an error or a panic of a method repeats, no secret of its
// parameters, headers, URLs and webhooks gets into a log or a trace.
func TestSecretsInErrors(t *testing.T) {
	const secret = "hunter2-planted"
	texts := map[string]string{
		"dial redis://app:hunter2-planted@redis.example:6379/0: refused": "dial redis://[redacted]@redis.example:6379/0: refused",
		"rediss://:hunter2-planted@[::1]:6379":                           "rediss://[redacted]@[::1]:6379",
		"sent Authorization: Bearer hunter2-planted to it":               "sent Authorization: Bearer [redacted] to it",
		"sent authorization: basic hunter2-planted":                      "sent authorization: basic [redacted]",
		"Bearer hunter2-planted was refused":                             "Bearer [redacted] was refused",
		"RPC-Token: hunter2-planted":                                     "RPC-Token: [redacted]",
		"Cookie: hunter2-planted; a=1":                                   "Cookie: [redacted]; a=1",
		"GET /?access_token=hunter2-planted&page=2: 500":                 "GET /?access_token=[redacted]&page=2: 500",
		"host=db password=hunter2-planted sslmode=off":                   "host=db password=[redacted] sslmode=off",
		`answered {"client-secret":"hunter2-planted","id":1}`:            `answered {"client-secret":"[redacted]","id":1}`,
		`answered "{\"api_key\": \"hunter2-planted\",\"id\":1}"`:         `answered "{\"api_key\": \"[redacted]\",\"id\":1}"`,
		`PIN="hunter2-planted"`:                                          `PIN="[redacted]"`,
		"shipping=express&p-i-n=hunter2-planted":                         "shipping=express&p-i-n=[redacted]", // a name of Redact is a whole one
		"signed with whsec_hunter2-planted==":                            "signed with [redacted]",
		"ann hunter2-planted: no such user":                              "ann [redacted]: no such user", // the parameter itself
		"the token: is required; tokens = 3":                             "the token: is required; tokens = 3",
		"a basic search for tokenizers at https://shop.example/a@b":      "a basic search for tokenizers at https://shop.example/a@b",
	}
	for text, want := range texts {
		for name, method := range map[string]func(login) error{
			"wrapped": wrapped(text), "declared": declaredBy(text), "panic": panicsWith(text), "panic with an error": panicsWith(errors.New(text)), "formatted": failing(traced{text}),
		} {
			core, logs := observer.New(zap.DebugLevel)
			x := executorOf(t, rpc.Options{Env: rpc.Dev, Logger: zap.New(core), Redact: []string{"pin"}}, method)
			_, failure := x.Do(t.Context(), callOf(x, `{"user":"ann","password":"hunter2-planted","pin":12345}`))
			if answer := string(failure.AppendJSON(nil)); strings.Contains(answer, secret) {
				t.Errorf("%s, %s: the answer tells it: %s", name, text, answer)
			}
			entries := logs.TakeAll()
			if len(entries) != 1 {
				t.Fatalf("logged %d times", len(entries))
			}
			if line := fmt.Sprintf("%+v", entries[0].ContextMap()); strings.Contains(line, secret) {
				t.Errorf("%s, %s: the log tells it: %s", name, text, line)
			} else if !strings.Contains(line, want) {
				t.Errorf("%s: the log has %s, want %q", name, line, want)
			}
		}
	}
}

// R-E03: the same holds for what the framework logs besides, in prod and with
// fields that a logger was given before, and nothing else changes.
func TestSecretsInLogs(t *testing.T) {
	core, logs := observer.New(zap.InfoLevel)
	bus := new(events.Bus)
	x := executorOf(t, rpc.Options{Logger: zap.New(core), Events: bus}, wrapped("x"))
	events.On(bus, func(context.Context, rpc.Failed) error { return errors.New("to amqp://u:hunter2@mq.example") })
	_, _ = x.Do(t.Context(), callOf(x, `{"user":"ann","password":"x","pin":12345}`))
	log := x.Logger().With(zap.String("dsn", "postgres://u:hunter2@db.example/x"))
	log.Debug("below the level, password=hunter2")
	log.Info("token=hunter2", zap.ByteString("raw", []byte("Bearer hunter2hunter2")), zap.Any("value", traced{"secret=hunter2"}), zap.Any("list", []string{"key=1"}), zap.Int("n", 7), zap.Error(errors.New("plain")))
	entries := logs.All()
	if len(entries) != 3 {
		t.Fatalf("logged %d times", len(entries))
	}
	for _, e := range entries {
		if line := fmt.Sprintf("%s %+v", e.Message, e.ContextMap()); strings.Contains(line, "hunter2") {
			t.Errorf("logged %s", line)
		}
	}
	got := entries[2].ContextMap()
	if got["n"] != int64(7) || got["error"] != "plain" || fmt.Sprint(got["list"]) != "[key=1]" || got["dsn"] != "postgres://[redacted]@db.example/x" {
		t.Errorf("logged %v", got)
	}
}

// A watch tells a secret wherever it comes out.
func TestWatchSecrets(t *testing.T) {
	watch := rpctest.WatchSecrets(t, "hunter2")
	x := executorOf(t, rpc.Options{Env: rpc.Dev, Logger: watch.Logger()}, wrapped("password=hunter2"))
	_, failure := x.Do(t.Context(), callOf(x, `{"user":"ann","password":"hunter2","pin":12345}`))
	watch.Check("the answer", string(failure.AppendJSON(nil)))
}

func executorOf(t *testing.T, o rpc.Options, method func(login) error) *rpc.Executor {
	t.Helper()
	registry, err := rpc.NewRegistry(rpc.App{Name: "test", Version: "1.0.0"}, rpc.Service{Name: "S", Methods: []rpc.Method{{Name: "login", Func: method}}})
	if err != nil {
		t.Fatal(err)
	}
	x, err := rpc.NewExecutor(registry, o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func callOf(x *rpc.Executor, params string) *rpc.Call {
	return &rpc.Call{Endpoint: x.Registry().Endpoint(rpc.DefaultGroup, 1), Method: "S.login", Params: []byte(params), Caller: &rpc.Caller{}, Language: "en"}
}
