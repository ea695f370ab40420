package benchmarks_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/facet-rpc/facet/benchmarks/work"
	"github.com/facet-rpc/facet/rpc"
)

// BenchmarkMethods is add among few methods and among many: one price.
func BenchmarkMethods(b *testing.B) {
	for _, services := range []int{3, 250} {
		b.Run(strconv.Itoa(4*services), func(b *testing.B) {
			var all []any
			for i := range services {
				all = append(all, shop(fmt.Sprintf("x%03d", i), rpc.Method{}))
			}
			start(b, all...).run(b, fmt.Sprintf("x%03d", services-1), work.Adds())
		})
	}
}

// BenchmarkVersions is add in the newest of one version and of twenty: one
// price.
func BenchmarkVersions(b *testing.B) {
	for _, versions := range []int{1, 20} {
		b.Run(strconv.Itoa(versions), func(b *testing.B) {
			var all []any
			for v := range versions {
				s := shop("bench", rpc.Method{})
				s.Since = v + 1
				all = append(all, s)
			}
			start(b, all...).run(b, "bench", work.Adds())
		})
	}
}
