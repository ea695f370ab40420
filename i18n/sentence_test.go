package i18n_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/i18n"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
)

// technical are words that Ukrainian sentences keep, besides what stands for …:
// names of the protocols.
var technical = regexp.MustCompile(`POST|Accept|Content-Type|Content-Encoding|Retry-After|Host|Origin|Idempotency-Key|MCP-Protocol-Version|profile|https?|URL|IPv[46]|ASCII|punycode|DELETE|Mcp-Session-Id|@?@FROM:(?:<id>\(<path>\))?|callback|true|false|gzip|UTF-8|JSON|GET|base64|` +
	`application/json|text/event-stream|initialize|tools/list|params\._meta|\$rpc\.idempotencyKey|"[a-zA-Z./]+"|jsonrpc, id, method|params|\bid\b|null|info|\\u`)

var latinWord = regexp.MustCompile(`[a-zA-Z]{2,}`)

// inParts are sentences that the source puts together from variables, so that
// reading it does not find them whole.
var inParts = []string{
	"Unknown tool: POST",
	"The Content-Type must be application/json or POST, in UTF-8.",
	`Invalid params: params._meta must have "POST" and "POST".`,
	`Invalid params: params._meta must have a string as "POST".`,
	`Invalid params: params._meta must have "POST" and "POST". To begin a session of POST or before, send initialize without the header MCP-Protocol-Version.`,
	"Parse error: nested deeper than 512 levels, at byte 3.",
	"Parse error: invalid JSON at byte 3: value expected, the text ends.",
	`"POST" is optional and stands before "POST": call by name`,
}

// R-I04: whatever the framework answers with has a text in Ukrainian. What it
// answers with is read from its source.
func TestEverySentence(t *testing.T) {
	texts, err := i18n.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	check := func(at, english string) {
		t.Helper()
		ukrainian, ok := texts.Sentence("uk", "default", english)
		if left := latinWord.FindString(technical.ReplaceAllString(ukrainian, "")); !ok || left != "" {
			t.Errorf("%s: %q is said in English (%q, %s); add it to the sentences of i18n/builtin/rpc.uk.yaml", at, english, ukrainian, left)
		}
		if got, ok := texts.Sentence("en", "default", english); ok {
			t.Errorf("in English %q became %q", english, got)
		}
	}
	registries := []string{"Tools of …."} // their documents have one language
	s := readSource(t)
	sentences, reasons, kinds := s.sentences(), s.reasons(), s.kinds()
	for _, x := range sentences {
		if !slices.Contains(values(kinds), x.text) && !slices.Contains(registries, x.text) {
			check(x.at, strings.ReplaceAll(x.text, "…", "POST"))
		}
	}
	for _, x := range reasons {
		if !strings.HasPrefix(x.text, "…") && !strings.HasPrefix(x.text, "invalid JSON") {
			check(x.at, "Parse error: invalid JSON at byte 7: "+strings.ReplaceAll(x.text, "…", "POST")+".")
		}
	}
	for _, english := range inParts {
		check("in parts", english)
	}
	for name, english := range kinds {
		if got, _ := texts.Text("en", "default", "errors."+name); got != english {
			t.Errorf("%s: %q in English, want %q; change i18n/builtin/rpc.en.yaml", name, got, english)
		}
		if got, ok := texts.Text("uk", "default", "errors."+name); !ok || strings.ContainsAny(got, "ыэъё") || latinWord.MatchString(technical.ReplaceAllString(got, "")) {
			t.Errorf("%s: %q in Ukrainian; add it to the errors of i18n/builtin/rpc.uk.yaml", name, got)
		}
	}
	builtins := s.builtins()
	for _, name := range builtins {
		for _, field := range []string{".title", ".description"} {
			if _, ok := texts.Text("uk", "default", name+field); !ok {
				t.Errorf("%s has no text in Ukrainian; add it to i18n/builtin/rpc.uk.yaml", name+field)
			}
		}
	}
	violations := s.violations()
	for _, x := range violations {
		_, got := texts.Violations("uk", "default", "InvalidParams", []rpcerrors.Violation{{Rule: x.at, Message: strings.ReplaceAll(x.text, "…", "9")}})
		if left := latinWord.FindString(technical.ReplaceAllString(got[0].Message, "")); left != "" {
			t.Errorf("the violation %q of %s is said in English (%s); add it to the sentences of i18n/builtin/rpc.uk.yaml", got[0].Message, x.at, left)
		}
	}
	if len(violations) < 20 || len(builtins) < 2 || len(sentences) < 80 || len(reasons) < 20 || len(kinds) < 22 {
		t.Errorf("found only %d sentences, %d reasons, %d kinds", len(sentences), len(reasons), len(kinds))
	}
}

func values(m map[string]string) (all []string) {
	for _, v := range m {
		all = append(all, v)
	}
	return all
}

// R-I04: what stands for … stays as it is, and what stands for […] is a
// sentence itself.
func TestPatterns(t *testing.T) {
	texts := load(t, files("rpc.uk.yaml", `
sentences:
  "Cup […] is …, not ….": "Чашка … є …, а не …."
  green: зелена
  "[…]!": "…!!"
  One … for …: "… і …, …"
  Only "…".: Лише ….
`))
	for english, want := range map[string]string{
		"Cup green is green, not blue.":                  "Чашка зелена є green, а не blue.",
		"Cup red is a, not b, not c.":                    "Чашка red є a, а не b, not c.",
		"Cup green is green.":                            "",
		"Cup green is green, not blue":                   "",
		"green!!!!":                                      "зелена!!!!!!!!",
		"One a for b":                                    "a і b, ",
		`Only "trailing data".`:                          "Лише trailing data.",
		`Method "trailing data" is locked.`:              `Метод "trailing data" зайнятий.`,
		"Unknown tool: trailing data":                    "Невідомий інструмент: trailing data",
		"Use POST, DELETE.":                              "Використайте POST, DELETE.",
		"Use another cup.":                               "",
		"There is no such version here; served: v1, v3.": "Такої версії тут немає; є: v1, v3.",
		"Parse error: invalid JSON at byte 3: ':' expected, the text ends.": "Запит не є JSON: помилка на байті 3: очікується ':', текст закінчився.",
	} {
		if got, ok := texts.Sentence("uk", "default", english); got != want || ok != (want != "") {
			t.Errorf("%s: %q, want %q", english, got, want)
		}
	}
}

// R-I04: the reason of a violation is translated with it.
func TestReasons(t *testing.T) {
	texts, err := i18n.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for english, want := range map[string]string{
		`must be an object: "a" is optional and stands before "b": call by name`: `має бути об’єктом: "a" не обов’язковий і стоїть перед "b": викликайте за назвами`,
		"must be an object": "має бути об’єктом",
	} {
		_, got := texts.Violations("uk", "default", "InvalidParams", []rpcerrors.Violation{{Rule: "type", Param: "object", Message: english}})
		if got[0].Message != want {
			t.Errorf("%s: %q, want %q", english, got[0].Message, want)
		}
	}
	_, got := texts.Violations("uk", "default", "InvalidParams", []rpcerrors.Violation{{Rule: "json", Message: "is not valid JSON: invalid JSON at byte 1: string expected"}})
	if want := "не є правильним JSON: помилка на байті 1: очікується рядок"; got[0].Message != want {
		t.Errorf("%q, want %q", got[0].Message, want)
	}
}

// R-I04: what an edge answers in place of an answer is translated too, and so
// is what is wrong with a request.
func TestInPlaceOfAnswers(t *testing.T) {
	exec := rpctest.Start(t, app(load(t, files("rpc.uk.yaml", helloTitle))), rpc.Options{}, service()).Executor()
	engine := gin.New()
	if err := guard.Mount(engine, exec, guard.Policy{Open: true}, rpchttp.Edge{MaxResult: 8, MaxResponse: 200}); err != nil {
		t.Fatal(err)
	}
	const hello = `{"jsonrpc":"2.0","id":1,"method":"S.hello"}`
	const lost = `{"jsonrpc":"2.0","id":1,"method":"S.lost"}`
	for body, want := range map[string]string{
		hello:                         "Виклик виконано, але його відповідь завелика (межа в байтах — 8). Попросіть менше.",
		lost:                          "Виклик виконано, але його відповідь завелика (межа в байтах — 8). Попросіть менше.",
		"[" + lost + "," + lost + "]": "Виклик виконано, але відповіді його пакета разом завеликі (межа в байтах — 200).",
		`{"jsonrpc":"2.0"`:            "Запит не є JSON: помилка на байті 16: очікується ',' або '}'.",
		`{"jsonrpc":"1.0"}`:           `Неправильний запит: \"jsonrpc\" має бути рядком \"2.0\".`,
		`[]`:                          "Неправильний запит: пакет має містити хоча б один запит.",
	} {
		if got := ask(t, engine, "/rpc", body, "uk"); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}

const helloTitle = "S.hello.title: t\n"
