package cache_test

import (
	"strconv"
	"testing"
	"time"
)

func BenchmarkMemory(b *testing.B) {
	m := newPool(b)
	ctx := b.Context()
	keys := make([]string, 1024)
	value := make([]byte, 200)
	for i := range keys {
		keys[i] = "Catalog.search:v1:uk:" + strconv.Itoa(i)
		must(b, m.Save(ctx, keys[i], value, time.Hour))
		must(b, m.Put(ctx, keys[i], value, time.Hour))
	}
	for _, bc := range []struct {
		name string
		call func(key string)
	}{
		{"Load, hit", func(k string) { _, _, _ = m.Load(ctx, k) }},
		{"Load, miss", func(k string) { _, _, _ = m.Load(ctx, k[1:]) }},
		{"Save", func(k string) { _ = m.Save(ctx, k, value, time.Hour) }},
		{"Get", func(k string) { _, _, _ = m.Get(ctx, k) }},
		{"Touch", func(k string) { _, _ = m.Touch(ctx, k, time.Hour) }},
		{"Put", func(k string) { _ = m.Put(ctx, k, value, time.Hour) }},
		{"Incr", func(k string) { _, _ = m.Incr(ctx, k[:len(k)-1]+"n", time.Hour) }},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				bc.call(keys[i%len(keys)])
				i++
			}
		})
	}
}
