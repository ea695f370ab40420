package lock_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/facet-rpc/facet/lock"
)

func BenchmarkLock(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background()) // as a request's is
	defer cancel()
	keys := make([]string, 64)
	for i := range keys {
		keys[i] = "Catalog.buy:sku-" + strconv.Itoa(i)
	}
	for _, bc := range []struct {
		name string
		hold time.Duration
	}{{"uncontended", 0}, {"uncontended, with a hold time", time.Minute}} {
		b.Run(bc.name, func(b *testing.B) {
			var l lock.Local
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				_, free, _, _ := l.Lock(ctx, keys[i%len(keys)], time.Second, bc.hold)
				free()
				i++
			}
		})
	}
	b.Run("contended", func(b *testing.B) {
		var l lock.Local
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if _, free, held, _ := l.Lock(ctx, "k", time.Minute, 0); held {
					free()
				}
			}
		})
	})
}
