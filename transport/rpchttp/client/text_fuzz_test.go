package client_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/facet-rpc/facet/transport/rpchttp/client"
	"github.com/gin-gonic/gin"
)

// Echo gives back what it gets.
type Echo struct{}

// Text gives back a text.
func (Echo) Text(p struct {
	Text string `json:"text"`
}) string {
	return p.Text
}

// served is a client transport that needs no socket.
type served struct{ http.Handler }

func (s served) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result(), nil
}

// Whatever text a person writes, a server with references gets that text, and
// a reference beside it gets the answer.
func FuzzTextInBatch(f *testing.F) { // R-C08
	registry, err := rpc.NewRegistry(rpc.App{Name: "echo", Version: "1.0.0"}, Echo{})
	if err != nil {
		f.Fatal(err)
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = exec.Shutdown(context.Background()) }) // nothing runs any more
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	if err := guard.Mount(engine, exec, guard.Policy{Open: true}, rpchttp.Edge{References: true}); err != nil {
		f.Fatal(err)
	}
	c := client.New("http://localhost/rpc", client.Options{HTTPClient: &http.Client{Transport: served{engine}}, References: true})
	for _, seed := range []string{"", "@FROM:1()", "@@FROM:1()", "@@@FROM:", "@FROM", "@", "FROM:1()", `\u0040FROM:1()`, `"@FROM:1()`, "@FROM:\u20281()", "<@FROM:>", "\x00@FROM:"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError) {
			return // JSON has no such text
		}
		b := c.Batch()
		named := client.Add[string](b, "Echo.text", map[string]string{"text": text})
		listed := client.Add[string](b, "Echo.text", []string{text})
		again := client.Add[string](b, "Echo.text", []any{named.Ref()})
		if err := b.Send(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, call := range []*client.Pending[string]{named, listed, again} {
			if got, err := call.Result(); err != nil || got != text {
				t.Errorf("got %q, %v, want %q", got, err, text)
			}
		}
	})
}
