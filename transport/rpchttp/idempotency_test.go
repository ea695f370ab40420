package rpchttp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/cache"
	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
)

// case I11: the key of the header, and the mark of a replay.
func TestIdempotencyKey(t *testing.T) {
	pool, err := cache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	runs := 0
	pay := func(p text) (int, error) {
		runs++
		if p.Text == "bad" {
			return 0, rpcerrors.Logic.New("No.")
		}
		return runs, nil
	}
	exec := execute(t, rpc.Options{Records: pool}, rpc.Service{Name: "S", Methods: []rpc.Method{{Name: "pay", Func: pay, Idempotency: rpc.Idempotency{TTL: time.Hour}}}})
	engine := gin.New()
	mount(t, engine, exec, rpchttp.Edge{}, guard.Policy{})
	call := func(text, more string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"S.pay","params":{"text":"` + text + `"` + more + `}}`
	}
	for _, tt := range []struct{ name, key, body, want, replayed string }{
		{"first", "id-1", call("a", ""), `{"jsonrpc":"2.0","id":1,"result":1}`, ""},
		{"again", "id-1", call("a", ""), `{"jsonrpc":"2.0","id":1,"result":1}`, "true"},
		{"again, quoted", `"id-1"`, call("a", ""), `{"jsonrpc":"2.0","id":1,"result":1}`, "true"},
		{"again, in $rpc", "", call("a", `,"$rpc":{"idempotencyKey":"id-1"}`), `{"jsonrpc":"2.0","id":1,"result":1}`, "true"},
		{"another body", "id-1", call("b", ""), `{"jsonrpc":"2.0","id":1,"error":{"code":-32400,"message":"The idempotency key was used with other parameters.","data":{"exception":"IdempotencyConflict"}}}`, ""},
		{"an error", "id-2", call("bad", ""), `{"jsonrpc":"2.0","id":1,"error":{"code":-32400,"message":"No.","data":{"exception":"Logic"}}}`, ""},
		{"the error again", "id-2", call("bad", ""), `{"jsonrpc":"2.0","id":1,"error":{"code":-32400,"message":"No.","data":{"exception":"Logic"}}}`, "true"},
		{"no key", "", call("a", ""), `{"jsonrpc":"2.0","id":1,"result":3}`, ""},
		{"a batch has keys of its own", "", "[" + call("a", "") + "," + call("a", `,"$rpc":{"idempotencyKey":"id-1"}`) + "]", `[{"jsonrpc":"2.0","id":1,"result":4},{"jsonrpc":"2.0","id":1,"result":1}]`, ""},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "POST", "http://localhost/rpc", strings.NewReader(tt.body))
		if tt.key != "" {
			r.Header.Set("Idempotency-Key", tt.key)
		}
		w := httptest.NewRecorder()
		engine.ServeHTTP(w, r)
		if w.Code != http.StatusOK || w.Body.String() != tt.want || w.Header().Get("Idempotency-Replayed") != tt.replayed {
			t.Errorf("%s: got %d %s, replayed %q; want %s", tt.name, w.Code, w.Body, w.Header().Get("Idempotency-Replayed"), tt.want)
		}
	}
}

// A header that protects nothing is refused, and nothing runs.
func TestIdempotencyHeaderWithoutEffect(t *testing.T) {
	s := newStack(t, rpchttp.Edge{}, guard.Policy{})
	ran := 0
	events.On(s.bus, func(context.Context, rpc.PreExecute) error { ran++; return nil })
	one := `{"jsonrpc":"2.0","id":1,"method":"T.ping"}`
	for _, tt := range []struct {
		name, body string
		keys       []string
	}{
		{"twice", one, []string{"a", "b"}}, {"empty", one, []string{""}}, {"empty quotes", one, []string{`""`}}, {"batch", "[" + one + "]", []string{"a"}},
	} {
		r, err := http.NewRequestWithContext(t.Context(), "POST", s.http.URL+"/rpc", strings.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header["Idempotency-Key"] = tt.keys
		if got := s.do(r); got.status != http.StatusBadRequest || !strings.Contains(got.body, `"code":-32600`) {
			t.Errorf("%s: got %d %s", tt.name, got.status, got.body)
		}
	}
	if ran != 0 {
		t.Errorf("%d calls ran", ran)
	}
}
