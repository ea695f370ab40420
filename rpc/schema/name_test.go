package schema_test

import (
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/facet-rpc/facet/rpc/schema/testdata/zoo"
)

// Order and OrderInput meet the name that Order has as params.
type (
	Order struct {
		A int `json:"a"`
	}
	OrderInput struct {
		B int `json:"b"`
	}
	pair[K comparable, V any] struct {
		Key   K `json:"key"`
		Value V `json:"value"`
	}
)

func local() reflect.Type {
	type Config struct {
		C int `json:"c"`
	}
	return reflect.TypeFor[Config]()
}

func TestNames(t *testing.T) {
	tests := []struct {
		name  string
		types []reflect.Type
		want  []string
	}{
		{"alone", []reflect.Type{reflect.TypeFor[zoo.Config]()}, []string{"Config"}},
		// case C01: invopop/jsonschema#194
		{"two packages", []reflect.Type{reflect.TypeFor[zoo.Config](), reflect.TypeFor[Config]()}, []string{"zoo_Config", "schema_test_Config"}},
		{"declared in a function", []reflect.Type{reflect.TypeFor[Config](), local()},
			[]string{"github_com_facet_rpc_facet_rpc_schema_test_Config", "github_com_facet_rpc_facet_rpc_schema_test_Config2"}},
		{"generic", []reflect.Type{reflect.TypeFor[page[Config]]()}, []string{"pageOfConfig"}},
		{"generic of two", []reflect.Type{reflect.TypeFor[pair[string, []*Config]]()}, []string{"pairOfStringAndConfigList"}},
		{"generic of generic", []reflect.Type{reflect.TypeFor[page[pair[int, map[string]bool]]]()}, []string{"pageOfPairOfIntAndBoolByString"}},
		{"generic of two packages", []reflect.Type{reflect.TypeFor[page[Config]](), reflect.TypeFor[page[zoo.Config]]()},
			[]string{"schema_test_pageOfSchema_test_Config", "schema_test_pageOfZoo_Config"}},
		{"in place", []reflect.Type{reflect.TypeFor[struct{}](), reflect.TypeFor[[]Config](), reflect.TypeFor[level]()}, []string{"", "", ""}},
		{"recursive list", []reflect.Type{reflect.TypeFor[tree](), reflect.TypeFor[graph]()}, []string{"tree", "graph"}},
	}
	legal := regexp.MustCompile(`^[a-zA-Z0-9._-]*$`)
	for _, tt := range tests {
		for _, backwards := range []bool{false, true} {
			m, types := newModel(), slices.Clone(tt.types)
			if backwards {
				slices.Reverse(types)
			}
			for _, rt := range types {
				m.Of(rt)
			}
			var got []string
			for _, rt := range tt.types {
				typ, _ := m.Of(rt)
				got = append(got, typ.Name)
				if !legal.MatchString(typ.Name) {
					t.Errorf("%s: %q is no key of components", tt.name, typ.Name)
				}
			}
			if tt.name == "declared in a function" {
				slices.Sort(got) // nothing but the order tells two such types apart
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s, backwards %v: %q, want %q", tt.name, backwards, got, tt.want)
			}
		}
	}
}

func TestNamesOfParams(t *testing.T) {
	order, input := reflect.TypeFor[Order](), reflect.TypeFor[OrderInput]()
	ref := func(m *schema.Model, rt reflect.Type, in bool) string {
		typ, _ := m.Of(rt)
		if in {
			return m.Input(typ, schema.Style{}).Ref
		}
		return m.Output(typ, schema.Style{}).Ref
	}
	onlyParams := newModel()
	typ, _ := onlyParams.OfParams(order)
	if got := onlyParams.Input(typ, schema.Style{}).Ref; got != "#/$defs/Order" {
		t.Errorf("params only: %s", got)
	}
	if got := onlyParams.Output(typ, schema.Style{}); got.Ref != "#/$defs/OrderOutput" ||
		len(onlyParams.Definitions(schema.Style{}, got)) != 1 {
		t.Errorf("params only, shown as a result: %s", got.Ref)
	}
	both := newModel()
	both.OfParams(order)
	if in, out := ref(both, order, true), ref(both, order, false); in != "#/$defs/OrderInput" || out != "#/$defs/Order" {
		t.Errorf("both ways: %s and %s", in, out)
	}
	taken := newModel()
	taken.OfParams(order)
	taken.Of(order)
	taken.OfParams(input)
	if in, other := ref(taken, order, true), ref(taken, input, true); in == other {
		t.Errorf("two types are called %s", in)
	}
	enum := newModel()
	enum.OfParams(reflect.TypeFor[color]())
	if in, out := ref(enum, reflect.TypeFor[color](), true), ref(enum, reflect.TypeFor[color](), false); in != "#/$defs/color" || out != in {
		t.Errorf("an enum is the same both ways: %s and %s", in, out)
	}
}

func TestNamesStayOnceRendered(t *testing.T) {
	m := newModel()
	a, _ := m.Of(reflect.TypeFor[Config]())
	before := m.Output(a, schema.Style{}).Ref
	b, _ := m.Of(reflect.TypeFor[zoo.Config]())
	if after := m.Output(a, schema.Style{}).Ref; after != before {
		t.Errorf("%s became %s", before, after)
	}
	if b.Name != "zoo_Config" {
		t.Errorf("the later type is called %s", b.Name)
	}
}
