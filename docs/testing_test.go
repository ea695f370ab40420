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

// TestCallback: what is called with a callback is posted to it, signed.
func TestCallback(t *testing.T) {
	secret, answers := async.NewSecret(), make(chan string, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		_, unsigned := async.Verify(r.Header, body, secret)
		if err := errors.Join(err, unsigned); err != nil {
			t.Error(err)
		}
		answers <- string(body)
	}))
	defer receiver.Close()

	srv := rpctest.Start(t, shop.App(), rpc.Options{}, shop.Services(shop.NewStore(nil))...)
	url := serve(t, srv.Executor(), async.Webhooks{
		Hosts: []string{strings.TrimPrefix(receiver.URL, "http://")}, Secrets: []string{secret}, Plain: true, Private: true,
	})
	_, err := client.Call[struct {
		JobID string `json:"jobId"`
	}](t.Context(), client.New(url, client.Options{}), "Catalog.product", map[string]any{
		"sku": "TEA-01", "$rpc": map[string]string{"callback": receiver.URL},
	})
	if err != nil {
		t.Fatal(err)
	}
	if answer := <-answers; !strings.Contains(answer, `"result":{"sku":"TEA-01"`) {
		t.Errorf("posted %s", answer)
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
