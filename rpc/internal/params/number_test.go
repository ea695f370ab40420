package params_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc/schema"
)

const (
	anInteger = "type(integer): must be an integer"
	aNumber   = "type(number): must be a number"
)

func outside(from, to string) string {
	text := "an integer from " + from + " to " + to
	return "range(" + text + "): must be " + text
}

func TestIntegers(t *testing.T) { // R-C13
	i64 := outside("-9223372036854775808", "9223372036854775807")
	takes(t, row[int64]{raw: `0`}, row[int64]{raw: `-0`}, row[int64]{raw: `-0.0`}, row[int64]{raw: `0e999999999999999999999`}, row[int64]{raw: `0.000`},
		row[int64]{raw: `9007199254740993`, want: 9007199254740993}, row[int64]{raw: `-9007199254740993`, want: -9007199254740993}, // case C18
		row[int64]{raw: `9223372036854775807`, want: math.MaxInt64}, row[int64]{raw: `-9223372036854775808`, want: math.MinInt64},
		row[int64]{raw: `999999999999999999`, want: 999999999999999999}, row[int64]{raw: `-99999999999999999`, want: -99999999999999999},
		row[int64]{raw: `1.0`, want: 1}, row[int64]{raw: `1e2`, want: 100}, row[int64]{raw: `1E+2`, want: 100}, row[int64]{raw: `1.50e1`, want: 15}, row[int64]{raw: `-12000e-3`, want: -12},
		row[int64]{raw: `9223372036854775807.000`, want: math.MaxInt64}, row[int64]{raw: `922337203685477580.7e1`, want: math.MaxInt64}, row[int64]{raw: `0.0009223372036854775807e19`, refused: anInteger},
		row[int64]{raw: `9223372036854775808`, refused: i64}, row[int64]{raw: `-9223372036854775809`, refused: i64}, row[int64]{raw: `1e400`, refused: i64}, row[int64]{raw: `9.223372036854775808e18`, refused: i64},
		row[int64]{raw: `1e99999999999999999999`, refused: i64}, row[int64]{raw: `-1e19`, refused: i64},
		row[int64]{raw: `0.5`, refused: anInteger}, row[int64]{raw: `1e-1`, refused: anInteger}, row[int64]{raw: `-1.5`, refused: anInteger}, row[int64]{raw: `1e-99999999999999999999`, refused: anInteger}, row[int64]{raw: `10.01e1`, refused: anInteger},
		row[int64]{raw: `"5"`, refused: anInteger}, row[int64]{raw: `true`, refused: anInteger}, row[int64]{raw: `[1]`, refused: anInteger}, row[int64]{raw: `{}`, refused: anInteger}, row[int64]{raw: `null`, refused: notNull})
	takes(t, row[int8]{raw: `127`, want: 127}, row[int8]{raw: `-128`, want: -128}, row[int8]{raw: `1.27e2`, want: 127}, row[int8]{raw: `128`, refused: outside("-128", "127")}, row[int8]{raw: `-129`, refused: outside("-128", "127")})
	takes(t, row[int16]{raw: `-32768`, want: -32768}, row[int16]{raw: `32768`, refused: outside("-32768", "32767")})
	takes(t, row[int32]{raw: `2147483647`, want: math.MaxInt32}, row[int32]{raw: `2147483648`, refused: outside("-2147483648", "2147483647")})
	takes(t, row[uint64]{raw: `18446744073709551615`, want: math.MaxUint64}, row[uint64]{raw: `-0`}, row[uint64]{raw: `-0.0`}, row[uint64]{raw: `1e19`, want: 1e19},
		row[uint64]{raw: `18446744073709551616`, refused: outside("0", "18446744073709551615")}, row[uint64]{raw: `-1`, refused: outside("0", "18446744073709551615")}, row[uint64]{raw: `-10e-1`, refused: outside("0", "18446744073709551615")}, row[uint64]{raw: `0.5`, refused: anInteger})
	takes(t, row[uint8]{raw: `255`, want: 255}, row[uint8]{raw: `256`, refused: outside("0", "255")}, row[uint8]{raw: `-5`, refused: outside("0", "255")})
	takes(t, row[uint16]{raw: `65536`, refused: outside("0", "65535")})
}

func TestFloats(t *testing.T) {
	const too64, too32 = "range(a number that fits 64 bits): must be a number that fits 64 bits", "range(a number that fits 32 bits): must be a number that fits 32 bits"
	takes(t, row[float64]{raw: `1`, want: 1}, row[float64]{raw: `0.1`, want: 0.1}, row[float64]{raw: `-1.5e300`, want: -1.5e300}, row[float64]{raw: `1e-400`},
		row[float64]{raw: `-0`, want: math.Copysign(0, -1)}, row[float64]{raw: `1e400`, refused: too64}, row[float64]{raw: `-1e400`, refused: too64}, row[float64]{raw: `"1"`, refused: aNumber}, row[float64]{raw: `null`, refused: notNull})
	takes(t, row[float32]{raw: `0.1`, want: 0.1}, row[float32]{raw: `3.4028235e38`, want: math.MaxFloat32}, row[float32]{raw: `3.5e38`, refused: too32})
}

// A number that costs more than its length would let one request stop a CPU.
func TestLongNumbersTakeLinearTime(t *testing.T) { // R-C14
	million := strings.Repeat("0", 1_000_000)
	p := compile[one[int64]](t)
	for _, c := range []struct {
		name, raw string
		want      int64 // 0: refused
	}{
		{"a million zeros, then 1", "0." + million + "1e1000001", 1},
		{"two million zeros, then 1", "0." + million + million + "1e2000001", 1},
		{"1, a million zeros, as many places back", "1" + million + "e-1000000", 1},
		{"1 and a million zeros", "1" + million, 0},
		{"a million zeros after the point", "7." + million, 7},
		{"1 and a million zeros after the point, times more", "1." + million + "e30", 0},
		{"an exponent of a million digits", "1e1" + million, 0},
		{"a negative exponent of a million digits", "1e-1" + million, 0},
		{"an exponent of a million zeros", "5e" + million, 5},
	} {
		begin := time.Now()
		v, bad, err := run(p, `{"v":`+c.raw+`}`)
		if took := time.Since(begin); took > 2*time.Second {
			t.Errorf("%s: %v", c.name, took)
		}
		if got := v.Interface().(one[int64]).V; err != nil || got != c.want || (len(bad) > 0) != (c.want == 0) {
			t.Errorf("%s: %d, %v, %v", c.name, got, bad, err)
		}
	}
}

// Number keeps what was written.
func TestExactNumbers(t *testing.T) {
	for _, raw := range []string{`0`, `-0`, `1.0`, `1e400`, `123456789012345678901234567890.10`, `1E+2`} {
		takes(t, row[schema.Number]{raw: raw, want: schema.Number(raw)})
	}
	takes(t, row[schema.Number]{raw: `"1"`, refused: aNumber}, row[schema.Number]{raw: `null`, refused: notNull}, row[*schema.Number]{raw: `null`}.asNumber())
}

func (r row[T]) asNumber() row[schema.Number] { return row[schema.Number]{raw: `7`, want: "7"} }

// Numbers under any are exact at every depth.
func TestAny(t *testing.T) {
	type n = schema.Number
	takes(t, row[any]{raw: `null`}, row[any]{raw: `true`, want: true}, row[any]{raw: `"a\u0062"`, want: "ab"}, row[any]{raw: `9007199254740993`, want: n("9007199254740993")},
		row[any]{raw: `[1.0,[{"a":1e400,"b":null}],{}]`, want: []any{n("1.0"), []any{map[string]any{"a": n("1e400"), "b": nil}}, map[string]any{}}}, row[any]{raw: `[]`, want: []any{}},
		row[any]{raw: `{"a":1,"a":2}`, refused: "/v/a duplicate(): is given twice"}, row[any]{raw: `[0,{"x/y":{"~":1,"\u007e":2}}]`, refused: "/v/1/x~1y/~0 duplicate(): is given twice"})
	takes(t, row[[]any]{raw: `[1,null]`, want: []any{n("1"), nil}})
	takes(t, row[map[string]any]{raw: `{"a":[7]}`, want: map[string]any{"a": []any{n("7")}}})
	takes(t, row[*any]{raw: `null`}, row[*any]{raw: `1`, want: func() *any { var x any = n("1"); return &x }()})
}

type quotedNumbers struct {
	I int64   `json:"i,string"`
	U *uint8  `json:"u,string"`
	F float64 `json:"f,string" default:"1.5"`
}

func TestQuotedNumbers(t *testing.T) {
	got, bad := decode[quotedNumbers](t, `{"i":"9007199254740993","u":"7"}`)
	same(t, "quoted", bad)
	if got.I != 9007199254740993 || *got.U != 7 || got.F != 1.5 {
		t.Errorf("got %+v", got)
	}
	const bad1 = " format(a number in quotes): must be a number in quotes"
	for raw, want := range map[string][]string{
		`{"i":5}`:                       {"/i " + aString},
		`{"i":null}`:                    {"/i " + notNull},
		`{"i":"","u":"-1","f":"x"}`:     {"/i" + bad1, "/u " + outside("0", "255"), "/f" + bad1},
		`{"i":" 5"}`:                    {"/i" + bad1},
		`{"i":"5 "}`:                    {"/i" + bad1},
		`{"i":"\u0035"}`:                {"/i" + bad1},
		`{"i":"0.5","u":null,"f":"01"}`: {"/i" + bad1, "/f" + bad1},
		`{"i":"1.0","u":"-0"}`:          {"/i" + bad1, "/u" + bad1},
	} {
		_, bad := decode[quotedNumbers](t, raw)
		same(t, raw, bad, want...)
	}
}
