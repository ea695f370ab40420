package mcp_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Ruled has rules that a schema states, states in part, and cannot state, and
// rules whose name alone does not tell which.
type Ruled struct {
	Wait   time.Duration   `json:"wait,omitzero" validate:"omitempty,min=1s"`
	Lower  string          `json:"lower,omitzero" validate:"omitempty,lowercase"`
	Upper  string          `json:"upper,omitzero" validate:"omitempty,uppercase"`
	Link   string          `json:"link,omitzero" validate:"omitempty,http_url"`
	Mail   string          `json:"mail,omitzero" validate:"omitempty,email"`
	Either string          `json:"either,omitzero" validate:"omitempty,len=3|lowercase"`
	Hint   string          `json:"hint,omitzero" validate:"omitempty,len=3|email"`
	Choice string          `json:"choice,omitzero" validate:"omitempty,eq=a|eq=b"`
	Quoted int             `json:"quoted,omitzero,string" validate:"omitempty,min=5"`
	Count  *int            `json:"count,omitzero" validate:"omitempty,min=5"`
	Keyed  map[string]int  `json:"keyed,omitzero" validate:"max=2,dive,keys,lowercase,endkeys,min=1"`
	Nums   map[int]string  `json:"nums,omitzero" validate:"dive,keys,min=3,endkeys,max=3"`
	List   []string        `json:"list,omitzero" validate:"max=2,dive,lowercase"`
	Kids   []*Ruled        `json:"kids,omitzero" validate:"max=2,dive"`
	Delays []time.Duration `json:"delays,omitzero" validate:"max=2,dive,min=1s"`
}

// RuledAround has a rule across fields too, for which validator checks all
// rules of the params.
type RuledAround struct {
	Ruled
	From  int `json:"from,omitzero" validate:"omitempty,ltefield=Until"`
	Until int `json:"until,omitzero"`
}

type MustParams struct {
	At   time.Time `json:"at" validate:"required"`
	Name string    `json:"name" validate:"required"`
}

func ruledService() rpc.Service {
	return rpc.Service{Name: "Ruled", Groups: []string{"mcp"}, Methods: []rpc.Method{
		{Name: "do", Func: func(Ruled) string { return "ok" }}, {Name: "around", Func: func(RuledAround) string { return "ok" }},
		{Name: "must", Func: func(MustParams) string { return "ok" }},
	}}
}

// R-M08: whether an error is one of the protocol is what the inputSchema says
// of the value, not the name of the rule.
func TestRulesAsTheSchemaStatesThem(t *testing.T) {
	p := mount(t, setup{services: []any{ruledService()}})
	do, around := compile(t, p.list(t, "").tool("Ruled.do").InputSchema), compile(t, p.list(t, "").tool("Ruled.around").InputSchema)
	for _, c := range []struct {
		arguments string
		protocol  bool
	}{
		{`{"quoted":"3"}`, false}, {`{"quoted":3}`, true}, // the second is of another type
		{`{"count":3}`, true},
		{`{"wait":"10ms"}`, false}, {`{"wait":"x"}`, true}, {`{"delays":["10ms"]}`, false}, {`{"delays":["1s","1s","1s"]}`, true},
		{`{"lower":"A"}`, true}, {`{"lower":"É"}`, false}, {`{"upper":"a"}`, true}, {`{"upper":"é"}`, false},
		{`{"link":"ftp://x"}`, true}, {`{"link":"http://"}`, false}, {`{"mail":"x"}`, false},
		{`{"either":"AB"}`, true}, {`{"either":"ÉÉ"}`, false}, {`{"hint":"ab"}`, false}, {`{"choice":"c"}`, true},
		{`{"keyed":{"A":1}}`, true}, {`{"keyed":{"É":1}}`, false}, {`{"keyed":{"a":0}}`, true},
		{`{"nums":{"1":"a"}}`, false}, {`{"nums":{"4":"abcd"}}`, true},
		{`{"list":["a","A"]}`, true}, {`{"list":["a","É"]}`, false}, {`{"kids":[{},{"lower":"A"}]}`, true}, {`{"kids":[{},{"lower":"É"}]}`, false},
		{`{"kids":[{"wait":"10ms"},{"lower":"A"}]}`, true},
	} {
		value, err := schemaValue(c.arguments)
		if err != nil {
			t.Fatal(err)
		}
		for tool, input := range map[string]*jsonschema.Schema{"Ruled.do": do, "Ruled.around": around} {
			_, isResult := errorOf(t, p.call(tool, c.arguments).Body.Bytes())
			if refused := input.Validate(value) != nil; refused != c.protocol || isResult == c.protocol {
				t.Errorf("%s %s: the schema refuses it: %v; an error of the protocol: %v; want %v", tool, c.arguments, refused, !isResult, c.protocol)
			}
		}
	}
	if e, isResult := errorOf(t, p.call("Ruled.around", `{"from":2,"until":1}`).Body.Bytes()); !isResult || e.rules() != "ltefield" {
		t.Errorf("%s", e.raw)
	}
	for arguments, protocol := range map[string]bool{
		`{"name":"a"}`: true, `{"at":"0001-01-01T00:00:00Z","name":"a"}`: false,
		`{"at":"2026-01-01T00:00:00Z"}`: true, `{"at":"2026-01-01T00:00:00Z","name":""}`: true,
	} {
		if _, isResult := errorOf(t, p.call("Ruled.must", arguments).Body.Bytes()); isResult == protocol {
			t.Errorf("%s: an error of the protocol: %v", arguments, !isResult)
		}
	}
}

// R-M10: what a method itself finds wrong is a result that failed.
func TestViolationsOfTheMethod(t *testing.T) {
	p := mount(t, setup{services: []any{rpc.Service{Name: "Own", Groups: []string{"mcp"}, Methods: []rpc.Method{
		{Name: "do", Func: func(Ruled) error {
			return rpcerrors.InvalidParams.Invalid([]rpcerrors.Violation{
				{Pointer: "/lower", Rule: "in_stock"}, {Pointer: "/kids/3/list/x/y", Rule: "max"}, {Pointer: "odd", Rule: "odd"}, {Rule: "odd"},
			})
		}},
	}}}})
	if e, isResult := errorOf(t, p.call("Own.do", `{"kids":[{},{}]}`).Body.Bytes()); !isResult || e.rules() != "in_stock max odd odd" {
		t.Errorf("%s", e.raw)
	}
}

// ruled are arguments of Ruled, most members right.
func (g guesser) ruled(depth int) string {
	word := func() string {
		return pick(g, `"abc"`, `"ABC"`, `"É"`, `"éa"`, `"a@b.example"`, `"http://x.example"`, `"ftp://x"`, `"a"`, `"b"`, `""`, `"abcd"`, `"AB"`)
	}
	wait := func() string { return pick(g, `"1s"`, `"2m"`, `"10ms"`, `"0s"`) }
	list := func(item func() string) string {
		items := make([]string, g.IntN(4))
		for i := range items {
			items[i] = item()
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	var members []string
	for range g.IntN(3) + 1 {
		name := pick(g, "wait", "lower", "upper", "link", "mail", "either", "hint", "choice", "quoted", "count", "keyed", "nums", "list", "kids", "delays")
		value := word()
		switch name {
		case "wait":
			value = wait()
		case "quoted":
			value = pick(g, `"3"`, `"7"`, "7", `"0"`)
		case "count":
			value = pick(g, "3", "7", "null", "0")
		case "keyed":
			value = fmt.Sprintf(`{%s:%d}`, pick(g, `"a"`, `"A"`, `"É"`), g.IntN(3))
		case "nums":
			value = fmt.Sprintf(`{"%d":%s}`, g.IntN(6), word())
		case "list":
			value = list(word)
		case "delays":
			value = list(wait)
		case "kids":
			if value = "[]"; depth < 3 {
				value = list(func() string { return g.ruled(depth + 1) })
			}
		}
		if member := fmt.Sprintf("%q:%s", name, value); !strings.Contains(strings.Join(members, ""), `"`+name+`":`) {
			members = append(members, member)
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// R-M08, with random arguments: an error of the protocol when the schema
// refuses them, a failed result when only a rule does, and else success.
func TestRandomArgumentsAreJudgedAsTheSchemaStates(t *testing.T) {
	p := mount(t, setup{services: []any{ruledService()}})
	input := compile(t, p.list(t, "").tool("Ruled.do").InputSchema)
	g := guesser{rand.New(rand.NewPCG(5, 6))}
	seen := map[string]int{}
	for range 4000 {
		arguments := g.ruled(0)
		value, err := schemaValue(arguments)
		if err != nil {
			t.Fatal(arguments, err)
		}
		var answer struct {
			Error  jsontext.Value `json:"error"`
			Result struct {
				IsError bool `json:"isError"`
			} `json:"result"`
		}
		body := p.call(pick(g, "Ruled.do", "Ruled.around"), arguments).Body.Bytes()
		if err := json.Unmarshal(body, &answer); err != nil {
			t.Fatal(err)
		}
		refused := input.Validate(value) != nil
		if refused != (answer.Error != nil) {
			t.Fatalf("%s: the schema refuses it: %v, but the answer is %s", arguments, refused, body)
		}
		seen[fmt.Sprint(refused, answer.Result.IsError)]++
	}
	for _, outcome := range []string{"true false", "false true", "false false"} {
		if seen[outcome] < 300 {
			t.Errorf("refused and failed: %v: the guesses are of one kind", seen)
		}
	}
}
