package result_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc/internal/result"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// durations writes a time.Duration as "1m30s".
var durations = json.WithMarshalers(json.MarshalFunc(func(d time.Duration) ([]byte, error) { return []byte(`"` + d.String() + `"`), nil }))

// reference is how json/v2 writes v.
func reference(v any) ([]byte, error) {
	return json.Marshal(v, json.Deterministic(true), jsontext.PreserveRawStrings(true), jsontext.AllowInvalidUTF8(true), durations)
}

func describe(t testing.TB, typ reflect.Type) *schema.Type {
	t.Helper()
	described, faults := schema.NewModel(schema.Config{}).Of(typ)
	if len(faults) > 0 {
		t.Fatalf("%v: %v", typ, faults)
	}
	return described
}

func planOf(t testing.TB, typ reflect.Type) *result.Plan {
	t.Helper()
	return result.NewCompiler().Plan(describe(t, typ))
}

var zoo = []reflect.Type{
	reflect.TypeFor[scalars](), reflect.TypeFor[known](), reflect.TypeFor[page[scalarsLite]](), reflect.TypeFor[page[page[int]]](),
	reflect.TypeFor[pages](), reflect.TypeFor[tree](), reflect.TypeFor[*tree](), reflect.TypeFor[[]tree](), reflect.TypeFor[mutualA](), reflect.TypeFor[*mutualB](),
	reflect.TypeFor[embedded](), reflect.TypeFor[[]embedded](), reflect.TypeFor[maps](), reflect.TypeFor[map[string]maps](), reflect.TypeFor[pointers](),
	reflect.TypeFor[omitEmpty](), reflect.TypeFor[[]*omitEmpty](), reflect.TypeFor[omitZero](), reflect.TypeFor[map[int]omitZero](), reflect.TypeFor[quoted](),
	reflect.TypeFor[binary](), reflect.TypeFor[names](), reflect.TypeFor[coders](), reflect.TypeFor[map[uint8]coders](), reflect.TypeFor[anything](), reflect.TypeFor[[]anything](),
	reflect.TypeFor[any](), reflect.TypeFor[[]any](), reflect.TypeFor[map[string]any](), reflect.TypeFor[weights](), reflect.TypeFor[[3]float64](),
	reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[float64](), reflect.TypeFor[float32](), reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](),
	reflect.TypeFor[[]time.Duration](), reflect.TypeFor[[]byte](), reflect.TypeFor[[4]byte](), reflect.TypeFor[jsontext.Value](), reflect.TypeFor[shout](), reflect.TypeFor[custom](),
	reflect.TypeFor[link](), reflect.TypeFor[struct{}](), reflect.TypeFor[[]item](), reflect.TypeFor[order](), reflect.TypeFor[map[string]struct{}](),
}

// TestSameBytes: what plans write is what json/v2 writes, whatever the type
// and the value, addressable or not.
func TestSameBytes(t *testing.T) {
	compiler := result.NewCompiler()
	model := schema.NewModel(schema.Config{})
	g := generator{rand.New(rand.NewPCG(1, 2))}
	values := 0
	for _, typ := range zoo {
		described, faults := model.Of(typ)
		if len(faults) > 0 {
			t.Fatalf("%v: %v", typ, faults)
		}
		plan := compiler.Plan(described)
		for range 600 {
			values++
			v := reflect.New(typ).Elem()
			g.fill(v, 1+g.IntN(5))
			want, err := reference(v.Addr().Interface())
			if err != nil {
				t.Fatalf("json/v2 refuses a %v: %v: %#v", typ, err, v)
			}
			for _, v := range []reflect.Value{v, reflect.ValueOf(v.Interface())} {
				if !v.IsValid() {
					continue // a nil in an interface
				}
				if v.Type() != typ {
					v = reflect.ValueOf([]any{v.Interface()}).Index(0)
				}
				got, repaired, err := plan.Append([]byte("before"), v)
				if err != nil || repaired {
					t.Fatalf("%v: repaired %v, error %v, want %s", typ, repaired, err, want)
				}
				if got, ok := bytes.CutPrefix(got, []byte("before")); !ok || !bytes.Equal(got, want) {
					t.Fatalf("%v:\n got %s\nwant %s", typ, got, want)
				}
			}
		}
	}
	if values < 20_000 {
		t.Errorf("only %d values were compared", values)
	}
}
