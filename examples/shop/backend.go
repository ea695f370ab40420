package main

import (
	"context"
	"fmt"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/cache/rediscache"
	"github.com/facet-rpc/facet/lock"
	"github.com/facet-rpc/facet/lock/redislock"
	"github.com/facet-rpc/facet/rpc"
)

// backend is where cached results, idempotency keys and locks are.
type backend struct {
	store   rpc.Store
	records rpc.Records
	locker  rpc.Locker
	close   func()
}

// openBackend is the memory of this process, or a Redis that many shops share.
// The goods and orders themselves stay in each process: a real shop has a
// database for them.
func openBackend(ctx context.Context, redis string) (backend, error) {
	if redis == "" {
		pool, err := cache.NewMemory(64 << 20)
		if err != nil {
			return backend{}, err
		}
		return backend{pool, pool, new(lock.Local), pool.Close}, nil
	}
	pool, err := rediscache.Open(ctx, redis)
	if err != nil {
		return backend{}, fmt.Errorf("-redis: %w", err)
	}
	locks, err := redislock.Open(ctx, redis)
	if err != nil {
		pool.Close()
		return backend{}, fmt.Errorf("-redis: %w", err)
	}
	return backend{pool, pool, locks, func() { locks.Close(); pool.Close() }}, nil
}
