package redislock_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/facet-rpc/facet/lock/redislock"
)

// What is done under the lock takes the context of the lease, which ends when
// the lock is lost.
func ExampleLocker_Lock() {
	ctx := context.Background()
	locks, err := redislock.Open(ctx, "redis://127.0.0.1:6379")
	if err != nil {
		log.Fatal(err)
	}
	defer locks.Close()

	lease, free, held, err := locks.Lock(ctx, "sku:7", time.Second, time.Minute)
	switch {
	case err != nil:
		fmt.Println("Redis does not answer:", err)
	case !held:
		fmt.Println("somebody else has had it the whole second")
	default:
		defer free()
		work(lease)
	}
}

func work(context.Context) {}
