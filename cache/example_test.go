package cache_test

import (
	"context"
	"fmt"
	"time"

	"github.com/facet-rpc/facet/cache"
)

// Results: worth keeping, fit to be dropped.
func ExampleMemory_Load() {
	pool, err := cache.NewMemory(64 << 20)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	ctx := context.Background()

	_, ok, _ := pool.Load(ctx, "search:pots")
	fmt.Println("hit:", ok)
	_ = pool.Save(ctx, "search:pots", []byte(`["clay pot"]`), time.Minute)
	value, ok, _ := pool.Load(ctx, "search:pots")
	fmt.Println("hit:", ok, string(value))
	// Output:
	// hit: false
	// hit: true ["clay pot"]
}

// Records: there until their time is over.
func ExampleMemory_PutIfAbsent() {
	pool, err := cache.NewMemory(64<<20, cache.MaxRecords(10_000))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	ctx := context.Background()

	for range 2 {
		stored, err := pool.PutIfAbsent(ctx, "order:7", []byte("running"), time.Hour)
		fmt.Println(stored, err)
	}
	n, _ := pool.Incr(ctx, "orders", 0)
	fmt.Println(n)
	// Output:
	// true <nil>
	// false <nil>
	// 1
}
