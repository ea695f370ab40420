package client_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/facet-rpc/facet/transport/rpchttp/client"
	"github.com/go-json-experiment/json/jsontext"
)

// canned answers every request with the same.
type canned struct {
	status int
	body   []byte
}

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	_ = r.Body.Close()
	return &http.Response{StatusCode: c.status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(c.body)), Request: r}, nil
}

// Whatever a server answers, a call ends with a result or an error, and a
// result is JSON.
func FuzzAnswers(f *testing.F) {
	for _, seed := range []string{
		``, `[]`, `null`, `{"jsonrpc":"2.0","id":1,"result":null}`, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m","data":{"exception":"X","violations":[{}]}}}`,
		`[{"jsonrpc":"2.0","id":2,"result":{"a":1}},{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"","data":7}}]`, `{"id":1,"result":1,"error":null}`,
	} {
		f.Add(200, []byte(seed))
		f.Add(400, []byte(seed))
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		if status < 200 || status > 599 || status/100 == 3 {
			return // net/http deals with these
		}
		c := client.New("http://localhost/rpc", client.Options{HTTPClient: &http.Client{Transport: canned{status, body}}, MaxResponse: 1 << 16})
		check := func(result jsontext.Value, err error) {
			if err == nil && !result.IsValid() {
				t.Fatalf("no JSON: %q of %q", result, body)
			}
			if err != nil && result != nil {
				t.Fatalf("a result and an error: %q, %v", result, err)
			}
		}
		check(client.Call[jsontext.Value](t.Context(), c, "m", nil))
		_ = c.Notify(t.Context(), "m", nil)
		b := c.Batch()
		first, second := client.Add[jsontext.Value](b, "m", nil), client.Add[jsontext.Value](b, "m", nil)
		sent := b.Send(t.Context())
		check(first.Result())
		check(second.Result())
		if _, err := first.Result(); sent != nil && err == nil {
			t.Fatalf("the batch failed, the call did not: %v", sent)
		}
	})
}
