package redislock_test

import (
	"testing"

	"github.com/facet-rpc/facet/rpc/rpctest"
)

func BenchmarkLock(b *testing.B) {
	locks := open(b, rpctest.Redis(b), 0)
	b.ReportAllocs()
	for b.Loop() {
		_, free, held, err := locks.Lock(b.Context(), "key", 0, 0)
		if !held || err != nil {
			b.Fatal(held, err)
		}
		free()
	}
}
