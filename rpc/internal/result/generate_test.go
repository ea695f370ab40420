package result_test

import (
	stdjson "encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"time"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
)

// generator makes random values; those that json/v2 refuses stay out.
type generator struct{ *rand.Rand }

var pieces = []string{
	"", "a", "name", "red shoes, size 42", "Київ", "日本", "\U0001f600", "<b>&</b>", `"`, `\`, "\n", "\t\b\f\r", "\x00\x1f\x7f",
	"\u2028\u2029", "\ufffd", "0123456789abcdef", "/", "ü", "é", "{}", "[]", "null",
}

var words = []string{"null", "true", `""`, "{}", "[]", "0", "-0", "1e5", "1.50", `{"b":1,"a":[2, 3]}`, ` [ "\u0041" , {} ] `, `"\/\ud83d\ude00"`, "12345678901234567890"}

var times = []time.Time{
	{}, time.Unix(0, 0).UTC(), time.Date(2026, 11, 30, 21, 26, 55, 123456789, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC),
	time.Date(2024, 2, 29, 12, 0, 0, 500000000, time.FixedZone("", 2*3600)), time.Date(0, 1, 1, 0, 0, 0, 0, time.FixedZone("", -11*3600-30*60)),
	time.Date(1900, 1, 1, 0, 0, 0, 0, time.FixedZone("", 23*3600+59*60+59)),
}

func pick[T any](g generator, of []T) T { return of[g.IntN(len(of))] }

func (g generator) text() string {
	var b strings.Builder
	for range g.IntN(4) {
		b.WriteString(pick(g, pieces))
	}
	if g.IntN(40) == 0 {
		b.WriteString(strings.Repeat(b.String()+"x", 600))
	}
	return b.String()
}

func (g generator) float(bits int) float64 {
	var f float64
	switch g.IntN(7) {
	case 0:
		f = 0
	case 1:
		f = float64(g.IntN(2000) - 1000)
	case 2:
		f = float64(g.IntN(2_000_000)-1_000_000) / 100
	case 3:
		f = g.NormFloat64() * math.Pow(10, float64(g.IntN(40)-20))
	case 4:
		f = pick(g, []float64{math.Copysign(0, -1), math.MaxFloat64, -math.MaxFloat64, 1e21, 1e20, 999999999999999, 1e15, 1e16, 0.1, 0.3, 1e-6, 1e-7, 5e-324, math.MaxInt64, 1 << 53, 123456789012345.67, 0.01, 0.005})
	case 5:
		f = math.Float64frombits(g.Uint64())
	default:
		f = float64(g.Int64N(1e16)) / pick(g, []float64{1, 2, 10, 100, 1000})
	}
	if bits == 32 {
		f = float64(float32(f))
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 1.5
	}
	return f
}

func (g generator) int() int64 {
	switch g.IntN(3) {
	case 0:
		return 0
	case 1:
		return int64(g.IntN(300) - 100)
	default:
		return int64(g.Uint64())
	}
}

// special fills types whose values cannot be made from their kind.
func (g generator) special(v reflect.Value) bool {
	if v.Type() == reflect.TypeFor[stdjson.RawMessage]() { // with GOEXPERIMENT=jsonv2 the same as jsontext.Value
		v.Set(reflect.ValueOf(stdjson.RawMessage(pick(g, words))))
		if g.IntN(5) == 0 {
			v.SetZero()
		}
		return true
	}
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		*p = pick(g, times)
	case *uuid.UUID:
		if g.IntN(4) > 0 {
			for i := range p {
				p[i] = byte(g.Uint32())
			}
		}
	case *netip.Addr:
		*p = pick(g, []netip.Addr{{}, netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("fe80::1%eth0"), netip.AddrFrom4([4]byte{byte(g.Uint32()), 1, 2, 3})})
	case *netip.Prefix:
		*p = pick(g, []netip.Prefix{{}, netip.MustParsePrefix("10.0.0.0/8")})
	case *big.Int:
		p.Exp(big.NewInt(g.int()), big.NewInt(int64(g.IntN(5))), nil)
	case *schema.Number:
		*p = pick(g, []schema.Number{"", "0", "-0", "1.50", "1E+400", "-12345678901234567890", " 7 ", `"text"`, "true"})
	case *stdjson.Number:
		*p = pick(g, []stdjson.Number{"0", "-1.50", "1E+400"})
	case *jsontext.Value:
		*p = jsontext.Value(pick(g, append(words, "")))
		if len(*p) == 0 {
			*p = nil
		}
	case *shout:
		p.text = g.text()
	case *link2:
		p.Host, p.Path = "example.com", "/"+g.text()
	case *stream:
		p.n = g.IntN(8)
	case *outOnly:
		p.n = g.IntN(8)
	case *custom:
		*p = custom{g.any(2)}
	default:
		return false
	}
	return true
}

// any is a value as it may stand in an interface.
func (g generator) any(depth int) any {
	t := pick(g, []reflect.Type{
		nil, reflect.TypeFor[bool](), reflect.TypeFor[string](), reflect.TypeFor[float64](), reflect.TypeFor[int](), reflect.TypeFor[uint8](),
		reflect.TypeFor[float32](), reflect.TypeFor[[]any](), reflect.TypeFor[map[string]any](), reflect.TypeFor[map[string]any](), reflect.TypeFor[[]any](),
		reflect.TypeFor[scalars](), reflect.TypeFor[*scalarsLite](), reflect.TypeFor[time.Duration](), reflect.TypeFor[time.Time](),
		reflect.TypeFor[*time.Time](), reflect.TypeFor[uuid.UUID](), reflect.TypeFor[[]byte](), reflect.TypeFor[[3]byte](), reflect.TypeFor[map[int]string](),
		reflect.TypeFor[schema.Number](), reflect.TypeFor[stdjson.Number](), reflect.TypeFor[jsontext.Value](), reflect.TypeFor[shout](), reflect.TypeFor[*shout](),
		reflect.TypeFor[custom](), reflect.TypeFor[stream](), reflect.TypeFor[outOnly](), reflect.TypeFor[faulty](), reflect.TypeFor[*any](),
		reflect.TypeFor[omitEmpty](), reflect.TypeFor[omitZero](), reflect.TypeFor[big.Int](), reflect.TypeFor[map[whisper]any](), reflect.TypeFor[link](),
	})
	if t == nil || depth <= 0 {
		return nil
	}
	v := reflect.New(t).Elem()
	g.fill(v, depth-1)
	return v.Interface()
}

// fill sets v to a random value; depth bounds what lies below it.
func (g generator) fill(v reflect.Value, depth int) {
	if g.special(v) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(g.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(g.int() >> (64 - v.Type().Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(g.int()) >> (64 - v.Type().Bits()))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(g.float(v.Type().Bits()))
	case reflect.String:
		v.SetString(g.text())
	case reflect.Pointer:
		if depth > 0 && g.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()).Convert(v.Type()))
			g.fill(v.Elem(), depth-1)
		}
	case reflect.Interface:
		g.face(v, depth)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() || v.Type().Field(i).Anonymous && f.Kind() == reflect.Struct {
				g.field(f, depth)
			}
		}
	default:
		g.collection(v, depth)
	}
}

// field fills a field; of an embedded unexported struct only the inside.
func (g generator) field(f reflect.Value, depth int) {
	if f.CanSet() {
		g.fill(f, depth)
		return
	}
	for i := range f.NumField() {
		if f.Field(i).CanSet() {
			g.fill(f.Field(i), depth)
		}
	}
}

func (g generator) face(v reflect.Value, depth int) {
	var x any
	switch v.Type() {
	case reflect.TypeFor[any]():
		x = g.any(depth)
	case reflect.TypeFor[fmt.Stringer]():
		x = pick(g, []any{nil, time.Second, uuid.UUID{}, (*time.Time)(nil), &times[2], big.NewInt(7)})
	case reflect.TypeFor[interface{ IsZero() bool }]():
		x = pick(g, []any{nil, zeroByValue(g.IntN(4)), (*zeroByPointer)(nil), &zeroByPointer{g.IntN(20)}, times[2]})
	}
	if x != nil {
		v.Set(reflect.ValueOf(x))
	}
}

func (g generator) collection(v reflect.Value, depth int) {
	n := 0
	if depth > 0 {
		n = g.IntN(5)
	}
	switch v.Kind() {
	case reflect.Array:
		for i := range v.Len() {
			g.fill(v.Index(i), depth-1)
		}
	case reflect.Slice:
		if g.IntN(4) == 0 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			g.fill(v.Index(i), depth-1)
		}
	case reflect.Map:
		if g.IntN(4) == 0 {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for range n {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			g.fill(key, 1)
			g.fill(value, depth-1)
			v.SetMapIndex(key, value)
		}
	default:
		panic("no random " + v.Type().String())
	}
}
