//go:build unix

package main_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/async"
)

// A call with a callback is answered later, from memory and from Redis.
func TestCallbacks(t *testing.T) {
	const secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
	for _, c := range []struct {
		name string
		args func(t *testing.T) []string
	}{
		{"memory", func(*testing.T) []string { return nil }},
		{"redis", func(t *testing.T) []string { return []string{"-redis", rpctest.Redis(t).URL} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := make(chan string, 1)
			receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				body, err := io.ReadAll(r.Body)
				if err != nil {
					t.Error(err)
				}
				if _, err := async.Verify(r.Header, body, secret); err != nil {
					t.Error(err)
				}
				got <- string(body)
			}))
			defer receiver.Close()
			host := receiver.Listener.Addr().String()
			p := start(t, append(c.args(t), "-open", "-callbacks", host, "-callback-secret", secret)...)
			defer p.stop(t)
			call := func(callback, want string) {
				t.Helper()
				p.do(t, "", request{
					path: "/rpc", header: http.Header{"Rpc-Token": {""}}, status: 200, want: []string{want},
					body: `{"jsonrpc":"2.0","id":7,"method":"Catalog.product","params":{"sku":"TEA-01","$rpc":{"callback":"` + callback + `"}}}`,
				})
			}
			call("http://"+host+"/", `"async":true`)
			select {
			case body := <-got:
				if !strings.HasPrefix(body, `{"jsonrpc":"2.0","id":7,"result":{"sku":"TEA-01"`) {
					t.Error(body)
				}
			case <-time.After(20 * time.Second):
				t.Fatal("no webhook came")
			}
			call("https://elsewhere.example/", `"/$rpc/callback"`)
		})
	}
}
