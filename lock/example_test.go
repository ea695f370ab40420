package lock_test

import (
	"context"
	"fmt"
	"time"

	"github.com/facet-rpc/facet/lock"
)

func ExampleLocal() {
	var locks lock.Local
	ctx := context.Background()

	_, free, held, err := locks.Lock(ctx, "sku:7", time.Second, 0)
	fmt.Println("first: ", held, err)

	_, _, held, err = locks.Lock(ctx, "sku:7", 0, 0) // does not wait
	fmt.Println("second:", held, err)

	free()
	_, free, held, err = locks.Lock(ctx, "sku:7", 0, 0)
	fmt.Println("third: ", held, err)
	free()
	// Output:
	// first:  true <nil>
	// second: false <nil>
	// third:  true <nil>
}

func ExampleErrLost() {
	var locks lock.Local
	lease, free, _, _ := locks.Lock(context.Background(), "sku:7", 0, time.Millisecond)
	defer free() // until now nobody else gets the key

	<-lease.Done()
	fmt.Println(context.Cause(lease))
	// Output: lock: the lease has ended: its hold time is over
}
