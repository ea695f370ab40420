package rediscache_test

import (
	"context"
	"log"

	"github.com/facet-rpc/facet/cache/rediscache"
	"github.com/facet-rpc/facet/lock/redislock"
	"github.com/facet-rpc/facet/rpc"
)

// Two lines make an executor one of many on the same Redis.
func ExampleOpen() {
	ctx := context.Background()
	pool, err := rediscache.Open(ctx, "redis://127.0.0.1:6379")
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	locks, err := redislock.Open(ctx, "redis://127.0.0.1:6379")
	if err != nil {
		log.Fatal(err)
	}
	defer locks.Close()

	options := rpc.Options{Store: pool, Records: pool, Locker: locks}
	_ = options // for rpc.NewExecutor
}
