package client_test

import (
	"context"
	stderrors "errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/transport/rpchttp/client"
	"github.com/go-json-experiment/json/jsontext"
)

// exchange is what a server saw, and what it answers.
type exchange struct {
	status int
	answer string

	body   string
	header http.Header
}

// serve starts a server that answers e, and makes a client of it.
func serve(t *testing.T, e *exchange, opts client.Options) *client.Client {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		e.body, e.header = string(b), r.Header
		w.WriteHeader(e.status)
		_, _ = io.WriteString(w, e.answer)
	}))
	t.Cleanup(s.Close)
	opts.HTTPClient = s.Client()
	return client.New(s.URL, opts)
}

type wait struct {
	For time.Duration `json:"for"`
}

func TestRequestOnTheWire(t *testing.T) {
	for _, c := range []struct {
		name   string
		params any
		body   string
	}{
		{"none", nil, `{"jsonrpc":"2.0","id":1,"method":"m"}`},
		{"nil pointer", (*wait)(nil), `{"jsonrpc":"2.0","id":1,"method":"m"}`},
		{"by name", map[string]int{"b": 2, "a": 1}, `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1,"b":2}}`},
		{"by position", []any{1, "x"}, `{"jsonrpc":"2.0","id":1,"method":"m","params":[1,"x"]}`},
		{"duration", wait{90 * time.Second}, `{"jsonrpc":"2.0","id":1,"method":"m","params":{"for":"1m30s"}}`},
		{"raw", jsontext.Value(`{"n":9007199254740993}`), `{"jsonrpc":"2.0","id":1,"method":"m","params":{"n":9007199254740993}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &exchange{status: 200, answer: `{"jsonrpc":"2.0","id":1,"result":null}`}
			if _, err := client.Call[struct{}](t.Context(), serve(t, e, client.Options{}), "m", c.params); err != nil {
				t.Fatal(err)
			}
			if e.body != c.body {
				t.Errorf("sent %s\nwant %s", e.body, c.body)
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	e := &exchange{status: 200, answer: `{"jsonrpc":"2.0","id":1,"result":1}`}
	given := http.Header{"X-Tenant": {"7"}}
	c := serve(t, e, client.Options{Token: "secret", Language: "uk, en;q=0.5", Header: given})
	given.Set("X-Tenant", "8")
	if _, err := client.Call[int](t.Context(), c, "m", nil); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Authorization": "Bearer secret", "Accept-Language": "uk, en;q=0.5", "X-Tenant": "7",
		"Content-Type": "application/json", "Accept": "application/json",
	} {
		if got := e.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestResult(t *testing.T) {
	answer := func(result string) *exchange {
		return &exchange{status: 200, answer: `{"jsonrpc":"2.0","id":1,"result":` + result + `}`}
	}
	t.Run("number beyond 2^53", func(t *testing.T) {
		got, err := client.Call[int64](t.Context(), serve(t, answer("9007199254740993"), client.Options{}), "m", nil)
		if err != nil || got != 9007199254740993 {
			t.Errorf("got %d, %v", got, err)
		}
	})
	t.Run("duration", func(t *testing.T) {
		got, err := client.Call[wait](t.Context(), serve(t, answer(`{"for":"1m30s"}`), client.Options{}), "m", nil)
		if err != nil || got.For != 90*time.Second {
			t.Errorf("got %v, %v", got, err)
		}
	})
	t.Run("duration that is none", func(t *testing.T) {
		for _, bad := range []string{`{"for":7}`, `{"for":"soon"}`} {
			if got, err := client.Call[wait](t.Context(), serve(t, answer(bad), client.Options{}), "m", nil); err == nil {
				t.Errorf("%s: got %v, want an error", bad, got)
			}
		}
	})
	t.Run("null", func(t *testing.T) {
		got, err := client.Call[*wait](t.Context(), serve(t, answer("null"), client.Options{}), "m", nil)
		if err != nil || got != nil {
			t.Errorf("got %v, %v", got, err)
		}
	})
	t.Run("raw", func(t *testing.T) {
		got, err := client.Call[jsontext.Value](t.Context(), serve(t, answer(`{"a":1e3}`), client.Options{}), "m", nil)
		if err != nil || string(got) != `{"a":1e3}` {
			t.Errorf("got %s, %v", got, err)
		}
	})
	t.Run("another type", func(t *testing.T) {
		_, err := client.Call[int](t.Context(), serve(t, answer(`"five"`), client.Options{}), "math.add", nil)
		if err == nil || !strings.HasPrefix(err.Error(), "rpc: math.add: result: ") {
			t.Errorf("got %v", err)
		}
	})
}

type left struct {
	SKU  string `json:"sku"`
	Left int    `json:"left"`
}

var outOfStock = rpcerrors.Define[left](1001, "OutOfStock", "Only {{.Left}} of {{.SKU}} left.")

func TestErrorOfTheServer(t *testing.T) {
	sent := outOfStock.New(left{"tea", 2}).AppendJSON([]byte(`{"jsonrpc":"2.0","id":1,"error":`))
	e := &exchange{status: 200, answer: string(sent) + "}"}
	_, err := client.Call[int](t.Context(), serve(t, e, client.Options{}), "Orders.buy", nil)
	if !stderrors.Is(err, outOfStock) || stderrors.Is(err, rpcerrors.NotFound) {
		t.Errorf("%v is not of its kind", err)
	}
	if data, ok := outOfStock.Data(err); !ok || data != (left{"tea", 2}) {
		t.Errorf("data %v, %v", data, ok)
	}
	public, ok := err.(*rpcerrors.Error)
	if !ok || public.Code() != 1001 || err.Error() != "Only 2 of tea left." {
		t.Errorf("got %#v", err)
	}
}

func TestErrorOfAnyStatus(t *testing.T) {
	e := &exchange{status: 401, answer: `{"jsonrpc":"2.0","id":null,"error":{"code":-32401,"message":"A token is required.","data":{"exception":"TokenMissing"}}}`}
	_, err := client.Call[int](t.Context(), serve(t, e, client.Options{}), "m", nil)
	if !stderrors.Is(err, rpcerrors.TokenMissing) {
		t.Errorf("got %v", err)
	}
	if err := serve(t, e, client.Options{}).Notify(t.Context(), "m", nil); !stderrors.Is(err, rpcerrors.TokenMissing) {
		t.Errorf("notification: got %v", err)
	}
}

func TestViolations(t *testing.T) {
	e := &exchange{status: 200, answer: `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params.","data":{"exception":"InvalidParams","violations":[{"pointer":"/n","rule":"max","param":"3","message":"must be 3 at most"}]}}}`}
	_, err := client.Call[int](t.Context(), serve(t, e, client.Options{}), "m", nil)
	var public *rpcerrors.Error
	if !stderrors.As(err, &public) || len(public.Violations()) != 1 || public.Violations()[0].Pointer != "/n" {
		t.Errorf("got %v", err)
	}
}

// What is no answer is an error that tells the status and how the body begins.
func TestNoAnswer(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		body   string
	}{
		{"a page of a proxy", 502, "<html>Bad Gateway</html>"},
		{"empty", 200, ""},
		{"no JSON", 200, "PONG"},
		{"neither result nor error", 200, `{"jsonrpc":"2.0","id":1}`},
		{"a batch", 200, `[{"jsonrpc":"2.0","id":1,"result":1}]`},
		{"result given twice", 200, `{"jsonrpc":"2.0","id":1,"result":1,"result":2}`},
		{"a result with a status of an error", 500, `{"jsonrpc":"2.0","id":1,"result":1}`},
		{"another id", 200, `{"jsonrpc":"2.0","id":2,"result":1}`},
		{"the id as a string", 200, `{"jsonrpc":"2.0","id":"1","result":1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := client.Call[int](t.Context(), serve(t, &exchange{status: c.status, answer: c.body}, client.Options{}), "m", nil)
			var status *client.StatusError
			if !stderrors.As(err, &status) || status.Status != c.status || status.Body != c.body {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestParamsThatCannotBeSent(t *testing.T) {
	e := &exchange{status: 200}
	c := serve(t, e, client.Options{})
	for _, bad := range []any{5, "x", make(chan int), map[string]any{"f": func() {}}} {
		if _, err := client.Call[int](t.Context(), c, "m", bad); err == nil || !strings.Contains(err.Error(), "rpc: m: params: ") {
			t.Errorf("%T: got %v", bad, err)
		}
		if err := c.Notify(t.Context(), "m", bad); err == nil {
			t.Errorf("%T: notified", bad)
		}
	}
	if e.body != "" {
		t.Errorf("sent %s", e.body)
	}
}

func TestAnswerTooLarge(t *testing.T) {
	long := &exchange{status: 200, answer: `{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("x", 100) + `"}`}
	_, err := client.Call[string](t.Context(), serve(t, long, client.Options{MaxResponse: 100}), "m", nil)
	if err == nil || !strings.Contains(err.Error(), "larger than 100 bytes") {
		t.Errorf("got %v", err)
	}
	if _, err := client.Call[string](t.Context(), serve(t, long, client.Options{MaxResponse: int64(len(long.answer))}), "m", nil); err != nil {
		t.Errorf("as large as allowed: %v", err)
	}
}

func TestTransportFails(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := client.Call[int](ctx, serve(t, &exchange{status: 200}, client.Options{}), "m", nil)
	if !stderrors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "rpc: m: ") {
		t.Errorf("got %v", err)
	}
	if _, err := client.Call[int](t.Context(), client.New("http://a b/rpc", client.Options{}), "m", nil); err == nil {
		t.Error("a wrong URL was called")
	}
}

func TestNotify(t *testing.T) {
	e := &exchange{status: 204}
	if err := serve(t, e, client.Options{}).Notify(t.Context(), `a"b`, []int{1}); err != nil {
		t.Error(err)
	}
	if want := `{"jsonrpc":"2.0","method":"a\"b","params":[1]}`; e.body != want {
		t.Errorf("sent %s, want %s", e.body, want)
	}
	var status *client.StatusError
	if err := serve(t, &exchange{status: 500}, client.Options{}).Notify(t.Context(), "m", nil); !stderrors.As(err, &status) {
		t.Errorf("got %v", err)
	}
}
