package rpchttp_test

import (
	"bytes"
	"net/http"
	"slices"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json/jsontext"
)

// F is cheap to call with anything.
type F struct{}

func (F) Echo(p text) string      { return p.Text }
func (F) Add(p pair) int          { return p.A + p.B }
func (F) Greet(p greeting) string { return p.Greeting + p.Name }
func (F) Place(p order) line      { return p.Line }
func (F) Lost() error             { return rpcerrors.NotFound.New("") }
func (F) Panics()                 { panic("boom") }

// Whatever the body, the status is one of the three of this edge, and the body
// is empty or JSON with a member for each request that wants an answer.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		``, ` `, `[]`, `{}`, `[1]`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","method":"F.lost"}`,
		`{"jsonrpc":"2.0","id":"\u0041","method":"F.echo","params":["x"]}`, `{"jsonrpc":"2.0","id":null,"method":"F.add","params":{"a":1,"b":2}}`,
		`[{"jsonrpc":"2.0","id":1,"method":"F.panics"},{"jsonrpc":"2.0","id":2,"method":"F.greet","params":{"name":"\ud83d\ude00"}},3]`,
		`[{"jsonrpc":"2.0","id":1,"method":"F.place","params":{"line":{"sku":"a","qty":1e2}}},{"jsonrpc":"2.0","method":"F.nothing"}]`,
		`{"jsonrpc":"2.0","id":1e400,"method":"F.add","params":[1.0,-0]}`, `[{"jsonrpc":"2.0","id":1,"method":"F.echo","params":{"$rpc":{"timeout":10},"text":""}}]`,
		`[{"jsonrpc":"2.0","id":1,"method":"F.place","params":[{"sku":"a","qty":1}]},{"jsonrpc":"2.0","id":"b","method":"F.echo","params":{"text":"@FROM:1(sku)"}},{"jsonrpc":"2.0","id":3,"method":"F.echo","params":["\u0040FROM:b()"]}]`,
		`[{"jsonrpc":"2.0","id":1,"method":"F.echo","params":["@FROM:2()"]},{"jsonrpc":"2.0","id":2,"method":"F.echo","params":["@FROM:1()"]},{"jsonrpc":"2.0","id":3,"method":"F.echo","params":["@@FROM:1("]}]`,
	} {
		f.Add([]byte(seed))
	}
	engine := gin.New()
	mount(f, engine, execute(f, rpc.Options{}, F{}), rpchttp.Edge{Batch: 5, MaxResponse: 2000, References: true}, guard.Policy{MaxBody: 1 << 16})
	f.Fuzz(func(t *testing.T, body []byte) {
		w := &recorder{header: http.Header{}}
		r, err := http.NewRequestWithContext(t.Context(), "POST", "http://localhost/rpc", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		engine.ServeHTTP(w, r)
		if w.status == http.StatusRequestEntityTooLarge && len(body) > 1<<16 {
			return
		}
		if !slices.Contains([]int{200, 204, 400}, w.status) || (w.status == 204) != (w.body.Len() == 0) {
			t.Fatalf("status %d, body %q", w.status, w.body.Bytes())
		}
		if w.status != 204 && !jsontext.Value(w.body.Bytes()).IsValid() {
			t.Fatalf("no JSON: %q", w.body.Bytes())
		}
		if w.body.Len() > 2000+5*1500 {
			t.Fatalf("%d bytes", w.body.Len())
		}
	})
}
