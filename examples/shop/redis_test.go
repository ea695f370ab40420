//go:build unix

package main_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc/rpctest"
)

// TestOnRedis: two shops on one Redis know each other's orders by their keys.
func TestOnRedis(t *testing.T) { // case I11
	redis := rpctest.Redis(t)
	order := func(p *program) (answer, replayed string) {
		t.Helper()
		const body = `{"jsonrpc":"2.0","id":1,"method":"Orders.create","params":{"customer":"c000001","lines":[{"sku":"TEA-01","quantity":2}]}}`
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url+"/rpc", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", "8e03978e-40d5-43e8-bc93-6894a57f9324")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(text), res.Header.Get("Idempotency-Replayed")
	}
	here, there := start(t, "-open", "-redis", redis.URL), start(t, "-open", "-redis", redis.URL)
	first, replayed := order(here)
	if !strings.Contains(first, `"state":"open"`) || replayed != "" {
		t.Errorf("the first answer is %s, replayed %q", first, replayed)
	}
	if again, replayed := order(there); again != first || replayed != "true" {
		t.Errorf("the other shop answers %s, replayed %q; want %s", again, replayed, first)
	}
	here.stop(t)
	there.stop(t)
}
