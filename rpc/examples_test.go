package rpc_test

import (
	"math"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/go-json-experiment/json/jsontext"
)

type weighParams struct {
	Kind  string   `json:"kind,omitempty" validate:"max=3"`
	Grams int      `json:"grams" validate:"min=1"`
	Tare  *float64 `json:"tare"`
}

type scales struct{}

func (scales) Weigh(p weighParams) float64 { return float64(p.Grams) / 1000 }
func (scales) Reset()                      {}

func weighing(examples ...rpc.Example) rpc.Service {
	return rpc.Service{Name: "scales", Methods: []rpc.Method{{Func: scales{}.Weigh, Examples: examples}}}
}

// Examples are kept as they go over the wire, members in the order of params.
func TestExamples(t *testing.T) {
	tare := 0.5
	r, err := rpc.NewRegistry(app, weighing(
		rpc.Example{Name: "struct", Params: weighParams{Grams: 1500}, Result: 1.5},
		rpc.Example{Name: "pointer", Summary: "With tare", Params: &weighParams{Kind: "tea", Grams: 1, Tare: &tare}},
		rpc.Example{Name: "map", Description: "By name.", Params: map[string]any{"grams": 2, "kind": "pot"}},
		rpc.Example{Name: "raw", Params: jsontext.Value(`{"tare":0.50, "grams":1e2}`), Result: float64(2)},
	), rpc.Service{Name: "none", Methods: []rpc.Method{{Func: scales{}.Reset, Examples: []rpc.Example{{Name: "reset"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	e := r.Endpoint(rpc.DefaultGroup, 1)
	var got []string
	for _, s := range r.Specs() {
		if e.Lookup(s.Name()) != s {
			t.Errorf("%s is not the one of its endpoint", s.Name())
		}
		for _, x := range s.Examples {
			got = append(got, x.Name+" | "+x.Summary+x.Description+" | "+string(x.Params)+" | "+string(x.Result))
		}
	}
	want := []string{
		`struct |  | {"grams":1500,"tare":null} | 1.5`,
		`pointer | With tare | {"kind":"tea","grams":1,"tare":0.5} | `,
		`map | By name. | {"kind":"pot","grams":2} | `,
		`raw |  | {"grams":1e2,"tare":0.50} | 2`,
		`reset |  | {} | null`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What is wrong with an example, and with the address of a page, is told where
// it was registered.
func TestExampleFaults(t *testing.T) {
	good := weighParams{Grams: 1}
	method := func(examples ...rpc.Example) []any { return []any{weighing(examples...)} }
	reset := func(x rpc.Example) []any {
		return []any{rpc.Service{Name: "none", Methods: []rpc.Method{{Func: scales{}.Reset, Examples: []rpc.Example{x}}}}}
	}
	const weigh = "service scales, method Weigh: its example "
	for _, row := range []struct {
		services []any
		want     []string
	}{
		{method(rpc.Example{Params: good}), []string{weigh + "number 1 has no Name: name it for what it shows"}},
		{method(rpc.Example{Name: "a", Params: good}, rpc.Example{Name: "a", Params: good}), []string{weigh + `"a" has the Name of another one: give each`}},
		{method(rpc.Example{Name: "a", Params: weighParams{Kind: "long", Grams: 0}}), []string{
			weigh + `"a" would be refused: /kind `, weigh + `"a" would be refused: /grams `, ": write parameters that the method takes"}},
		{method(rpc.Example{Name: "a"}), []string{weigh + `"a" would be refused: /grams `}},
		{method(rpc.Example{Name: "a", Params: map[string]any{"grams": 1, "gramms": 2}}), []string{weigh + `"a" would be refused: /gramms `}},
		{method(rpc.Example{Name: "a", Params: []int{1}}), []string{"they are [1] and no object: write a value"}},
		{method(rpc.Example{Name: "a", Params: 7}), []string{"they are 7 and no object"}},
		{method(rpc.Example{Name: "a", Params: func() {}}), []string{weigh + `"a" has Params that cannot be sent: `}},
		{method(rpc.Example{Name: "a", Params: good, Result: 1}), []string{weigh + `"a" has a Result of the type int, and the method returns float64: write a value of that type`}},
		{method(rpc.Example{Name: "a", Params: good, Result: math.NaN()}), []string{weigh + `"a" has a Result that cannot be sent: result is NaN`}},
		{reset(rpc.Example{Name: "a", Result: 1}), []string{`"a" has a Result, and the method returns none: leave it out`}},
		{reset(rpc.Example{Name: "a", Params: good}), []string{`"a" would be refused: /grams `}},
		{[]any{rpc.Service{Name: "none", Docs: "docs.html", Methods: []rpc.Method{{Func: scales{}.Reset}}}}, []string{
			`service none: its Docs is "docs.html", and no http or https URL: write an address such as https://`}},
		{[]any{rpc.Service{Name: "none", Methods: []rpc.Method{{Func: scales{}.Reset, Docs: "ftp://a/b"}}}}, []string{
			`service none, method Reset: its Docs is "ftp://a/b", and no http or https URL: write an address such as https://`}},
	} {
		_, err := rpc.NewRegistry(app, row.services...)
		if err == nil {
			t.Errorf("want %q, got no fault", row.want)
			continue
		}
		for _, want := range row.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("got %v\nwant %q", err, want)
			}
		}
	}
	a := app
	a.Website = "shop.example"
	if _, err := rpc.NewRegistry(a, scales{}); err == nil || !strings.Contains(err.Error(), `app: App.Website is "shop.example", and no http or https URL`) {
		t.Errorf("got %v", err)
	}
}
