package docs_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/cache/rediscache"
	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/async"
	"github.com/facet-rpc/facet/transport/async/redisqueue"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
)

// jobsOnRedis makes jobs that any process on the same Redis may run, for
// guard.Mount. The queue is closed after Executor.Shutdown.
func jobsOnRedis(ctx context.Context, url string, pool rpc.Records, webhooks async.Webhooks) (*async.Jobs, *redisqueue.Queue, error) {
	queue, err := redisqueue.Open(ctx, url)
	if err != nil {
		return nil, nil, err
	}
	jobs, err := async.New(async.Options{Queue: queue, Records: pool, Webhooks: webhooks})
	if err != nil {
		return nil, nil, errors.Join(err, queue.Close())
	}
	return jobs, queue, nil
}

// TestJobsOnRedis: a call that one process took is posted.
func TestJobsOnRedis(t *testing.T) {
	redis := rpctest.Redis(t)
	answers, webhooks := receive(t)
	pool, err := rediscache.Open(t.Context(), redis.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	srv := rpctest.Start(t, shop.App(), rpc.Options{Records: pool}, shop.Services(shop.NewStore(nil))...)
	jobs, queue, err := jobsOnRedis(t.Context(), redis.URL, pool, webhooks)
	if err != nil {
		t.Fatal(err)
	}
	engine := gin.New()
	if err := guard.Mount(engine, srv.Executor(), guard.Policy{Open: true}, rpchttp.Edge{}, jobs); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(engine)
	later(t, server.URL+"/rpc", "http://"+webhooks.Hosts[0])
	if answer := <-answers; !strings.Contains(answer, `"result":{"sku":"TEA-01"`) {
		t.Errorf("posted %s", answer)
	}
	server.Close()
	if err := errors.Join(srv.Executor().Shutdown(context.Background()), queue.Close()); err != nil {
		t.Error(err)
	}
}
