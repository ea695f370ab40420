package docs_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/async"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/facet-rpc/facet/transport/rpchttp/client"
	"github.com/gin-gonic/gin"
)

// TestCallback: what is called with a callback is posted to it.
func TestCallback(t *testing.T) {
	answers, webhooks := receive(t)
	srv := rpctest.Start(t, shop.App(), rpc.Options{}, shop.Services(shop.NewStore(nil))...)
	later(t, serve(t, srv.Executor(), webhooks), "http://"+webhooks.Hosts[0])
	if answer := <-answers; !strings.Contains(answer, `"result":{"sku":"TEA-01"`) {
		t.Errorf("posted %s", answer)
	}
}

// receive is a receiver of signed webhooks: what comes, and how it is reached.
func receive(t *testing.T) (<-chan string, async.Webhooks) {
	t.Helper()
	secret, answers := async.NewSecret(), make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		_, unsigned := async.Verify(r.Header, body, secret)
		if err := errors.Join(err, unsigned); err != nil {
			t.Error(err)
		}
		answers <- string(body)
	}))
	t.Cleanup(server.Close)
	return answers, async.Webhooks{
		Hosts: []string{server.Listener.Addr().String()}, Secrets: []string{secret}, Plain: true, Private: true,
	}
}

// later asks for a product, to be answered at the callback.
func later(t *testing.T, url, callback string) {
	t.Helper()
	_, err := client.Call[struct {
		JobID string `json:"jobId"`
	}](t.Context(), client.New(url, client.Options{}), "Catalog.product", map[string]any{
		"sku": "TEA-01", "$rpc": map[string]string{"callback": callback},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// serve serves an executor with jobs and returns the URL of /rpc.
func serve(t *testing.T, exec *rpc.Executor, webhooks async.Webhooks) string {
	t.Helper()
	records, err := cache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := async.New(async.Options{Records: records, Webhooks: webhooks})
	if err != nil {
		t.Fatal(err)
	}
	engine := gin.New()
	if err := guard.Mount(engine, exec, guard.Policy{Open: true}, rpchttp.Edge{}, jobs); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(engine)
	t.Cleanup(func() {
		server.Close()
		if err := exec.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		records.Close()
	})
	return server.URL + "/rpc"
}
