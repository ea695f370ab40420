package result_test

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	stdjson "encoding/json"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json/jsontext"
)

var errOwn = errors.New("the disk is full")

// broken fails in each way that a type's own encoder can.
type broken struct{ how string }

func (b broken) MarshalJSON() ([]byte, error) {
	switch b.how {
	case "error":
		return nil, errOwn
	case "panic":
		panic("from MarshalJSON")
	default:
		return []byte(b.how), nil
	}
}
func (b *broken) UnmarshalJSON([]byte) error { return nil }

type brokenStream struct{ what any }

func (b brokenStream) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	panic(b.what)
}
func (b *brokenStream) UnmarshalJSONFrom(dec *jsontext.Decoder) error { return dec.SkipValue() }

type brokenText struct{ bad bool }

func (b brokenText) MarshalText() ([]byte, error) {
	if b.bad {
		return nil, errOwn
	}
	return []byte("same"), nil
}
func (b *brokenText) UnmarshalText([]byte) error { return nil }

type brokenAppender string

func (b brokenAppender) AppendText([]byte) ([]byte, error) { return nil, errOwn }
func (b brokenAppender) UnmarshalText([]byte) error        { return nil }

type price struct {
	Price float64 `json:"price"`
}

type cart struct {
	Items []price `json:"items"`
}

// twins are different keys with equal texts.
type twins int

func (t twins) MarshalText() ([]byte, error)  { return []byte("same"), nil }
func (t *twins) UnmarshalText(b []byte) error { return nil }

type ring struct {
	Next *ring          `json:"next"`
	Self map[string]any `json:"self"`
	List []any          `json:"list"`
}

type knot *knot

// selves are values that hold themselves.
func selves() map[string]any {
	byPointer := &ring{}
	byPointer.Next = byPointer
	byMap := map[string]any{}
	byMap["self"] = byMap
	list := make([]any, 1)
	list[0] = list
	var byInterface any
	byInterface = &byInterface
	var tied knot
	tied = &tied
	return map[string]any{
		"pointer": byPointer, "map": &ring{Self: byMap}, "list": &ring{List: list}, "interface": byInterface, "knot": tied,
		"unknown": struct {
			Out outOnly
			Any any
		}{Any: byInterface},
		"deep unknown": map[string]any{"a": struct {
			Out outOnly
			Any map[string][]any
		}{Any: map[string][]any{"b": {1, []any{byInterface}}}}},
		"far below": map[string]any{"a": []any{1, &ring{List: []any{byInterface}}}},
	}
}

// TestFaults: an error says where and why, in words that name no Go type.
func TestFaults(t *testing.T) { // R-C14
	far, farther := time.FixedZone("", 24*3600), time.FixedZone("", 100*3600)
	for _, c := range []struct {
		value any
		want  string
	}{
		{math.NaN(), "result is NaN"},
		{float32(math.Inf(-1)), "result is -Inf"},
		{cart{[]price{{1}, {2}, {3}, {math.NaN()}}}, "result at /items/3/price is NaN"},
		{map[string]any{"a/b~c": []float64{0, math.Inf(1)}}, "result at /a~1b~0c/1 is +Inf"},
		{map[int]*cart{7: {[]price{{math.NaN()}}}}, "result at /7/items/0/price is NaN"},
		{struct {
			Quoted *float64 `json:"quoted,string"`
		}{new(math.NaN())}, "result at /quoted is NaN"},
		{embedded{Audit: &Audit{By: "x"}, Base: Base{Created: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}}, "result at /created is a time outside the years 0 to 9999"},
		{[]time.Time{time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC)}, "result at /0 is a time outside the years 0 to 9999"},
		{[]time.Time{time.Date(2026, 1, 1, 0, 0, 0, 0, far)}, "result at /0 is a time whose zone is more than 23 hours away"},
		{[]time.Time{time.Date(2026, 1, 1, 0, 0, 0, 0, farther)}, "result at /0 is a time whose zone is more than 23 hours away"},
		{map[string]int{"a\xff": 1, "a\xfe": 2}, "result at /a\ufffd is there twice"},
		{map[twins]int{1: 1, 2: 2}, "result at /same is there twice"},
		{[]any{broken{"error"}}, "result at /0 cannot be encoded: the disk is full"},
		{map[string]brokenText{"t": {true}}, "result at /t cannot be encoded: the disk is full"},
		{map[brokenText]int{{true}: 1}, "result cannot be encoded: the disk is full"},
		{[]brokenAppender{""}, "result at /0 cannot be encoded: the disk is full"},
		{[]jsontext.Value{jsontext.Value(`{"a":`)}, "result at /0 cannot be encoded: jsontext: unexpected EOF"},
		{[]jsontext.Value{jsontext.Value(`{"a":1,"a":2}`)}, "result at /0 cannot be encoded: jsontext: duplicate object member name \"a\""},
		{[]stdjson.RawMessage{{}}, "result at /0 cannot be encoded: "},
		{[]broken{{"{]"}}, "result at /0 cannot be encoded: jsontext: invalid character ']'"},
		{[]schema.Number{"1.5.5"}, "result at /0 cannot be encoded: jsontext: invalid character '.'"},
		{[]any{func() {}}, "result at /0 is of a type that has no form in JSON"},
		{map[string]any{"a": []any{make(chan int)}}, "result at /a/0 is of a type that has no form in JSON"},
		{map[string]any{"out": faulty{Keys: map[float64]int{math.NaN(): 1}}}, "result at /out/"},
	} {
		var in any = c.value
		plan := planOf(t, reflect.TypeFor[any]())
		before := []byte(`{"result":`)
		out, repaired, err := plan.Append(before, reflect.ValueOf(&in).Elem())
		if err == nil {
			t.Errorf("no error for %v but %s", c.want, out)
			continue
		}
		if got := err.Error(); !strings.HasPrefix(got, c.want) || strings.Contains(got, "result_test") || strings.Contains(got, "Go ") {
			t.Errorf("\n got %s\nwant %s", got, c.want)
		}
		if string(out) != string(before) || repaired {
			t.Errorf("%s: dst became %q", c.want, out)
		}
		if strings.HasSuffix(c.want, errOwn.Error()) && !errors.Is(err, errOwn) {
			t.Errorf("%v does not wrap its cause", err)
		}
	}
}

// TestHoldsItself: a value that holds itself is an error, however it does so,
// and never a stack overflow.
func TestHoldsItself(t *testing.T) { // R-C14
	plan := planOf(t, reflect.TypeFor[any]())
	for how, value := range selves() {
		out, _, err := plan.Append(nil, reflect.ValueOf(&value).Elem())
		if err == nil {
			t.Errorf("%s: %d bytes", how, len(out))
		} else if got := err.Error(); !strings.HasSuffix(got, "is nested more than 1000 levels deep, or holds itself") || len(got) > 300 {
			t.Errorf("%s: %s", how, got)
		}
	}
}

// TestDepth: 1000 levels pass, one more does not.
func TestDepth(t *testing.T) { // R-C14
	for _, c := range []struct {
		levels int
		ok     bool
	}{{1000, true}, {1001, false}} {
		var value any = "inside"
		for range c.levels {
			value = []any{value}
		}
		_, _, err := planOf(t, reflect.TypeFor[any]()).Append(nil, reflect.ValueOf(&value).Elem())
		if (err == nil) != c.ok {
			t.Errorf("%d levels: %v", c.levels, err)
		}
		list := (*tree)(nil)
		for range c.levels {
			list = &tree{Right: list}
		}
		_, _, err = planOf(t, reflect.TypeFor[*tree]()).Append(nil, reflect.ValueOf(list))
		if (err == nil) != c.ok {
			t.Errorf("a list of %d: %v", c.levels, err)
		}
	}
}

// TestWide: the bounds are on what lies within each other, not beside.
func TestWide(t *testing.T) {
	value := make([]any, 6000)
	for i := range value {
		value[i] = &scalarsLite{}
		if i%3 == 1 {
			value[i] = [][]int{{1}}
		}
		if i%3 == 2 {
			value[i] = map[string]*int{"a": nil, "b": &i}
		}
	}
	want, err := reference(value)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := planOf(t, reflect.TypeFor[[]any]()).Append(nil, reflect.ValueOf(value))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("error %v, or not what json/v2 writes", err)
	}
}

// TestPanic: the panic of a type's own encoder passes, and what comes after it
// is not touched by it.
func TestPanic(t *testing.T) { // R-C14
	plan := planOf(t, reflect.TypeFor[[]any]())
	for _, bad := range []any{broken{"panic"}, brokenStream{"from MarshalJSON"}, &brokenStream{"from MarshalJSON"}} {
		for range 3 {
			func() {
				defer func() {
					if got := recover(); got != "from MarshalJSON" {
						t.Errorf("recovered %v", got)
					}
				}()
				_, _, err := plan.Append(nil, reflect.ValueOf([]any{1, bad}))
				t.Errorf("no panic but %v", err)
			}()
			out, _, err := plan.Append(nil, reflect.ValueOf([]any{custom{"fine"}, &stream{2}, broken{"[1]"}}))
			if want := `["fine",[0,1],[1]]`; err != nil || string(out) != want {
				t.Errorf("after the panic: %s, %v; want %s", out, err, want)
			}
		}
	}
}
