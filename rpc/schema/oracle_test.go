package schema_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	oracle "github.com/santhosh-tekuri/jsonschema/v6"
)

// compile gives the schema to another implementation, formats asserted.
func compile(t *testing.T, text string) *oracle.Schema {
	t.Helper()
	doc, err := oracle.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	c := oracle.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("mem:schema", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:schema")
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return s
}

func verdict(t *testing.T, s *oracle.Schema, value []byte) error {
	t.Helper()
	v, err := oracle.UnmarshalJSON(strings.NewReader(string(value)))
	if err != nil {
		t.Fatalf("%v in %s", err, value)
	}
	return s.Validate(v)
}

func encode(v any) ([]byte, error) {
	return json.Marshal(v, json.Deterministic(true), json.WithMarshalers(
		json.MarshalFunc(func(d time.Duration) ([]byte, error) { return json.Marshal(d.String()) })))
}

// Whatever a method may return fits the schema of results, in every style.
func TestResultsFitTheirSchema(t *testing.T) {
	m := zooModel(t)
	r := rand.New(rand.NewPCG(1, 2))
	for _, rt := range zooTypes() {
		typ, _ := m.Of(rt)
		full := compile(t, render(t, m.OutputObject(typ, schema.Style{})))
		inline := compile(t, render(t, m.OutputObject(typ, schema.Style{Inline: true})))
		for range 200 {
			v := reflect.New(rt).Elem()
			fill(r, v, 3)
			raw, err := encode(v.Interface())
			if err != nil {
				t.Fatalf("%s: %v", rt, err)
			}
			value := fmt.Appendf(nil, `{"result":%s}`, raw)
			for _, s := range []*oracle.Schema{full, inline} {
				if err := verdict(t, s, value); err != nil {
					t.Fatalf("%s: %v\n%s", rt, err, value)
				}
			}
		}
	}
}

// A definition is legal where OpenRPC keeps it too.
func TestComponentsResolve(t *testing.T) {
	m := zooModel(t)
	style := schema.Style{RefPrefix: "#/components/schemas/", Draft7: true}
	for _, rt := range zooTypes() {
		typ, _ := m.Of(rt)
		in, out := m.Input(typ, style), m.Output(typ, style)
		var all []string
		for _, d := range m.Definitions(style, in, out) {
			all = append(all, strconv.Quote(d.Name)+":"+render(t, d.Schema))
		}
		compile(t, `{"$schema":"http://json-schema.org/draft-07/schema#","anyOf":[`+render(t, in)+","+render(t, out)+`],"components":{"schemas":{`+strings.Join(all, ",")+`}}}`)
	}
}

// fill sets v to something random, at most depth levels deep.
func fill(r *rand.Rand, v reflect.Value, depth int) {
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		*p = time.Unix(r.Int64N(1e9), r.Int64N(1e9)).UTC()
		return
	case *time.Duration:
		*p = time.Duration(r.Int64())
		return
	case *uuid.UUID:
		*p = uuid.UUID{byte(r.Int()), 1, 2}
		return
	case *netip.Addr:
		*p = netip.AddrFrom4([4]byte{1, 2, 3, byte(r.Int())})
		return
	case *big.Int:
		p.SetInt64(r.Int64())
		return
	case *schema.Number:
		*p = schema.Number(strconv.FormatFloat(r.Float64(), 'g', -1, 64))
		return
	case *jsontext.Value:
		*p = jsontext.Value(`{"raw":[1]}`)
		return
	case *color:
		*p = []color{red, blue}[r.IntN(2)]
		return
	case *status:
		*p = []status{open, closed}[r.IntN(2)]
		return
	case *signal:
		*p = []signal{stop, walk}[r.IntN(2)]
		return
	case *any:
		*p = []any{nil, "text", 1.5, true, []any{nil}}[r.IntN(5)]
		return
	}
	fillKind(r, v, depth)
}

func fillKind(r *rand.Rand, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(r.Int64() - r.Int64())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64())
	case reflect.Float64, reflect.Float32:
		v.SetFloat(r.NormFloat64())
	case reflect.String:
		v.SetString([]string{"", "x", "Привіт", "a b"}[r.IntN(4)])
	case reflect.Pointer:
		if depth > 0 && r.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem(), depth-1)
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[[]byte]() || v.Type().Elem().Kind() != reflect.Uint8 {
			if depth > 0 && r.IntN(3) > 0 {
				v.Set(reflect.MakeSlice(v.Type(), 2, 2))
				fill(r, v.Index(0), depth-1)
				fill(r, v.Index(1), depth-1)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i), depth)
		}
	case reflect.Map:
		if depth > 0 && r.IntN(3) > 0 {
			v.Set(reflect.MakeMap(v.Type()))
			key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(r, key, depth-1)
			fill(r, elem, depth-1)
			v.SetMapIndex(key, elem)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(r, v.Field(i), depth)
			}
		}
	}
}
