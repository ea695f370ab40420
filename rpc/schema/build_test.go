package schema_test

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
)

type color string

const (
	red  color = "red"
	blue color = "blue"
)

type status int

const (
	open   status = 1
	closed status = 2
)

// signal encodes itself as JSON text.
type signal int

const (
	stop signal = iota
	walk
)

func (s signal) MarshalJSON() ([]byte, error) { return []byte([]string{`"stop"`, `"go"`}[s]), nil }
func (s *signal) UnmarshalJSON(b []byte) error {
	*s = stop
	if string(b) == `"go"` {
		*s = walk
	}
	return nil
}

type level int

func (l level) MarshalText() ([]byte, error)  { return []byte("level"), nil }
func (l *level) UnmarshalText(b []byte) error { return nil }

type either struct{ N int }

func (e either) MarshalJSON() ([]byte, error)  { return []byte(`0`), nil }
func (e *either) UnmarshalJSON(b []byte) error { return nil }

type node struct {
	Name string  `json:"name"`
	Kids []*node `json:"kids"`
}

type base struct {
	ID      string `json:"id"`
	Created string `json:"created,omitzero"`
}

type page[T any] struct {
	Items []T `json:"items"`
	Next  int `json:"next"`
}

func newModel() *schema.Model {
	return schema.NewModel(schema.Config{
		Enums: []schema.Enum{{Type: reflect.TypeFor[color](), Values: []schema.Constant{{Value: red, Doc: "Red, like a rose."}, {Value: blue}}},
			{Type: reflect.TypeFor[status](), Values: []schema.Constant{{Value: open}, {Value: closed}}},
			{Type: reflect.TypeFor[signal](), Values: []schema.Constant{{Value: stop}, {Value: walk}}},
			{Type: reflect.TypeFor[notEnum](), Values: []schema.Constant{{Value: notEnum{}}}},
			{Type: reflect.TypeFor[twice](), Values: []schema.Constant{{Value: twice("a")}, {Value: twice("a")}}},
			{Type: reflect.TypeFor[stranger](), Values: []schema.Constant{{Value: "a"}}},
		},
		Rules: map[string]bool{"sku": true},
	})
}

func TestKinds(t *testing.T) {
	tests := []struct {
		value any
		kind  schema.Kind
	}{
		{false, schema.Bool}, {int8(0), schema.Int}, {uint64(0), schema.Uint}, {float32(0), schema.Float}, {"", schema.String},
		{[]byte(nil), schema.Bytes}, {[16]byte{}, schema.Bytes}, {[]level(nil), schema.Array}, {[3]int{}, schema.Array},
		{time.Time{}, schema.Time}, {time.Duration(0), schema.Duration}, {schema.Number(""), schema.Exact},
		{jsontext.Value(nil), schema.Raw}, {json.RawMessage(nil), schema.Raw}, // case C10
		{uuid.UUID{}, schema.Text}, {netip.Addr{}, schema.Text}, {level(0), schema.Text},
		{big.Int{}, schema.Custom}, {either{}, schema.Custom}, {&either{}, schema.Pointer},
		{node{}, schema.Object}, {map[int]string{}, schema.Map}, {color(""), schema.String}, {struct{}{}, schema.Object},
	}
	for _, tt := range tests {
		got, faults := newModel().Of(reflect.TypeOf(tt.value))
		if got.Kind != tt.kind || faults != nil {
			t.Errorf("%T: kind %v, want %v; faults %v", tt.value, got.Kind, tt.kind, faults)
		}
	}
	if got, _ := newModel().Of(reflect.TypeFor[any]()); got.Kind != schema.Any {
		t.Errorf("any: kind %v", got.Kind)
	}
}

func TestTypesAreShared(t *testing.T) {
	m := newModel()
	a, _ := m.Of(reflect.TypeFor[node]())
	b, _ := m.OfParams(reflect.TypeFor[node]())
	if a != b {
		t.Error("two Types for one Go type")
	}
	if a.Fields[1].Type.Elem.Elem != a { // case C03: modelcontextprotocol/go-sdk#749
		t.Error("a recursive type does not point at itself")
	}
}

func TestFields(t *testing.T) {
	type Inner struct {
		Deep int `json:"deep" validate:"min=1"`
	}
	type in struct {
		base
		*Inner
		Query string        `json:"query" validate:"max=200"`
		Limit int           `json:"limit" validate:"min=1,max=100" default:"10"`
		Wait  time.Duration `json:"wait" default:"1m30s"`
		Color color         `json:"color,omitzero" default:"red"`
		Opt   *int          `json:"opt"`
		Must  *int          `json:"must" validate:"required"`
		Big   int64         `json:"big,string" default:"7"`
		List  []string      `json:"list" default:"[ \"a\" ]"`
		Skip  string        `json:"-"`
		Both  *color        `json:"both" default:"blue"`
	}
	got, faults := newModel().OfParams(reflect.TypeFor[in]())
	if faults != nil {
		t.Fatal(faults)
	}
	want := map[string]struct {
		required bool
		index    []int
		def      string
	}{
		"id": {true, []int{0, 0}, ""}, "created": {false, []int{0, 1}, ""}, "deep": {false, []int{1, 0}, ""},
		"query": {true, []int{2}, ""}, "limit": {false, []int{3}, "10"}, "wait": {false, []int{4}, `"1m30s"`},
		"color": {false, []int{5}, `"red"`}, "opt": {false, []int{6}, ""}, "must": {true, []int{7}, ""},
		"big": {false, []int{8}, `"7"`}, "list": {false, []int{9}, `["a"]`}, "both": {false, []int{11}, `"blue"`},
	}
	if len(got.Fields) != len(want) {
		t.Errorf("%d fields, want %d", len(got.Fields), len(want))
	}
	for name, w := range want {
		i := got.Lookup([]byte(name))
		if i < 0 {
			t.Errorf("no field %s", name)
			continue
		}
		f := got.Fields[i]
		if f.Required != w.required || !reflect.DeepEqual(f.Index, w.index) || string(f.Default) != w.def {
			t.Errorf("%s: required %v, index %v, default %s; want %+v", name, f.Required, f.Index, f.Default, w)
		}
	}
	if got.Lookup([]byte("Query")) >= 0 {
		t.Error("names must match by case")
	}
	if !got.Ruled {
		t.Error("a type with validate tags is not Ruled")
	}
}

func TestRules(t *testing.T) {
	type in struct {
		A string              `json:"a" validate:"omitempty,alpha|numeric,ne=a0x2Cb0x7C"`
		B map[string][]string `json:"b" validate:"min=1,dive,keys,len=2,endkeys,max=3,dive,required"`
	}
	got, faults := newModel().OfParams(reflect.TypeFor[in]())
	if faults != nil {
		t.Fatal(faults)
	}
	a, b := got.Fields[0].Rules, got.Fields[1].Rules
	wantA := &schema.Rules{Tag: "omitempty,alpha|numeric,ne=a0x2Cb0x7C", OmitEmpty: true, List: []schema.Rule{
		{Name: "alpha", Or: []schema.Rule{{Name: "alpha"}, {Name: "numeric"}}}, {Name: "ne", Param: "a,b|", Wire: "a,b|"},
	}}
	wantB := &schema.Rules{Tag: "min=1", List: []schema.Rule{{Name: "min", Param: "1", Wire: "1"}},
		Keys: &schema.Rules{Tag: "len=2", List: []schema.Rule{{Name: "len", Param: "2", Wire: "2"}}},
		Elem: &schema.Rules{Tag: "max=3", List: []schema.Rule{{Name: "max", Param: "3", Wire: "3"}},
			Elem: &schema.Rules{Tag: "required", List: []schema.Rule{{Name: "required"}}}},
	}
	if !reflect.DeepEqual(a, wantA) {
		t.Errorf("a: %+v", a)
	}
	if !reflect.DeepEqual(b, wantB) {
		t.Errorf("b: %+v", b)
	}
}

func TestOfParamsIsStricterThanOf(t *testing.T) {
	type out struct {
		Plain string
		Any   interface{ M() }
	}
	m := newModel()
	if _, faults := m.Of(reflect.TypeFor[out]()); faults != nil {
		t.Errorf("as a result: %v", faults)
	}
	_, faults := m.OfParams(reflect.TypeFor[out]())
	if len(faults) != 3 || !strings.Contains(faults[0].Error(), `out.Plain: it has no JSON name; add a tag such as json:"plain"`) {
		t.Errorf("as params: %v", faults)
	}
}
