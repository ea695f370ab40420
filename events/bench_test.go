package events_test

import (
	"context"
	"testing"

	"github.com/facet-rpc/facet/events"
)

func BenchmarkPublish(b *testing.B) {
	ctx := context.Background()
	quiet := func(context.Context, paid) error { return nil }
	for _, bc := range []struct {
		name      string
		others    bool
		listeners int
	}{{"idle bus, no listener", false, 0}, {"busy bus, no listener", true, 0}, {"1 listener", true, 1}, {"10 listeners", true, 10}} {
		b.Run(bc.name, func(b *testing.B) {
			var bus events.Bus
			if bc.others {
				events.On(&bus, func(context.Context, shipped) error { return nil })
			}
			for range bc.listeners {
				events.On(&bus, quiet)
			}
			topic := events.TopicOf[paid](&bus)
			b.ReportAllocs()
			for b.Loop() {
				_ = topic.Publish(ctx, paid{ID: "7"})
			}
		})
	}
	b.Run("by bus, no listener", func(b *testing.B) {
		var bus events.Bus
		events.On(&bus, func(context.Context, shipped) error { return nil })
		b.ReportAllocs()
		for b.Loop() {
			_ = events.Publish(ctx, &bus, paid{ID: "7"})
		}
	})
}
