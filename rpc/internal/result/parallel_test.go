package result_test

import (
	"reflect"
	"sync"
	"testing"

	"github.com/facet-rpc/facet/rpc/internal/result"
	"github.com/facet-rpc/facet/rpc/schema"
)

// TestParallel: one compiler serves many goroutines, also with types that it
// meets only under any.
func TestParallel(t *testing.T) {
	compiler := result.NewCompiler()
	described := []*schema.Type{describe(t, reflect.TypeFor[[]any]()), describe(t, reflect.TypeFor[[]order]())}
	value := []any{scalarsLite{1, "x"}, shout{"loud"}, custom{1}, map[int]tree{1: {}}, &page[int]{}, faulty{}, "\xff"}
	want, err := reference(value)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				if got, repaired, err := compiler.Plan(described[0]).Append(nil, reflect.ValueOf(value)); err != nil || !repaired || string(got) != string(want) {
					t.Errorf("got %s, repaired %v, error %v; want %s", got, repaired, err, want)
				}
				if _, _, err := compiler.Plan(described[1]).Append(nil, reflect.ValueOf(orders()[:1])); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// TestNoAllocation: plain values need no memory but that of the answer, and
// the type is asked once.
func TestNoAllocation(t *testing.T) {
	order, search := orders()[0], searches()[0]
	dst := make([]byte, 0, 4096)
	for _, v := range []reflect.Value{reflect.ValueOf(&order).Elem(), reflect.ValueOf(&search).Elem()} {
		plan := planOf(t, v.Type())
		if n := testing.AllocsPerRun(100, func() { _, _, _ = plan.Append(dst, v) }); n != 0 {
			t.Errorf("%v: %v allocations", v.Type(), n)
		}
	}
}
