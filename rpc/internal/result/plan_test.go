package result_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc/internal/result"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// reference is how json/v2 writes v.
func reference(v any) ([]byte, error) {
	return json.Marshal(v, json.Deterministic(true), jsontext.PreserveRawStrings(true), jsontext.AllowInvalidUTF8(true),
		json.WithMarshalers(json.MarshalFunc(func(d time.Duration) ([]byte, error) { return []byte(`"` + d.String() + `"`), nil })))
}

func planOf(t testing.TB, typ reflect.Type) *result.Plan {
	t.Helper()
	described, faults := schema.NewModel(schema.Config{}).Of(typ)
	if len(faults) > 0 {
		t.Fatalf("%v: %v", typ, faults)
	}
	return result.NewCompiler().Plan(described)
}

func TestSmoke(t *testing.T) {
	type T struct {
		A string         `json:"a"`
		B []int          `json:"b,omitempty"`
		M map[int]any    `json:"m"`
		D time.Duration  `json:"d"`
		T time.Time      `json:"t,omitzero"`
		R jsontext.Value `json:"r"`
		N []*T           `json:"n"`
	}
	v := T{A: "x\"<\xff", M: map[int]any{10: 1.5, 2: time.Second, 3: []any{nil, "a", map[string]any{"z": 1, "b": true}}}, R: jsontext.Value(`{"a" : "\u0041"}`), N: []*T{nil, {}}}
	p := planOf(t, reflect.TypeFor[T]())
	got, repaired, err := p.Append([]byte("pre"), reflect.ValueOf(v))
	want, err2 := reference(v)
	t.Logf("%s %v %v\n%s %v", got, repaired, err, want, err2)
	if string(got) != "pre"+string(want) {
		t.Error("differs")
	}
}
