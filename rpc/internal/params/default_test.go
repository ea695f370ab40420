package params_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json/jsontext"
)

type inner struct {
	Deep  int  `json:"deep" default:"7"`
	Shown bool `json:"shown" default:"true"`
}

type defaults struct {
	Bool  bool           `json:"bool" default:"true"`
	Int   int            `json:"int" default:"5"`
	Uint  uint8          `json:"uint" default:"6"`
	Float float32        `json:"float" default:"0.5"`
	Text  string         `json:"text" default:"hello, \"you\""`
	Empty string         `json:"empty" default:""`
	Enum  color          `json:"enum" default:"blue"`
	Wait  time.Duration  `json:"wait" default:"1m"`
	At    time.Time      `json:"at" default:"2026-01-02T15:04:05Z"`
	Exact schema.Number  `json:"exact" default:"1.50"`
	List  []int          `json:"list" default:"[1,2]"`
	Map   map[string]int `json:"map" default:"{\"a\":1}"`
	Bytes []byte         `json:"bytes" default:"AQI="`
	Any   any            `json:"any" default:"{\"n\":[1]}"`
	Raw   jsontext.Value `json:"raw" default:"[1]"`
	Ptr   *int           `json:"ptr" default:"9"`
	PtrS  *inner         `json:"ptrS" default:"{}"`
	Obj   inner          `json:"obj" default:"{\"deep\":8}"`
	Plain inner          `json:"plain,omitzero"`
	Mood  mood           `json:"mood" default:"glad"`
	Quote int            `json:"quote,string" default:"3"`
}

func wantDefaults() defaults {
	return defaults{
		Bool: true, Int: 5, Uint: 6, Float: 0.5, Text: `hello, "you"`, Enum: "blue", Wait: time.Minute,
		At: time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC), Exact: "1.50", List: []int{1, 2}, Map: map[string]int{"a": 1},
		Bytes: []byte{1, 2}, Any: map[string]any{"n": []any{schema.Number("1")}}, Raw: jsontext.Value("[1]"), Ptr: ptr(9),
		PtrS: &inner{7, true}, Obj: inner{8, true}, Mood: mood{"glad"}, Quote: 3,
	}
}

func TestDefaults(t *testing.T) { // R-C11 R-V02
	for _, raw := range []string{``, `null`, `{}`, `[]`} {
		got, bad := decode[defaults](t, raw)
		same(t, raw, bad)
		if want := wantDefaults(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s\n got %+v\nwant %+v", raw, got, want)
		}
	}
}

// An explicit zero wins over the default.
func TestZeroWinsOverDefault(t *testing.T) { // case C15: genmcp/gen-mcp#194
	got, bad := decode[defaults](t, `{"bool":false,"int":0,"uint":0,"float":0,"text":"","wait":"0","list":[],"map":{},"bytes":"","any":null,"raw":null,"ptr":0,"ptrS":{"deep":0,"shown":false},"obj":{},"plain":{},"quote":"0"}`)
	same(t, "zero", bad)
	want := wantDefaults()
	want.Bool, want.Int, want.Uint, want.Float, want.Text, want.Wait = false, 0, 0, 0, "", 0
	want.List, want.Map, want.Bytes, want.Any, want.Raw, want.Ptr = []int{}, map[string]int{}, []byte{}, nil, jsontext.Value("null"), ptr(0)
	want.PtrS, want.Obj, want.Plain, want.Quote = &inner{0, false}, inner{7, true}, inner{7, true}, 0
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
}

// null means the default only for a pointer; for others it is refused.
func TestNullAndDefault(t *testing.T) { // R-C11
	got, bad := decode[defaults](t, `{"ptr":null,"ptrS":null}`)
	same(t, "null", bad)
	if *got.Ptr != 9 || *got.PtrS != (inner{7, true}) {
		t.Errorf("got %+v", got)
	}
	_, bad = decode[defaults](t, `{"bool":null,"list":null,"obj":null,"enum":null,"quote":null}`)
	same(t, "null", bad, "/bool "+notNull, "/list "+notNull, "/obj "+notNull, "/enum "+notNull, "/quote "+notNull)
}

// What one call does to its params is not seen by the next.
func TestDefaultsAreNotShared(t *testing.T) {
	p := compile[defaults](t)
	v, _, _ := run(p, `{}`)
	d := v.Addr().Interface().(*defaults)
	d.List[0], d.Map["a"], d.Bytes[0], d.Raw[0], *d.Ptr, d.PtrS.Deep, d.Obj.Deep = 99, 99, 99, '9', 99, 99, 99
	d.List = append(d.List[:1], 98)
	d.Any.(map[string]any)["n"].([]any)[0] = "changed"
	again, _, _ := run(p, `{}`)
	if got, want := again.Interface().(defaults), wantDefaults(); !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
}

// Defaults stand in elements, values and embedded structs too.
func TestDefaultsBelow(t *testing.T) {
	type Embedded struct {
		Level int `json:"level" default:"4"`
	}
	type p struct {
		Embedded
		List []inner          `json:"list"`
		Map  map[string]inner `json:"map"`
		Ptr  *inner           `json:"ptr"`
	}
	got, bad := decode[p](t, `{"list":[{},{"deep":1}],"map":{"a":{"shown":false}}}`)
	same(t, "below", bad)
	want := p{Embedded{4}, []inner{{7, true}, {1, true}}, map[string]inner{"a": {7, false}}, nil}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}
