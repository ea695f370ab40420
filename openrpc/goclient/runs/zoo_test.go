package runs_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/facet-rpc/facet/openrpc/goclient/testdata/zoo"
	"github.com/facet-rpc/facet/transport/rpchttp/client"
	"github.com/go-json-experiment/json"
)

// What is read is written again as it was: odd names, tuples, unions,
// nullable members, members without a name of their own.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		text string
		into any
	}{
		{`{"tuple":["a",null],"nullable":null,"nullableList":[1],"any":{"b":2},"null":null,"mixed":[1,"b"],` +
			`"type":"t","":"e","-":"d","a,b":"c","a'b":"q","Ключ":"k","line\nbreak\u2028":"l"}`, new(zoo.Everything)},
		{`{"tuple":[],"when":"2026-01-02T03:04:05Z","bytes":"AQI=","nullable":"x","nullableList":null,"nullableColor":"dark blue",` +
			`"shape":{"kind":"circle","r":2},"off":false,"any":1,"null":null,"mixed":null}`, new(zoo.Everything)},
		{`{"id":"x","size":1,"other":true}`, new(zoo.Open)},
		{`{"kind":"circle","r":2,"fill":"red"}`, new(zoo.Filled)},
		{`[[],[[]]]`, new(zoo.Tree)},
		{`{"a":{"b":{}}}`, new(zoo.Graph)},
		{`{"class":"c","a-b":"1","a_b":"2","it's \"` + "`" + `\\":3,"__proto__":true}`, new(zoo.ShapesPaintParams)},
	} {
		if err := json.Unmarshal([]byte(c.text), c.into); err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		same(t, c.into, c.text)
	}
}

// same compares what v is written as with text, member by member.
func same(t *testing.T, v any, text string) {
	t.Helper()
	got, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		t.Error(err)
		return
	}
	var want any
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err)
	}
	plain, err := json.Marshal(want, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	var back any
	if err := json.Unmarshal(got, &back); err != nil {
		t.Fatal(err)
	}
	if got, err = json.Marshal(back, json.Deterministic(true)); err != nil || string(got) != string(plain) {
		t.Errorf("got  %s\nwant %s %v", got, plain, err)
	}
}

func TestUnion(t *testing.T) {
	shape, err := zoo.ShapeOf(zoo.Square{Kind: "square", Side: 2})
	if err != nil {
		t.Fatal(err)
	}
	same(t, shape, `{"kind":"square","side":2}`)
	if square, err := shape.AsSquare(); err != nil || square.Side != 2 {
		t.Errorf("got %+v, %v", square, err)
	}
	if _, err := shape.AsString(); err == nil {
		t.Error("a square is a string")
	}
}

// What is sent, by name, by position and with what the server is told.
func TestRequests(t *testing.T) {
	var body string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body) // a short body fails the comparison
		body = string(text)
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":3}`)
	}))
	defer server.Close()
	c := zoo.New(client.New(server.URL, client.Options{HTTPClient: server.Client()}))
	ctx := t.Context()
	for want, call := range map[string]func() error{
		`{"jsonrpc":"2.0","id":1,"method":"position.add","params":[2,0,"x"]}`: func() error {
			_, err := c.Position.Add(ctx, zoo.PositionAddParams{A: 2, CD: "x"})
			return err
		},
		`{"jsonrpc":"2.0","id":1,"method":"position.add","params":[0]}`: func() error {
			_, err := c.Position.Add(ctx, zoo.PositionAddParams{})
			return err
		},
		`{"jsonrpc":"2.0","id":1,"method":"a.b","params":{"n":2,"$rpc":{"timeout":12,"ignoreCache":true}}}`: func() error {
			_, err := c.AGroup.B(ctx, zoo.ABParams{N: 2}, zoo.Meta{Timeout: 12, IgnoreCache: true})
			return err
		},
		`{"jsonrpc":"2.0","method":"log","params":{"line":"x"}}`: func() error {
			_ = c.Log(ctx, zoo.LogParams{Line: "x"}) // the server answers, which it must not
			return nil
		},
	} {
		if err := call(); err != nil || body != want {
			t.Errorf("sent %s, %v\nwant %s", body, err, want)
		}
	}
}
