package async_test

import (
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/async"
)

// BenchmarkJob accepts a call, runs it and posts its answer over a real
// connection; ten are on their way at a time.
func BenchmarkJob(b *testing.B) {
	r := receive(b, nil)
	r.hooks = make(chan hook, 1<<20)
	w := r.local()
	w.PerHost = 10
	p := start(b, setup{async: async.Options{Webhooks: w}}, rpc.Method{Name: "echo", Func: echo})
	outputs := p.outputs()
	b.ReportAllocs()
	waiting := 0
	for b.Loop() {
		p.submit("echo", `{"text":"hi"}`, r.URL)
		if waiting++; waiting > 10 {
			end(b, outputs)
			waiting--
		}
	}
	for range waiting {
		end(b, outputs)
	}
}
