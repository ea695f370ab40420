package rpc_test

import (
	"context"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

type login struct {
	User     string `json:"user"`
	Password string `json:"password"`
	Pin      int    `json:"pin"`
	Deep     struct {
		Token string `json:"access_token"`
	} `json:"deep,omitzero"`
}

// R-E03: in dev the parameters of a failed call are in the log, but no secret,
// wherever it stands and whatever is wrong with it.
func TestRedact(t *testing.T) {
	registry, err := rpc.NewRegistry(rpc.App{Name: "test", Version: "1.0.0"}, rpc.Service{Name: "S", Methods: []rpc.Method{
		{Name: "login", Func: func(login) error { panic("no") }},
	}})
	if err != nil {
		t.Fatal(err)
	}
	core, logs := observer.New(zap.DebugLevel)
	x, err := rpc.NewExecutor(registry, rpc.Options{Env: rpc.Dev, Logger: zap.New(core), Redact: []string{"pin"}})
	if err != nil {
		t.Fatal(err)
	}
	const gone = `"[redacted]"`
	for _, c := range []struct{ method, params, want string }{
		{"S.login", `{"user":"ann","password":"hunter2","pin":70077}`, `{"user":"ann","password":` + gone + `,"pin":` + gone + `}`},
		{"S.login", `{"user":"ann","password":{"a":["hunter2"]},"pin":"70077"}`, `{"user":"ann","password":` + gone + `,"pin":` + gone + `}`},
		{"S.login", `{"user":1,"deep":{"access_token":"hunter2"},"list":[{"API-Key":"hunter2"},[1]],"clientSecret":"hunter2"}`,
			`{"user":1,"deep":{"access_token":` + gone + `},"list":[{"API-Key":` + gone + `},[1]],"clientSecret":` + gone + `}`},
		{"S.login", `{"pass\u0077ord":"hunter2","password":"hunter2"}`, `{"password":` + gone + `,"password":` + gone + `}`},
		{"S.login", `["ann","hunter2",70077]`, `["ann",` + gone + `,` + gone + `]`},
		{"S.login", `["ann","x",1,{},"hunter2"]`, `["ann",` + gone + `,` + gone + `,{},` + gone + `]`},
		{"S.missing", `["hunter2"]`, `[` + gone + `]`},
		{"S.missing", `{"a":[],"token":"hunter2"}`, `{"a":[],"token":` + gone + `}`},
		{"S.login", `{"$rpc":{"idempotencyKey":"hunter2","callback":"https://hooks.example/hunter2","rayId":"r"},"callback":"c"}`, `{"$rpc":{"idempotencyKey":` + gone + `,"callback":` + gone + `,"rayId":"r"},"callback":"c"}`},
		{"S.login", ``, ``},
		{"S.login", `{"password":"` + strings.Repeat("hunter2", 1000) + `","user":1}`, `{"password":` + gone + `,"user":1}`},
	} {
		logs.TakeAll()
		_, failure := x.Do(context.Background(), &rpc.Call{
			Endpoint: registry.Endpoint(rpc.DefaultGroup, 1), Method: c.method, Params: []byte(c.params), Caller: &rpc.Caller{}, Language: "en",
		})
		entries := logs.TakeAll()
		if failure == nil || len(entries) != 1 {
			t.Fatalf("%.80s: %v, logged %d times", c.params, failure, len(entries))
		}
		fields := entries[0].ContextMap()
		if fields["params"] != c.want {
			t.Errorf("logged %v, want %s", fields["params"], c.want)
		}
		for name, value := range fields {
			if s, ok := value.(string); ok && (strings.Contains(s, "hunter2") || strings.Contains(s, "70077")) {
				t.Errorf("%.80s: the field %s tells a secret: %s", c.params, name, s)
			}
		}
		if strings.Contains(failure.Error(), "hunter2") {
			t.Errorf("the answer tells a secret: %s", failure)
		}
	}
}
