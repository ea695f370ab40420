package schema_test

import (
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/invopop/jsonschema"
)

type commented struct {
	base
	A string `json:"a"`
	B string `json:"b" jsonschema_description:"from the tag"`
	C string `json:"c"`
}

func comments(t reflect.Type) (string, map[string]string) {
	switch t {
	case reflect.TypeFor[commented]():
		return "commented is documented.", map[string]string{
			"A": "A is the first.\n\nDeprecated: Use C.", "B": "from the comment", "C": "Deprecated: Use A.",
		}
	case reflect.TypeFor[base]():
		return "base is everywhere.", map[string]string{"ID": "ID of the embedded struct."}
	default:
		return "", nil
	}
}

// A tag goes before the comment; comments of embedded structs count too.
func TestComments(t *testing.T) {
	m := schema.NewModel(schema.Config{Comments: comments})
	typ, faults := m.OfParams(reflect.TypeFor[commented]())
	if faults != nil {
		t.Fatal(faults)
	}
	want := map[string][2]string{
		"id": {"ID of the embedded struct.", ""}, "created": {"", ""},
		"a": {"A is the first.", "Use C."}, "b": {"from the tag", ""}, "c": {"", "Use A."},
	}
	for _, f := range typ.Fields {
		if got := [2]string{f.Description, f.Deprecated}; got != want[f.Name] {
			t.Errorf("%s: %q, want %q", f.Name, got, want[f.Name])
		}
	}
	in := m.Input(typ, schema.Style{})
	got := render(t, m.Definitions(schema.Style{}, in)[0].Schema)
	for _, part := range []string{
		`"description":"commented is documented."`, `"id":{"type":"string","description":"ID of the embedded struct."}`,
		`"a":{"type":"string","description":"A is the first.\n\nDeprecated: Use C.","deprecated":true}`,
		`"c":{"type":"string","description":"Deprecated: Use A.","deprecated":true}`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%s is not in %s", part, got)
		}
	}
	if root := render(t, m.InputObject(typ, schema.Style{})); strings.Contains(root, "commented is documented") {
		t.Errorf("params are described by their method, not by their type: %s", root)
	}
}

type refers struct{ N int }

func (refers) MarshalText() ([]byte, error) { return nil, nil }
func (*refers) UnmarshalText([]byte) error  { return nil }
func (refers) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Items: &jsonschema.Schema{Ref: "#/$defs/x"}}
}

type panics struct{ p *int }

func (panics) MarshalText() ([]byte, error)     { return nil, nil }
func (*panics) UnmarshalText([]byte) error      { return nil }
func (p panics) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Title: string(rune(*p.p))} }

type unwritable struct{ N int }

func (unwritable) MarshalText() ([]byte, error)   { return nil, nil }
func (*unwritable) UnmarshalText([]byte) error    { return nil }
func (unwritable) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Default: func() {}} }

func TestOwnSchemasAreChecked(t *testing.T) {
	tests := []struct {
		rt   reflect.Type
		want string
	}{
		{reflect.TypeFor[refers](), "$ref or $defs"},
		{reflect.TypeFor[panics](), "panics"},
		{reflect.TypeFor[unwritable](), "cannot be encoded"},
	}
	for _, tt := range tests {
		_, faults := newModel().Of(tt.rt)
		if len(faults) != 1 || !strings.Contains(faults[0].Problem, tt.want) {
			t.Errorf("%s: %v", tt.rt, faults)
		}
	}
}

func TestModelIsSafeForConcurrentUse(t *testing.T) {
	m := newModel()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, rt := range zooTypes() {
				typ, _ := m.Of(rt)
				m.Definitions(schema.Style{}, m.Output(typ, schema.Style{}))
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, rt := range zooTypes() {
		typ, _ := m.Of(rt)
		if typ.Name != "" && seen[typ.Name] {
			t.Errorf("two types are called %s", typ.Name)
		}
		seen[typ.Name] = true
	}
}

func TestNumber(t *testing.T) {
	tests := []struct {
		number schema.Number
		wire   string
		ok     bool
	}{
		{"", "0", true}, {"9007199254740993", "9007199254740993", true}, {"9223372036854775808", "9223372036854775808", false}, {"1e400", "1e400", false}, {"0.5", "0.5", false},
	}
	for _, tt := range tests {
		raw, err := encode(tt.number)
		if err != nil || string(raw) != tt.wire {
			t.Errorf("%q is written as %s, %v", tt.number, raw, err)
		}
		if _, err := tt.number.Int64(); (err == nil) != tt.ok {
			t.Errorf("%q as an int64: %v", tt.number, err)
		}
	}
	if f, err := schema.Number("1e400").Float64(); err == nil {
		t.Errorf("1e400 as a float is %v", f)
	}
}
