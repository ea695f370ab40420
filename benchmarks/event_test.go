package benchmarks_test

import (
	"context"
	"testing"

	"github.com/facet-rpc/facet/benchmarks/work"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/rpc"
)

// BenchmarkEvent is one event of a call on a bus where only others are
// listened to.
func BenchmarkEvent(b *testing.B) {
	bus := new(events.Bus)
	events.On(bus, func(context.Context, rpc.Failed) error { return nil })
	topic := events.TopicOf[rpc.PreExecute](bus)
	call := new(rpc.Call)
	b.ReportAllocs()
	for b.Loop() {
		if topic.Active() {
			if err := topic.Publish(context.Background(), rpc.PreExecute{Call: call}); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkListeners is add with a listener to every event of a call; compare
// it with BenchmarkCall/add/facet, where there is none.
func BenchmarkListeners(b *testing.B) {
	p := start(b, shop("bench", rpc.Method{}))
	listen[rpc.Request](p.bus)
	listen[rpc.PreExecute](p.bus)
	listen[rpc.PostExecute](p.bus)
	listen[rpc.PreResponse](p.bus)
	listen[rpc.PostResponse](p.bus)
	p.run(b, "bench", work.Adds())
}

func listen[E events.Event](bus *events.Bus) {
	events.On(bus, func(context.Context, E) error { return nil })
}
