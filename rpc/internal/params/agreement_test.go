package params_test

import (
	stdjson "encoding/json"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc/internal/params"
	"github.com/facet-rpc/facet/rpc/internal/result"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	jsonschema "github.com/santhosh-tekuri/jsonschema/v6"
)

// tries is how many values of each type go each way.
func tries() int {
	switch {
	case testing.Short():
		return 500
	case raceEnabled:
		return 2_000 // each takes five times as long
	}
	return 10_000
}

// agreement holds a type against its schemas.
type agreement struct {
	typ     *schema.Type
	plan    *params.Plan
	out     *result.Plan
	inputs  []*jsonschema.Schema // in the styles that say all of it
	outputs []*jsonschema.Schema
}

func newAgreement(t *testing.T, rt reflect.Type) *agreement {
	t.Helper()
	m := schema.NewModel(config())
	_, faults := m.Of(rt)
	typ, more := m.OfParams(rt)
	for _, f := range append(faults, more...) {
		t.Fatal(f)
	}
	c, err := params.NewCompiler(nil)
	if err != nil {
		t.Fatal(err)
	}
	plan, faults := c.Plan(typ)
	for _, f := range faults {
		t.Fatal(f)
	}
	a := &agreement{typ: typ, plan: plan, out: result.NewCompiler().Plan(typ)}
	for _, style := range []schema.Style{{}, {Draft7: true}, {Inline: true}} {
		if !style.Inline { // in place null is left out, and pointers take anything
			a.inputs = append(a.inputs, oracleOf(t, m.InputObject(typ, style)))
		}
		a.outputs = append(a.outputs, oracleOf(t, m.OutputObject(typ, style)))
	}
	return a
}

// Values that Go can hold, as we write them: what a method returns fits the
// schema of results, and as params it is refused by both or by neither.
//
// Texts near the type: decoding with its rules, and the schema of params,
// refuse the same.
func TestSchemasSayWhatIsDone(t *testing.T) { // R-V01 R-V02
	for i, rt := range traps() {
		t.Run(rt.Name(), func(t *testing.T) {
			t.Parallel()
			a := newAgreement(t, rt)
			seed := uint64(i)
			m, w := typeMaker{newRand(100 + seed), false}, writer{newRand(200 + seed)}
			taken, refused := 0, 0
			count := func(text []byte) {
				ok, problem := a.params(w.IntN(len(a.inputs)), string(text))
				if problem != "" {
					t.Fatalf("%s\n%s", text, problem)
				}
				if ok {
					taken++
				} else {
					refused++
				}
			}
			for range tries() {
				v := reflect.New(rt).Elem()
				m.value(v, 4)
				text, _, err := a.out.Append(nil, v)
				if err != nil {
					t.Fatalf("%+v: %v", v, err)
				}
				if err := validate(a.outputs[w.IntN(len(a.outputs))], `{"result":`+string(text)+`}`); err != nil {
					t.Fatalf("the schema of results refuses %s\n%v", text, err)
				}
				count(text)
				count([]byte(w.object(a.typ, 4)))
			}
			if taken < tries()/50 || refused < tries()/50 {
				t.Errorf("%d texts are taken and %d refused: no good test", taken, refused)
			}
		})
	}
}

// params compares the verdicts on params; ok says whether we take them.
func (a *agreement) params(style int, text string) (ok bool, problem string) {
	problem, ok = schemaCheck(a.plan, a.typ, a.inputs[style], text)
	return ok, problem
}

func validate(s *jsonschema.Schema, text string) error {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// value sets v to something random that results may be; the values of enums
// are those listed. depth bounds what lies below it.
func (m typeMaker) value(v reflect.Value, depth int) {
	if m.leafOf(v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if depth > 0 && m.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			m.value(v.Elem(), depth-1)
		}
	case reflect.Slice:
		n := 0
		if depth > 0 {
			n = m.IntN(4) - 1
		}
		if n >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		for i := range v.Len() {
			m.value(v.Index(i), depth-1)
		}
	case reflect.Array:
		for i := range v.Len() {
			m.value(v.Index(i), depth)
		}
	case reflect.Map:
		if m.IntN(4) == 0 {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for range min(depth, m.IntN(3)) {
			key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			m.value(key, 0)
			m.value(elem, depth-1)
			v.SetMapIndex(key, elem)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			m.value(v.Field(i), depth)
		}
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt([]int64{-2, -1, 0, 1, 2, 127, 9007199254740993, -9223372036854775808}[m.IntN(8)] >> (64 - v.Type().Bits()) << m.IntN(2))
		if m.IntN(3) > 0 {
			v.SetInt(int64(m.IntN(6)) - 2)
		}
	case reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(m.Uint64() >> (64 - v.Type().Bits() + m.IntN(v.Type().Bits())))
	default:
		m.fill(v, depth)
	}
}

// leafOf fills the types whose values their kind does not tell.
func (m typeMaker) leafOf(v reflect.Value) bool {
	switch p := v.Addr().Interface().(type) {
	case *color:
		*p = pickOf(m.Rand, color("red"), "blue")
	case *size:
		*p = pickOf(m.Rand, size(1), 20)
	case *mood:
		*p = pickOf(m.Rand, mood{"glad"}, mood{"sad"})
	case *grade:
		*p = pickOf(m.Rand, grade(1), 2)
	case *trapDescribed:
		p.text = pickOf(m.Rand, "", "x", "яя")
	case *uuid.UUID:
		*p = uuid.UUID{byte(m.Uint32()), 1, 2, byte(m.Uint32())}
	case *netip.Addr:
		*p = pickOf(m.Rand, netip.MustParseAddr("::1"), netip.AddrFrom4([4]byte{1, 2, 3, byte(m.Uint32())}))
	case *big.Int:
		p.Lsh(big.NewInt(m.Int64()), uint(m.IntN(100)))
	case *schema.Number:
		*p = pickOf[schema.Number](m.Rand, "0", "-0", "1.50", "1E+400", "-12345678901234567890")
	case *jsontext.Value:
		*p = pickOf[jsontext.Value](m.Rand, nil, []byte(`null`), []byte(`[1,{"a":2}]`), []byte(`"x"`))
	case *stdjson.RawMessage:
		*p = pickOf[stdjson.RawMessage](m.Rand, nil, []byte(`1e2`), []byte(`{"b":1,"a":[]}`))
	default:
		if v.Kind() == reflect.Struct && v.NumField() > 0 && v.Type().PkgPath() == "time" {
			m.fill(v, 0)
			return true
		}
		return false
	}
	return true
}

func pickOf[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// What a method returns can be sent to one as it is, and comes back the same.
func TestResultsComeBackAsParams(t *testing.T) { // case C09: goreleaser/goreleaser#6801; case C07; case C10
	type whole struct {
		Measured trapMeasured `json:"measured"`
		Coded    trapCoded    `json:"coded"`
		Unknown  trapUnknown  `json:"unknown"`
		Maybe    trapMutual   `json:"maybe"`
	}
	a := newAgreement(t, reflect.TypeFor[whole]())
	m := typeMaker{newRand(300), false}
	for range tries() / 5 {
		v := reflect.New(reflect.TypeFor[whole]()).Elem()
		m.value(v, 3)
		text, _, err := a.out.Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		back := a.plan.New()
		if bad, err := a.plan.Decode(text, back, false); err != nil || len(bad) > 0 {
			t.Fatalf("%s\n%v %v", text, show(bad), err)
		}
		if again, _, err := a.out.Append(nil, back); err != nil || string(again) != string(text) {
			t.Fatalf("%v\n got %s\nwant %s", err, again, text)
		}
	}
}
