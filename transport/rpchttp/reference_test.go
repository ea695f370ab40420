package rpchttp_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// R refers.
type R struct{ both chan struct{} }

type anything struct {
	V any `json:"v"`
}

type two struct {
	A int `json:"a"`
	B int `json:"b,omitzero"`
}

// Echo takes anything back.
func (R) Echo(p anything) any { return p.V }

// Say takes text only.
func (R) Say(p text) string { return p.Text }

// Add takes numbers only.
func (R) Add(p two) int { return p.A + p.B }

// Missing fails.
func (R) Missing() error { return rpcerrors.NotFound.New("No such thing.") }

// Nothing has no result.
func (R) Nothing() {}

// Pair returns when two of it run.
func (r R) Pair(ctx context.Context) (int, error) {
	select {
	case r.both <- struct{}{}:
	case <-r.both:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	return 1, nil
}

// members makes a batch; each is `id method params`.
func members(calls ...string) string {
	for i, c := range calls {
		part := strings.SplitN(c, " ", 3)
		calls[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"R.%s","params":%s}`, part[0], part[1], part[2])
	}
	return "[" + strings.Join(calls, ",") + "]"
}

// referring serves R under edge.
func referring(t *testing.T, edge rpchttp.Edge) *stack {
	t.Helper()
	s := &stack{t: t, engine: gin.New(), exec: execute(t, rpc.Options{}, R{both: make(chan struct{})})}
	mount(t, s.engine, s.exec, edge, guard.Policy{})
	s.http = httptest.NewServer(s.engine)
	t.Cleanup(s.http.Close)
	return s
}

// told is what the members of a batch are answered: id=result, or id!code and
// the message, or the first violation.
func told(t *testing.T, body string) string {
	t.Helper()
	var members []struct {
		ID     jsontext.Value `json:"id"`
		Result jsontext.Value `json:"result"`
		Error  *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
			Data    struct {
				Violations []struct {
					Pointer string `json:"pointer"`
					Rule    string `json:"rule"`
				} `json:"violations"`
			} `json:"data"`
		} `json:"error"`
	}
	if err := json.Unmarshal([]byte(body), &members); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	var all []string
	for _, m := range members {
		id := strings.Trim(string(m.ID), `"`)
		switch {
		case m.Error == nil:
			all = append(all, id+"="+strings.Trim(string(m.Result), `"`))
		case len(m.Error.Data.Violations) > 0:
			v := m.Error.Data.Violations[0]
			all = append(all, fmt.Sprintf("%s!%d %s %s", id, m.Error.Code, v.Pointer, v.Rule))
		default:
			all = append(all, fmt.Sprintf("%s!%d %s", id, m.Error.Code, m.Error.Message))
		}
	}
	return strings.Join(all, " ")
}

// R-C08: a parameter becomes the answer of another call, or a part of it.
func TestReferences(t *testing.T) {
	s := referring(t, rpchttp.Edge{References: true})
	const source = `1 echo {"v":{"items":[{"sku":"a","n":2},{"sku":"b","n":3.0}],"none":null,"":{"x":true},"7":"seven","big":9007199254740993}}`
	for _, c := range []struct{ name, call, want string }{
		{"part", `2 say {"text":"@FROM:1(items.0.sku)"}`, `2=a`},
		{"number", `2 add {"a":"@FROM:1(items.0.n)","b":"@FROM:1(items.1.n)"}`, `2=5`},
		{"exact number", `2 echo {"v":"@FROM:1(big)"}`, `2=9007199254740993`},
		{"array", `2 echo {"v":"@FROM:1(items)"}`, `2=[{"n":2,"sku":"a"},{"n":3.0,"sku":"b"}]`},
		{"null", `2 echo {"v":"@FROM:1(none)"}`, `2=null`},
		{"digits name a member of an object", `2 say {"text":"@FROM:1(7)"}`, `2=seven`},
		{"empty names", `2 echo {"v":"@FROM:1(.x)"}`, `2=true`},
		{"by position", `2 add ["@FROM:1(items.0.n)", 1]`, `2=3`},
		{"before its parent", `2 say {"text":"@FROM:3()"} & 3 say {"text":"x"}`, `2=x 3=x`},
		{"string id", `"a(" say {"text":"x"} & "b" say {"text":"y"} & 2 say {"text":"@FROM:b()"}`, `a(=x b=y 2=y`},
		{"escaped", `2 say {"text":"\u0040FROM:1(items.0.sku)"}`, `2=a`},
		{"chain", `2 add {"a":"@FROM:1(items.0.n)","b":1} & 3 add {"a":"@FROM:2()","b":1} & 4 add {"a":"@FROM:3()"}`, `2=3 3=4 4=4`},
		{"no result", `2 nothing {} & 3 echo {"v":"@FROM:2()"}`, `2=null 3=null`},
		{"text", `2 say {"text":"@@FROM:1()"}`, `2=@FROM:1()`},
		{"text, escaped", `2 say {"text":"\u0040@FROM:1()"} & 3 say {"text":"@\u0040FROM:1()"}`, `2=@FROM:1() 3=@FROM:1()`},
		{"text of text", `2 say {"text":"@@@FROM:1()"}`, `2=@@FROM:1()`},
		{"not at the beginning", `2 say {"text":" @FROM:1()"}`, `2= @FROM:1()`},
		{"by case", `2 say {"text":"@from:1()"}`, `2=@from:1()`},
		{"$rpc is no parameter", `2 echo {"v":{"timeout":30}} & 3 say {"text":"x","$rpc":"@FROM:2()"}`, `2={"timeout":30} 3!-32602 /$rpc type`},
		{"deeper is data", `2 echo {"v":["@FROM:1()","@@FROM:1()"]}`, `2=["@FROM:1()","@@FROM:1()"]`},

		{"wrong kind", `2 add {"a":"@FROM:1(items.0.sku)"}`, `2!-32602 /a type`},
		{"null for a number", `2 add {"a":"@FROM:1(none)"}`, `2!-32602 /a null`},
		{"no such call", `2 say {"text":"@FROM:9(x)"}`, `2!-32301 The reference "@FROM:9(x)" names no call of this batch.`},
		{"null is no id", `null say {"text":"x"} & 2 say {"text":"@FROM:null()"}`, `null=x 2!-32301 The reference "@FROM:null()" names no call of this batch.`},
		{"two such calls", `"1" say {"text":"x"} & 2 say {"text":"@FROM:1()"}`, `1=x 2!-32301 The reference "@FROM:1()" names more than one call of this batch.`},
		{"no parenthesis", `2 say {"text":"@FROM:1"}`, `2!-32301 The reference "@FROM:1" is not complete: write @FROM:<id>(<path>), or @@FROM: for text that begins so.`},
		{"open parenthesis", `2 say {"text":"@FROM:1(x"}`, `2!-32301 The reference "@FROM:1(x" is not complete: write @FROM:<id>(<path>), or @@FROM: for text that begins so.`},
		{"missing member", `2 say {"text":"@FROM:1(items.0.nope.more)"}`, `2!-32301 The reference "@FROM:1(items.0.nope.more)" does not fit: the answer of that call has no "nope" there.`},
		{"missing element", `2 say {"text":"@FROM:1(items.2)"}`, `2!-32301 The reference "@FROM:1(items.2)" does not fit: the answer of that call has no "2" there.`},
		{"no index", `2 say {"text":"@FROM:1(items.00)"}`, `2!-32301 The reference "@FROM:1(items.00)" does not fit: the answer of that call has no "00" there.`},
		{"dot at the end", `2 say {"text":"@FROM:1(items.)"}`, `2!-32301 The reference "@FROM:1(items.)" does not fit: the answer of that call has no "" there.`},
		{"in a text", `2 say {"text":"@FROM:1(7.0)"}`, `2!-32301 The reference "@FROM:1(7.0)" does not fit: the answer of that call has no "0" there.`},
		{"itself", `2 say {"text":"@FROM:2()"}`, `2!-32301 The reference "@FROM:2()" waits in a circle: that call needs the answer of this one, or of one that waits so.`},
		{"circle", `2 say {"text":"@FROM:3()"} & 3 say {"text":"@FROM:2(x)"}`, `2!-32301 The reference "@FROM:3()" waits in a circle: that call needs the answer of this one, or of one that waits so. 3!-32301 The reference "@FROM:2(x)" waits in a circle: that call needs the answer of this one, or of one that waits so.`},
		{"failed parent", `2 missing {} & 3 say {"text":"@FROM:2()"} & 4 say {"text":"@FROM:3()"}`, `2!-32404 No such thing. 3!-32301 The reference "@FROM:2()" names a call that failed. 4!-32301 The reference "@FROM:3()" names a call that failed.`},
		{"unknown parent", `2 nope {} & 3 say {"text":"@FROM:2()"}`, `2!-32601 Method not found. 3!-32301 The reference "@FROM:2()" names a call that failed.`},
		{"callback", `2 say {"text":"x","$rpc":{"callback":"https://example.com/"}} & 3 say {"text":"@FROM:2()"}`, `2!-32300 The call cannot run later: this server has no queue. 3!-32301 The reference "@FROM:2()" names a call with a callback, whose answer is not in this batch.`},
		{"long", `2 say {"text":"@FROM:1(` + strings.Repeat("é", 500) + `)"}`, `2!-32301 The reference "@FROM:1(` + strings.Repeat("é", 56) + `…" does not fit: the answer of that call has no "` + strings.Repeat("é", 60) + `…" there.`},
	} {
		t.Run(c.name, func(t *testing.T) {
			calls := append([]string{source}, strings.Split(c.call, " & ")...)
			got := told(t, s.post(members(calls...)).body)
			_, got, _ = strings.Cut(got, "} ") // after the source
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// A call of one's own, and an edge without the option, take text as it is.
func TestReferencesAreOfBatches(t *testing.T) {
	s := referring(t, rpchttp.Edge{References: true})
	s.expect(`{"jsonrpc":"2.0","id":1,"method":"R.say","params":["@FROM:1()"]}`, 200, `{"jsonrpc":"2.0","id":1,"result":"@FROM:1()"}`)
	plain := referring(t, rpchttp.Edge{})
	plain.expect(`[{"jsonrpc":"2.0","id":1,"method":"R.say","params":["@FROM:1()"]}]`, 200, `[{"jsonrpc":"2.0","id":1,"result":"@FROM:1()"}]`)
}

// R-C08: those that wait for nobody run side by side, those of the next level too.
func TestReferencesRunSideBySide(t *testing.T) {
	s := referring(t, rpchttp.Edge{References: true, Parallel: 2})
	got := told(t, s.post(members(`1 pair {}`, `2 pair {}`, `3 add {"a":"@FROM:1()","b":"@FROM:2()"}`)).body)
	if got != `1=1 2=1 3=2` {
		t.Error(got)
	}
}

// A notification may refer, but nobody to it.
func TestReferencesOfNotifications(t *testing.T) {
	s := referring(t, rpchttp.Edge{References: true})
	s.expect(`[{"jsonrpc":"2.0","method":"R.say","params":["@FROM:1()"]},{"jsonrpc":"2.0","id":1,"method":"R.say","params":["x"]}]`,
		200, `[{"jsonrpc":"2.0","id":1,"result":"x"}]`)
}

// R-C08: chains, what they copy, and the depth of what comes out are bounded.
func TestReferencesAreBounded(t *testing.T) {
	s := referring(t, rpchttp.Edge{References: true, MaxResponse: 100_000, Parallel: 1})
	chain := []string{`0 add {"a":1}`}
	for i := 1; i <= 17; i++ {
		chain = append(chain, fmt.Sprintf(`%d add {"a":"@FROM:%d()","b":1}`, i, i-1))
	}
	got := told(t, s.post(members(chain...)).body)
	if !strings.HasSuffix(got, `15=16 16!-32301 The reference "@FROM:15()" is too far down: at most 16 calls may wait for each other in a row. 17!-32301 The reference "@FROM:16()" is too far down: at most 16 calls may wait for each other in a row.`) {
		t.Error(got)
	}

	large := strings.Repeat("x", 20_000)
	calls := []string{fmt.Sprintf(`1 say {"text":%q}`, large)}
	for i := 2; i < 10; i++ { // each twice: 40 000 bytes to read
		calls = append(calls, fmt.Sprintf(`%d add {"a":"@FROM:1()","b":"@FROM:1()"}`, i))
	}
	got = told(t, s.post(members(calls...)).body)
	if strings.Count(got, "!-32602") != 2 || strings.Count(got, "reads too much") != 6 {
		t.Errorf("%.300s", got)
	}

	shallow := referring(t, rpchttp.Edge{References: true, Depth: 5})
	got = told(t, shallow.post(members(`1 echo {"v":[[[]]]}`, `2 echo {"v":"@FROM:1()"}`, `3 echo {"v":["@FROM:1()"]}`, `4 echo {"v":"@FROM:1(0)"}`)).body)
	if got != `1=[[[]]] 2=[[[]]] 3=["@FROM:1()"] 4=[[]]` {
		t.Error(got)
	}
}

// BenchmarkReferencePath: a long path into 1 MB costs as much as a short one.
func BenchmarkReferencePath(b *testing.B) {
	for _, depth := range []int{1, 50} {
		b.Run(fmt.Sprint(depth), func(b *testing.B) {
			engine := gin.New()
			mount(b, engine, execute(b, rpc.Options{}, R{}), rpchttp.Edge{References: true}, guard.Policy{})
			value := strings.Repeat("[", depth) + `"` + strings.Repeat("x", 1<<20) + `"` + strings.Repeat("]", depth)
			path := strings.TrimSuffix(strings.Repeat("0.", depth), ".")
			body := members(`1 echo {"v":`+value+`}`, `2 say {"text":"@FROM:1(`+path+`)"}`)
			for b.Loop() {
				w := httptest.NewRecorder()
				engine.ServeHTTP(w, httptest.NewRequest("POST", "http://localhost/rpc", strings.NewReader(body)))
				if w.Code != 200 || !strings.HasSuffix(w.Body.String(), `x"}]`) {
					b.Fatal(w.Code)
				}
			}
		})
	}
}
