package result_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestFloats: floats are written as [jsontext.AppendFloat] writes them, above
// all at the edges of the short way for prices.
func TestFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	values := []float64{0, math.Copysign(0, -1), 0.01, 0.005, 0.004999999999999999, 0.1 + 0.2, 1.005, 9999999999999.99, 1e13, 1e13 + 0.01, 99999999999999, 1e15, 1e16, 1 << 53, 1e-7, 1e21, 5e-324, math.MaxFloat64}
	for range 20_000 {
		cents := float64(r.Int64N(int64(math.Pow10(1+r.IntN(16))))) / 100
		values = append(values, cents, math.Nextafter(cents, 0), math.Nextafter(cents, 1e300), cents/10, math.Float64frombits(r.Uint64()))
	}
	plan := planOf(t, reflect.TypeFor[float64]())
	for _, f := range values {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		for _, f := range []float64{f, -f} {
			want := jsontext.AppendFloat(nil, f, 64)
			got, _, err := plan.Append(nil, reflect.ValueOf(&f).Elem())
			if err != nil || string(got) != string(want) {
				t.Errorf("got %s, error %v; want %s", got, err, want)
			}
		}
	}
}
