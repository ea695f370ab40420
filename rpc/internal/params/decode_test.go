package params_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc/scan"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json/jsontext"
)

type address struct {
	City string `json:"city"`
	Zip  string `json:"zip,omitzero"`
}

type line struct {
	SKU string `json:"sku"`
	Qty int    `json:"qty"`
}

type order struct {
	Number  string          `json:"number"`
	Address address         `json:"address"`
	Lines   []line          `json:"lines"`
	Notes   map[string]line `json:"notes,omitzero"`
	Ship    *address        `json:"ship"`
}

const (
	required = " required(): is required"
	unknown  = " unknown(): is not a known parameter"
	twice    = " duplicate(): is given twice"
)

func TestByName(t *testing.T) { // R-C01 R-V02
	got, bad := decode[order](t, ` { "lines" : [ {"qty":2,"sku":"a"} ] , "number":"n","address":{"city":"Kyiv","zip":"1"},"notes":{"x":{"sku":"b","qty":1}},"ship":{"city":"Lviv"} } `)
	same(t, "order", bad)
	want := order{"n", address{"Kyiv", "1"}, []line{{"a", 2}}, map[string]line{"x": {"b", 1}}, &address{City: "Lviv"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	for _, c := range []struct {
		raw  string
		want []string
	}{
		// Missing members come in the order of the fields, after what was given.
		{`{}`, []string{"/number" + required, "/address" + required, "/lines" + required}},
		{`null`, []string{"/number" + required, "/address" + required, "/lines" + required}}, // case A13: tendermint/tendermint#708
		{``, []string{"/number" + required, "/address" + required, "/lines" + required}},
		{`{"lines":[{},{"qty":"1"}],"number":null}`, []string{
			"/lines/0/sku" + required, "/lines/0/qty" + required, "/lines/1/qty " + anInteger, "/lines/1/sku" + required, "/number " + notNull, "/address" + required,
		}},
		// null is for pointers only, at every depth.
		{`{"number":"n","address":null,"lines":null,"notes":null,"ship":null}`, []string{"/address " + notNull, "/lines " + notNull, "/notes " + notNull}},
		{`{"number":"n","address":{"city":null},"lines":[null],"notes":{"a/b~c":null}}`, []string{"/address/city " + notNull, "/lines/0 " + notNull, "/notes/a~1b~0c " + notNull}},
		// Unknown members, exact in case, long s included (case A11).
		{`{"number":"n","address":{"city":"c"},"lines":[],"Number":"x","line\u017f":1,"":2,"a/b~":{"c":[1,"]"]}}`, []string{"/Number" + unknown, "/line\u017f" + unknown, "/" + unknown, "/a~1b~0" + unknown}},
		{`{"number":"n","address":{"city":"c","CITY":1},"lines":[{"sku":"s","qty":1,"q":0}]}`, []string{"/address/CITY" + unknown, "/lines/0/q" + unknown}},
		// Duplicates, other spellings included; the first value is kept and both are read.
		{`{"number":"n","n\u0075mber":"m","address":{"city":"c","\u0063ity":"d"},"lines":[]}`, []string{"/number" + twice, "/address/city" + twice}},
		{`{"number":"n","number":5,"address":{"city":"c"},"lines":[],"notes":{"a":{"sku":"s","qty":1},"\u0061":{"sku":"s","qty":"x"}}}`, []string{"/number" + twice, "/notes/a" + twice, "/notes/a/qty " + anInteger}},
		{`{"zz":1,"zz":2,"number":"n","address":{"city":"c"},"lines":[]}`, []string{"/zz" + unknown, "/zz" + unknown}},
		// Wrong types.
		{`{"number":"n","address":[],"lines":{},"notes":[1],"ship":"s"}`, []string{"/address " + anObject, "/lines " + anArray, "/notes " + anObject, "/ship " + anObject}},
		{`"x"`, []string{" " + anObject}},
		{`5`, []string{" " + anObject}},
		{`true`, []string{" " + anObject}},
	} {
		_, bad := decode[order](t, c.raw)
		same(t, c.raw, bad, c.want...)
	}
	if got, _ := decode[order](t, `{"number":"first","number":"second"}`); got.Number != "first" {
		t.Errorf("of two values the second was kept: %+v", got)
	}
}

type none struct{}

func TestNoParams(t *testing.T) { // case A13: gorilla/rpc#1, elpheria/rpc-websockets#151
	for _, raw := range []string{``, ` `, `null`, `{}`, `[]`, ` [ ] `} {
		_, bad := decode[none](t, raw)
		same(t, raw, bad)
	}
	_, bad := decode[none](t, `{"a":1}`)
	same(t, "a", bad, "/a"+unknown)
	_, bad = decode[none](t, `[1]`)
	same(t, "[1]", bad, " count(0): takes no values by position, not 1")
}

func TestControlMember(t *testing.T) { // R-C09
	type p struct {
		A address `json:"a"`
	}
	plan := compile[p](t)
	for _, c := range []struct {
		raw  string
		with bool
		want []string
	}{
		{`{"$rpc":{"timeout":[1]},"a":{"city":"c"}}`, true, nil},
		{`{"$rpc":{},"a":{"city":"c"}}`, false, []string{"/$rpc" + unknown}},
		{`{"a":{"city":"c"},"$rpd":1,"":2}`, true, []string{"/$rpd" + unknown, "/" + unknown}},
		{`{"a":{"city":"c","$rpc":{}}}`, true, []string{"/a/$rpc" + unknown}},
	} {
		bad, err := plan.Decode([]byte(c.raw), plan.New(), c.with)
		if err != nil {
			t.Fatal(err)
		}
		same(t, c.raw, texts(t, bad), c.want...)
	}
}

// What is no JSON is an error of the scanner, never a half-read success.
func TestNotJSON(t *testing.T) {
	p := compile[order](t)
	for _, raw := range []string{
		`{`, `}`, `{"number"}`, `{"number":}`, `{"number":"n",}`, `{"number":"n"}}`, `{"number":"n"} x`, `{number:1}`, `["n",]`, `["n"`, `[`, `nul`, `{"number":nul}`,
		`{"lines":[{"sku":"a"`, `{"lines":[1 2]}`, `{"notes":{"a":1 "b":2}}`, `{"notes":{1:2}}`, `{"zz":[1,}`, `{"number":"a` + "\x01" + `"}`, `{"number":"` + "\xff" + `"}`,
		`{"number":"\ud800"}`, `{"zz":"\ud800"}`, `{"lines":[01]}`, `{"number" "n"}`, `{"number":"n" "a":1}`, `["n" "m"]`, `1 2`, `"x" y`, `null null`,
	} {
		v := p.New()
		bad, err := p.Decode([]byte(raw), v, false)
		if _, ok := err.(*scan.Error); !ok || bad != nil {
			t.Errorf("%s: %v, %v", raw, bad, err)
		}
	}
}

type deep struct {
	Kids []deep          `json:"kids,omitzero"`
	Next *deep           `json:"next"`
	Any  any             `json:"any,omitzero"`
	Raw  jsontext.Value  `json:"raw,omitzero"`
	Map  map[string]deep `json:"map,omitzero"`
	Own  tagged          `json:"own,omitzero"`
}

// Depth is bounded in every kind that nests: a stack overflow cannot be
// recovered from.
func TestDepth(t *testing.T) { // case B06: golang/go#31789
	p := compile[deep](t)
	for _, c := range []struct {
		name       string
		per        int // levels that open and shut are
		open, shut string
	}{
		{"struct", 1, `{"next":`, `}`}, {"slice", 2, `{"kids":[`, `]}`}, {"map", 2, `{"map":{"a":`, `}}`},
		{"any arrays", 1, `[`, `]`}, {"any objects", 1, `{"a":`, `}`},
	} {
		for _, levels := range []int{scan.DefaultDepth, scan.DefaultDepth + c.per, 100_000} {
			n := (levels - 2) / c.per // of the whole text: params, n times in, one object
			for _, at := range []string{"next", "any", "raw", "own", "unknown"} {
				if at == "next" != strings.HasPrefix(c.open, `{"`) || at == "next" && c.name == "any objects" {
					continue
				}
				raw := `{"` + at + `":` + strings.Repeat(c.open, n) + `{}` + strings.Repeat(c.shut, n) + `}`
				_, err := p.Decode([]byte(raw), p.New(), false)
				e, _ := err.(*scan.Error)
				if levels > scan.DefaultDepth && (e == nil || !e.Depth) || levels <= scan.DefaultDepth && err != nil {
					t.Errorf("%d levels of %s in %s: %v", levels, c.name, at, err)
				}
			}
		}
	}
}

// A hostile text that is wrong everywhere gets an answer of bounded size.
func TestViolationsAreBounded(t *testing.T) { // R-C14
	p := compile[order](t)
	size := func(raw string) (n, bytes int) {
		t.Helper()
		_, bad, err := run(p, raw)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range bad {
			bytes += len(v.Pointer) + len(v.Message) + len(v.Param)
		}
		return len(bad), bytes
	}
	long := strings.Repeat("n", 100_000)
	for name, raw := range map[string]string{
		"elements": `{"lines":[` + strings.Repeat(`1,`, 100_000) + `1]}`,
		"unknown":  `{` + strings.Repeat(`"a":1,`, 100_000) + `"b":2}`,
		"names":    `{"` + long + `":1,"notes":{"` + long + `":{` + strings.Repeat(`"`+long[:100]+`":1,`, 1000) + `"b":2}}}`,
		"places":   `[` + strings.Repeat(`1,`, 100_000) + `1]`,
	} {
		if n, bytes := size(raw); n < 4 || n > 101 || bytes > 64<<10 {
			t.Errorf("%s: %d violations of %d bytes", name, n, bytes)
		}
	}
	_, bad, _ := run(p, `{"`+long+`é":1}`)
	if got := texts(t, bad); got[0] != "/"+long[:128]+"…"+unknown {
		t.Errorf("a long name reads %.300s", got[0])
	}
}

// fields makes a struct of n int fields f0, f1, ….
func fields(n int) reflect.Type {
	var list []reflect.StructField
	for i := range n {
		list = append(list, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[int](), Tag: reflect.StructTag(fmt.Sprintf(`json:"f%d"`, i))})
	}
	return reflect.StructOf(list)
}

func TestManyFields(t *testing.T) {
	for _, n := range []int{1, 63, 64, 65, 128, 255, 256} {
		p, faults := tryCompile(t, fields(n))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		var all strings.Builder
		for i := n - 1; i >= 0; i-- { // against the order of the struct
			fmt.Fprintf(&all, `,"f%d":%d`, i, i)
		}
		v, bad, err := run(p, `{`+all.String()[1:]+`}`)
		if err != nil || len(bad) > 0 {
			t.Fatal(n, bad, err)
		}
		for i := range n {
			if v.Field(i).Int() != int64(i) {
				t.Errorf("%d fields: f%d is %d", n, i, v.Field(i).Int())
			}
		}
		_, bad, _ = run(p, fmt.Sprintf(`{"f%d":1,"f%d":1}`, n-1, n-1))
		want := []string{fmt.Sprintf("/f%d", n-1) + twice}
		for i := range min(n-1, 99) {
			want = append(want, fmt.Sprintf("/f%d", i)+required)
		}
		same(t, fmt.Sprint(n), texts(t, bad), want...)
	}
	_, faults := tryCompile(t, fields(257))
	if len(faults) != 1 || !strings.Contains(faults[0].Error(), "it has more than 256 fields; split it into nested structs") {
		t.Errorf("257 fields: %v", faults)
	}
}

type (
	base struct {
		ID string `json:"id"`
	}
	embedding struct {
		base
		*Audit
		Name string `json:"name"`
	}
	Audit struct {
		By   string `json:"by"`
		Note *int   `json:"note"`
	}
	pair[A, B any] struct {
		First  A `json:"first"`
		Second B `json:"second"`
	}
	ping struct {
		Pong *pong `json:"pong"`
	}
	pong struct {
		Ping map[string]ping `json:"ping,omitzero"`
		N    int             `json:"n"`
	}
)

func TestShapesOfTypes(t *testing.T) {
	e, bad := decode[embedding](t, `{"id":"i","name":"n"}`)
	same(t, "embedded", bad)
	if e.ID != "i" || e.Audit != nil {
		t.Errorf("got %+v", e)
	}
	e, bad = decode[embedding](t, `{"id":"i","name":"n","by":"b"}`)
	same(t, "embedded pointer", bad)
	if e.Audit == nil || e.By != "b" {
		t.Errorf("got %+v", e)
	}
	_, bad = decode[embedding](t, `{"by":1,"note":"x"}`)
	same(t, "embedded, wrong", bad, "/by "+aString, "/note "+anInteger, "/id"+required, "/name"+required)

	g, bad := decode[pair[int, pair[string, []int]]](t, `{"first":1,"second":{"first":"a","second":[2]}}`)
	same(t, "generic", bad)
	if g.Second.Second[0] != 2 {
		t.Errorf("got %+v", g)
	}
	_, bad = decode[pair[int, pair[string, []int]]](t, `{"first":"1","second":{"first":2,"second":[0.5]}}`)
	same(t, "generic, wrong", bad, "/first "+anInteger, "/second/first "+aString, "/second/second/0 "+anInteger)

	r, bad := decode[ping](t, `{"pong":{"n":1,"ping":{"a":{"pong":{"n":2}},"b":{"pong":null}}}}`) // case C03
	same(t, "recursive", bad)
	if r.Pong.Ping["a"].Pong.N != 2 {
		t.Errorf("got %+v", r)
	}
	_, bad = decode[ping](t, `{"pong":{"ping":{"a":{"pong":{"n":null}}}}}`)
	same(t, "recursive, wrong", bad, "/pong/ping/a/pong/n "+notNull, "/pong/n"+required)
}

func TestArraysAndMaps(t *testing.T) { // case C14: mark3labs/mcp-go#920
	const name = "format(an integer as its name): must be an integer as its name"
	takes(t, row[[]int]{raw: `[]`, want: []int{}}, row[[]int]{raw: `[1,2,3,4,5,6,7,8,9]`, want: []int{1, 2, 3, 4, 5, 6, 7, 8, 9}}, row[[]int]{raw: `[1,"2"]`, refused: "/v/1 " + anInteger})
	takes(t, row[[2]int]{raw: `[1,2]`, want: [2]int{1, 2}}, row[[2]int]{raw: `[1]`, refused: "len(2): must have the length 2"}, row[[2]int]{raw: `[]`, refused: "len(2): must have the length 2"},
		row[[2]int]{raw: `[1,2,"x"]`, refused: "len(2): must have the length 2"}, row[[2]int]{raw: `[1,null]`, refused: "/v/1 " + notNull}, row[[2]int]{raw: `null`, refused: notNull})
	takes(t, row[[0]int]{raw: `[]`}, row[[0]int]{raw: `[1]`, refused: "len(0): must have the length 0"})
	takes(t, row[[][]string]{raw: `[["a"],[]]`, want: [][]string{{"a"}, {}}}, row[[][]string]{raw: `[["a"],["b",1]]`, refused: "/v/1/1 " + aString}, row[[][]string]{raw: `[null]`, refused: "/v/0 " + notNull})
	takes(t, row[[]*int]{raw: `[1,null]`, want: []*int{ptr(1), nil}})
	takes(t, row[**int]{raw: `1`, want: ptr(ptr(1))}, row[**int]{raw: `null`}, row[**int]{raw: `"1"`, refused: anInteger})
	takes(t, row[map[string]int]{raw: `{}`, want: map[string]int{}}, row[map[string]int]{raw: `{"":1,"\u0061":2}`, want: map[string]int{"": 1, "a": 2}}, row[map[string]int]{raw: `{"a":1,"\u0061":2}`, refused: "/v/a duplicate(): is given twice"}, row[map[string]int]{raw: `{"x/~y":"1"}`, refused: "/v/x~1~0y " + anInteger})
	takes(t, row[map[int8]int]{raw: `{"1":1,"-5":2,"-0":3}`, want: map[int8]int{1: 1, -5: 2, 0: 3}}, row[map[int8]int]{raw: `{"01":1}`, refused: "/v/01 " + name}, row[map[int8]int]{raw: `{"1.0":1}`, refused: "/v/1.0 " + name}, row[map[int8]int]{raw: `{"1e0":1}`, refused: "/v/1e0 " + name},
		row[map[int8]int]{raw: `{" 1":1}`, refused: "/v/ 1 " + name}, row[map[int8]int]{raw: `{"":1}`, refused: "/v/ " + name}, row[map[int8]int]{raw: `{"x":1}`, refused: "/v/x " + name}, row[map[int8]int]{raw: `{"128":1}`, refused: "/v/128 " + outside("-128", "127")},
		row[map[int8]int]{raw: `{"0":1,"-0":2}`, refused: "/v/-0 duplicate(): is given twice"}, row[map[int8]int]{raw: `{"1":1,"\u0031":2}`, refused: "/v/1 duplicate(): is given twice"}, row[map[int8]int]{raw: `null`, refused: notNull})
	takes(t, row[map[uint]string]{raw: `{"18446744073709551615":"a"}`, want: map[uint]string{18446744073709551615: "a"}}, row[map[uint]string]{raw: `{"-1":"a"}`, refused: "/v/-1 " + outside("0", "18446744073709551615")})
	takes(t, row[map[string][]address]{raw: `{"a":[{"city":"c"}]}`, want: map[string][]address{"a": {{City: "c"}}}}, row[map[string][]address]{raw: `{"a":[{"zip":"c"}]}`, refused: "/v/a/0/city" + required})
	takes(t, row[map[string]schema.Number]{raw: `{"a":1.0}`, want: map[string]schema.Number{"a": "1.0"}})
}
