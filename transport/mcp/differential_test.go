package mcp_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// guesser makes arguments that are right, nearly right, or wrong.
type guesser struct{ *rand.Rand }

func pick[T any](g guesser, from ...T) T { return from[g.IntN(len(from))] }

func (g guesser) value(depth int) string {
	switch n := g.IntN(10); {
	case n < 3:
		return pick(g, `"tea"`, `""`, `"a@depot.example"`, `"\"q\" \\ \u00e9 \n"`, `"`+strings.Repeat("x", g.IntN(30))+`"`, `"日本"`)
	case n < 6:
		return pick(g, "0", "1", "-1", "100", "101", "1.0", "1e2", "0.5", "9007199254740993", "9223372036854775807", "9223372036854775808")
	case n < 7 || depth > 3:
		return pick(g, "null", "true", "false")
	case n < 8:
		return "[" + g.value(depth+1) + "," + g.value(depth+1) + "]"
	}
	return g.object(depth + 1)
}

// object has some of the names that the tools know, now and then one twice.
func (g guesser) object(depth int) string {
	var members []string
	for range g.IntN(4) {
		name := pick(g, "query", "limit", "who", "root", "name", "kids", "to", "from", "till", "link", "other", "Query")
		members = append(members, fmt.Sprintf("%q:%s", name, g.value(depth)))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// arguments are close to what the tool takes.
func (g guesser) arguments(tool string) string {
	if g.IntN(3) == 0 {
		return g.object(0)
	}
	switch tool {
	case "Depot.find":
		return fmt.Sprintf(`{"query":%s,"limit":%s}`, g.value(2), g.value(2))
	case "Depot.tree":
		return fmt.Sprintf(`{"root":{"name":%s,"kids":[{"name":%s}]}}`, g.value(2), g.value(2))
	case "Depot.mail":
		return fmt.Sprintf(`{"to":%s,"from":%s,"till":%s}`, g.value(2), g.value(2), g.value(2))
	case "Depot.ping":
		return fmt.Sprintf(`{"who":%s}`, g.value(0))
	}
	return "{}"
}

// outcome is what a door answered: the bytes of a result, or of an error.
type outcome struct{ result, failure string }

func rpcOutcome(t testing.TB, body []byte) outcome {
	t.Helper()
	var answer struct {
		Result jsontext.Value `json:"result"`
		Error  jsontext.Value `json:"error"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return outcome{string(answer.Result), string(answer.Error)}
}

func toolOutcome(t testing.TB, body []byte) outcome {
	t.Helper()
	var answer struct {
		Result struct {
			Content    []struct{ Text string } `json:"content"`
			IsError    bool                    `json:"isError"`
			Structured struct {
				Result jsontext.Value `json:"result"`
			} `json:"structuredContent"`
		} `json:"result"`
		Error jsontext.Value `json:"error"`
	}
	if err := json.Unmarshal(body, &answer, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	if answer.Error != nil {
		return outcome{failure: string(answer.Error)}
	}
	text := answer.Result.Content[0].Text
	if answer.Result.IsError {
		return outcome{failure: text}
	}
	if got := string(answer.Result.Structured.Result); got != text {
		t.Errorf("text %s, structured content %s", text, got)
	}
	return outcome{result: text}
}

// R-M09, R-M10: whatever the arguments, a tool answers what /rpc answers: the
// same bytes of the result, the same code, message and data of the error.
func TestSameAsRPC(t *testing.T) {
	p := mount(t, setup{})
	g := guesser{rand.New(rand.NewPCG(1, 2))}
	results, failures := 0, 0
	for range 3000 {
		tool := pick(g, "Depot.find", "Depot.tree", "Depot.mail", "Depot.ping", "Depot.clear", "Depot.maybe", "Depot.sell", "Depot.count", "Depot.anything", "Depot.break")
		arguments := g.arguments(tool)
		want := rpcOutcome(t, p.postTo("/rpc", `{"jsonrpc":"2.0","id":1,"method":"`+tool+`","params":`+arguments+`}`).Body.Bytes())
		if want.result != "" {
			results++
		} else {
			failures++
		}
		for version, got := range map[string]outcome{
			"2026-07-28": toolOutcome(t, p.call(tool, arguments).Body.Bytes()),
			"2025-11-25": toolOutcome(t, p.legacyCall("2025-11-25", tool, arguments).Body.Bytes()),
		} {
			if got != want {
				t.Fatalf("%s %s\n/rpc %+v\n%s %+v", tool, arguments, want, version, got)
			}
		}
	}
	if results < 500 || failures < 500 {
		t.Errorf("%d results, %d errors: the guesses are of one kind", results, failures)
	}
}

// R-M08: what the inputSchema refuses is an error of the protocol, what it
// allows is none. Formats are not part of the comparison.
func TestArgumentErrorsAreWhatTheSchemaSays(t *testing.T) {
	p := mount(t, setup{})
	g := guesser{rand.New(rand.NewPCG(3, 4))}
	inputs := map[string]*jsonschema.Schema{}
	for _, x := range p.list(t, "").Tools {
		inputs[x.Name] = compile(t, x.InputSchema)
	}
	verdicts := map[bool]int{}
	for range 3000 {
		name := pick(g, "Depot.find", "Depot.tree", "Depot.mail", "Depot.ping", "Depot.picture", "Depot.clear")
		arguments := jsontext.Value(g.arguments(name))
		value, err := schemaValue(string(arguments))
		if err != nil || !arguments.IsValid() || strings.Contains(string(arguments), "9223372036854775808") {
			continue // a name twice, or beyond int64, which schemas do not see
		}
		refused := inputs[name].Validate(value) != nil
		verdicts[refused]++
		var answer struct {
			Error jsontext.Value `json:"error"`
		}
		body := p.call(name, string(arguments)).Body.Bytes()
		if err := json.Unmarshal(body, &answer); err != nil {
			t.Fatal(err)
		}
		if refused != (answer.Error != nil) {
			t.Fatalf("%s %s: the schema refuses it: %v, but the answer is %s", name, arguments, refused, body)
		}
	}
	if verdicts[true] < 300 || verdicts[false] < 300 {
		t.Errorf("refused or not: %v: the guesses are of one kind", verdicts)
	}
}
