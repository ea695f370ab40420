package result_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/facet-rpc/facet/rpc/internal/result"
)

// TestFloats: floats are written as json/v2 writes them, above all at the edges
// of the short way for prices and of the exponent.
func TestFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	values := []float64{0, math.Copysign(0, -1), 0.01, 0.005, 0.004999999999999999, 0.1 + 0.2, 1.005, 9999999999999.99, 1e13, 1e13 + 0.01, 99999999999999, 1e15, 1e16, 1 << 53, 1e-7, 1e-10, 1e-100, 1e-6, math.Nextafter(1e-6, 0), 1e21, math.Nextafter(1e21, 0), 1e100, 5e-324, math.MaxFloat64}
	for range 20_000 {
		cents := float64(r.Int64N(int64(math.Pow10(1+r.IntN(16))))) / 100
		values = append(values, cents, math.Nextafter(cents, 0), math.Nextafter(cents, 1e300), cents/10, math.Float64frombits(r.Uint64()))
	}
	plan, single := planOf(t, reflect.TypeFor[float64]()), planOf(t, reflect.TypeFor[float32]())
	for _, f := range values {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		for _, f := range []float64{f, -f} {
			same(t, plan, f)
			if f := float32(f); !math.IsInf(float64(f), 0) {
				same(t, single, f)
			}
		}
	}
}

func same[F float32 | float64](t *testing.T, plan *result.Plan, f F) {
	t.Helper()
	want, err := reference(f)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := plan.Append(nil, reflect.ValueOf(&f).Elem())
	if err != nil || string(got) != string(want) {
		t.Errorf("got %s, error %v; want %s", got, err, want)
	}
}
