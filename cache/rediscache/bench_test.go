package rediscache_test

import (
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc/rpctest"
)

func BenchmarkLoad(b *testing.B) {
	pool := open(b, rpctest.Redis(b))
	if err := pool.Save(b.Context(), "result", make([]byte, 1024), time.Hour); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, ok, err := pool.Load(b.Context(), "result"); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	pool := open(b, rpctest.Redis(b))
	for _, c := range []struct{ name, value string }{{"counter", "17"}, {"session", "{}"}} {
		if err := pool.Put(b.Context(), c.name, []byte(c.value), 0); err != nil {
			b.Fatal(err)
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, ok, err := pool.Get(b.Context(), c.name); !ok || err != nil {
					b.Fatal(ok, err)
				}
			}
		})
	}
}

// BenchmarkTake is what a shared rate adds to a request: a round trip.
func BenchmarkTake(b *testing.B) {
	pool := open(b, rpctest.Redis(b))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := pool.Take(b.Context(), "caller", 1, 1_000_000, time.Microsecond); err != nil {
			b.Fatal(err)
		}
	}
}
