package i18n_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/i18n"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/go-playground/validator/v10"
	"github.com/google/uuid"
)

// every has a field for each way in which parameters can be wrong.
type every struct {
	Text     string             `json:"text,omitempty" validate:"omitempty,min=3,max=5"`
	Items    []string           `json:"items,omitempty" validate:"omitempty,min=2,max=5,dive,required"`
	One      []string           `json:"one,omitempty" validate:"omitempty,len=1"`
	Members  map[string]int     `json:"members,omitempty" validate:"omitempty,gt=4"`
	Few      map[string]int     `json:"few,omitempty" validate:"omitempty,lt=1"`
	Number   int                `json:"number,omitzero" validate:"omitempty,gte=2,lte=10"`
	Least    float64            `json:"least,omitzero" validate:"omitempty,min=2.5,lt=10"`
	More     int                `json:"more,omitzero" validate:"omitempty,gt=2"`
	Exact    int                `json:"exact,omitzero" validate:"omitempty,eq=7"`
	Other    int                `json:"other,omitzero" validate:"omitempty,ne=7"`
	Choice   string             `json:"choice,omitempty" validate:"omitempty,oneof=red 'dark blue'"`
	Begin    string             `json:"begin,omitempty" validate:"omitempty,startswith=ab"`
	End      string             `json:"end,omitempty" validate:"omitempty,endswith=ab"`
	Hold     string             `json:"hold,omitempty" validate:"omitempty,contains=ab"`
	Email    string             `json:"email,omitempty" validate:"omitempty,email"`
	Link     string             `json:"link,omitempty" validate:"omitempty,http_url"`
	Mac      string             `json:"mac,omitempty" validate:"omitempty,mac"`
	Unique   []int              `json:"unique,omitempty" validate:"omitempty,unique"`
	Again    string             `json:"again,omitempty" validate:"omitempty,eqfield=Email"`
	Kind     string             `json:"kind,omitempty"`
	Guests   string             `json:"guests,omitempty" validate:"required_if=Kind party"`
	Alone    string             `json:"alone,omitempty" validate:"required_with=Kind"`
	Small    int8               `json:"small,omitzero"`
	Unsigned uint16             `json:"unsigned,omitzero"`
	Float    float32            `json:"float,omitzero"`
	Quoted   int                `json:"quoted,omitzero,string"`
	Time     time.Time          `json:"time,omitzero"`
	Duration time.Duration      `json:"duration,omitzero"`
	Bytes    []byte             `json:"bytes,omitempty"`
	ID       uuid.UUID          `json:"id,omitzero"`
	Bool     bool               `json:"bool,omitzero"`
	Pair     [2]int             `json:"pair,omitzero"`
	Keys     map[int]int        `json:"keys,omitempty"`
	Struct   struct{}           `json:"struct,omitzero"`
	Required string             `json:"required"`
	NotEmpty string             `json:"notEmpty,omitempty" default:"x" validate:"required"`
	Deep     []map[string][]int `json:"deep,omitempty"`
	Own      string             `json:"own,omitempty" validate:"omitempty,tea"`
	OwnPlain string             `json:"ownPlain,omitempty" validate:"omitempty,cup"`
}

var tooMany = rpcerrors.Define[struct{ Left int }](1001, "TooMany", "Only {{.Left}} left.")

// service is a program with a method for each kind of trouble.
func service() rpc.Service {
	return rpc.Service{Name: "S", Groups: []string{rpc.DefaultGroup, "mcp"}, Methods: []rpc.Method{
		{Name: "check", Func: func(every) {}},
		{Name: "two", Func: func(struct {
			A int `json:"a"`
			B int `json:"b,omitzero"`
		}) {
		}},
		{Name: "none", Func: func() {}},
		{Name: "buy", Func: func() error { return tooMany.New(struct{ Left int }{2}) }, Errors: []rpcerrors.Declared{tooMany}},
		{Name: "lost", Func: func() error { return rpcerrors.NotFound.New("") }},
		{Name: "said", Func: func() error { return rpcerrors.NotFound.New("No such tea.") }},
		{Name: "hello", Cache: rpc.Cache{TTL: time.Minute, Shared: true}, Func: func(ctx context.Context) string { return "hello in " + rpc.CallFrom(ctx).Language }},
	}}
}

func app(texts rpc.Texts) rpc.App {
	return rpc.App{Name: "s", Version: "1.0.0", Texts: texts, Rules: []rpc.Rule{
		{Name: "tea", Message: "must be a tea", Func: func(validator.FieldLevel) bool { return false }},
		{Name: "cup", Message: "must be a cup", Func: func(validator.FieldLevel) bool { return false }},
	}}
}

// wrong are params that break every rule above.
var wrong = []string{
	`{"text":"a","items":["a"],"one":["a","b"],"members":{"a":1},"few":{"a":1},"number":1,"least":1.5,"more":1,"exact":1,"other":7,"choice":"x","begin":"x","end":"x","hold":"x","email":"x","link":"x","mac":"x","unique":[1,1],"again":"y","kind":"party","required":"","own":"x","ownPlain":"x","notEmpty":""}`,
	`{"text":"abcdef","items":["a","b","c","d","e","f"],"number":11,"least":11,"required":""}`,
	`{"items":["",""],"required":""}`,
	`{"small":300,"unsigned":-1,"float":1e300,"quoted":"x","time":"x","duration":"x","bytes":"*","id":"x","bool":1,"pair":[1],"keys":{"x":1},"struct":[],"text":5,"number":"5","least":"x","items":{},"deep":[{"a":[null]}],"surprise":1}`,
	`{"required":null,"number":1.5,"$rpc":{"timeout":1e9,"rayId":"","ignoreCache":1,"x":1}}`,
	`[1,2,3]`,
}

var latin = regexp.MustCompile(`[a-zA-Z]{2,}`)

// allowed are the words that Ukrainian texts keep: names, formats, examples.
var allowed = regexp.MustCompile(`\b(null|true|false|http|https|base64|UUID|URI|URL|mac|red|dark blue|ab|email|kind|party|required|struct|02T15|00Z|PT1M30S|1m30s|2026-01-02T15:04:05Z)\b|2026-01-02T15:04:05Z|1m30s`)

// R-C05 R-I04, case H02 (go-playground/validator#1094): every violation is said in
// Ukrainian, and in English just as without any texts.
func TestViolations(t *testing.T) {
	plain := rpctest.Start(t, app(nil), rpc.Options{}, service())
	texts, err := i18n.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := rpctest.Start(t, app(texts), rpc.Options{}, service())
	var all strings.Builder
	for _, ask := range []struct {
		method string
		lists  []string
	}{{"S.check", wrong}, {"S.two", []string{`[1,2,3]`, `[]`}}, {"S.none", []string{`[1]`}}} {
		method := ask.method
		for _, params := range ask.lists {
			english, ours, ukrainian := fail(t, plain, method, params), fail(t, p.In("en"), method, params), fail(t, p.In("uk"), method, params)
			if english.Error() != ours.Error() || len(english.Violations()) != len(ours.Violations()) {
				t.Errorf("%s: in English %q, want %q", params, ours, english)
			}
			all.WriteString(ukrainian.Error() + "\n")
			for i, v := range english.Violations() {
				if ours.Violations()[i] != v {
					t.Errorf("in English %+v, want %+v", ours.Violations()[i], v)
				}
				u := ukrainian.Violations()[i]
				if u.Pointer != v.Pointer || u.Rule != v.Rule || u.Param != v.Param {
					t.Errorf("in Ukrainian %+v, want the place and rule of %+v", u, v)
				}
				all.WriteString(u.Pointer + " " + u.Message + "\n")
				if left := latin.FindString(allowed.ReplaceAllString(u.Message, "")); left != "" && u.Rule != "tea" && u.Rule != "cup" {
					t.Errorf("in Ukrainian %s is still said %q (%s=%s)", u.Pointer, u.Message, u.Rule, u.Param)
				}
			}
		}
	}
	golden(t, "testdata/violations.uk.golden", all.String())
}

// R-I04: whatever the framework words has words in Ukrainian too. The rules are
// read from its source.
func TestEveryRule(t *testing.T) {
	texts, err := i18n.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("../rpc/internal/params/message.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, m := range regexp.MustCompile(`(?m)^\tcase (".*"):$|"([a-z0-9_]+)": +"must`).FindAllStringSubmatch(string(source), -1) {
		for rule := range strings.SplitSeq(strings.ReplaceAll(m[1]+m[2], `"`, ""), ", ") {
			if rule == "range" || rule == "type" || rule == "len" || rule == "" || regexp.MustCompile(`^\d+$`).MatchString(rule) {
				continue // worded by their parameter, see TestViolations
			}
			found++
			_, got := texts.Violations("uk", "default", "InvalidParams", []rpcerrors.Violation{{Rule: rule, Param: "10 x", Message: "must"}})
			if got[0].Message == "must" {
				t.Errorf("the rule %s is said in English only", rule)
			}
		}
	}
	if found < 50 {
		t.Errorf("found only %d rules", found)
	}
}

// R-I04: every limit has words for everything that is counted, in all plural
// forms of Ukrainian.
func TestEveryLimit(t *testing.T) {
	texts, err := i18n.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range []string{"min", "max", "gte", "lte", "gt", "lt", "len", "eq", "ne"} {
		for unit, nouns := range map[string][4]string{
			"character": {"1 символ", "2 символи", "5 символів", "1.5 символу"},
			"item":      {"1 елемент", "2 елементи", "5 елементів", "1.5 елемента"},
			"member":    {"1 поле", "2 поля", "5 полів", "1.5 поля"},
			"":          {"1", "2", "5", "1.5"},
		} {
			for i, n := range []string{"1", "2", "5", "1.5"} {
				_, got := texts.Violations("uk", "default", "InvalidParams", []rpcerrors.Violation{{Rule: rule, Param: n, Unit: unit, Message: "English"}})
				want := nouns[i]
				if rule == "ne" {
					want = n // the number stands alone: the noun agrees with nothing
				}
				if !strings.HasSuffix(got[0].Message, " "+want) {
					t.Errorf("%s=%s of %s: %q, want %s", rule, n, unit, got[0].Message, want)
				}
			}
		}
	}
}

// R-I04: counts agree with their nouns.
func TestPlurals(t *testing.T) {
	texts, err := i18n.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for param, want := range map[string]string{
		"1": "має містити щонайменше 1 символ", "2": "має містити щонайменше 2 символи", "5": "має містити щонайменше 5 символів",
		"11": "має містити щонайменше 11 символів", "21": "має містити щонайменше 21 символ", "22": "має містити щонайменше 22 символи",
		"112": "має містити щонайменше 112 символів", "0": "має містити щонайменше 0 символів", "1.5": "має містити щонайменше 1.5 символу",
		"0x10": "має містити щонайменше 0x10 символу", "": "має містити щонайменше  символу", "99999999999999999999": "має містити щонайменше 99999999999999999999 символу",
	} {
		vs := []rpcerrors.Violation{{Pointer: "/a", Rule: "min", Param: param, Message: "m", Unit: "character"}}
		_, got := texts.Violations("uk-UA", "default", "InvalidParams", vs)
		if got[0].Message == want {
			t.Errorf("uk-UA is no language here; the header chooses: %q", got[0].Message)
		}
		sentence, got := texts.Violations("uk", "default", "InvalidParams", vs)
		if vs[0].Message != "m" {
			t.Fatalf("the violation of the error itself became %q", vs[0].Message)
		}
		if got[0].Message != want || sentence != "Неправильні параметри: /a "+want+"." {
			t.Errorf("%s: %q, %q", param, got[0].Message, sentence)
		}
	}
	for n, want := range map[int]string{2: "1 помилка", 4: "3 помилки", 6: "5 помилок", 22: "21 помилка"} {
		sentence, _ := texts.Violations("uk", "default", "InvalidParams", make([]rpcerrors.Violation, n))
		if !strings.Contains(sentence, "(і ще "+want+")") {
			t.Errorf("%d: %q", n, sentence)
		}
	}
}

// R-I04: who reads English gets it, whatever the default is.
func TestEnglishBesideTheDefault(t *testing.T) {
	texts := load(t, files("rpc.uk.yaml", title), i18n.Default("uk"))
	sentence, got := texts.Violations("en", "default", "InvalidParams", []rpcerrors.Violation{{Pointer: "/a", Rule: "min", Param: "3", Message: "must be at least 3"}})
	if got[0].Message != "must be at least 3" || sentence != "Invalid params: /a must be at least 3." {
		t.Errorf("got %q, %+v", sentence, got)
	}
}

// R-I04: an application brings languages, its own errors and rules, and other
// words for what is there.
func TestOwnTexts(t *testing.T) {
	texts := load(t, files("rpc.uk.yaml", `
errors: {TooMany: "Лишилося {{.Left}}.", NotFound: Немає такого.}
violations: {tea: має бути чаєм, min: замало}
`, "rpc/mcp.uk.yaml", `
errors.NotFound: Агенте, немає такого.
`, "rpc.tlh.yaml", `
errors.TooMany: "{{.Left}} neH."
violations:
  tea: Dargh
  min: {one: "wa' {{.Param}}", other: "law' {{.Param}}"}
`))
	p := rpctest.Start(t, app(texts), rpc.Options{}, service())
	for _, c := range []struct{ lang, group, method, params, want string }{
		{"uk", "default", "S.buy", "", "Лишилося 2."},
		{"en", "default", "S.buy", "", "Only 2 left."},
		{"tlh", "default", "S.buy", "", "2 neH."},
		{"uk", "default", "S.lost", "", "Немає такого."},
		{"uk", "mcp", "S.lost", "", "Агенте, немає такого."},
		{"tlh", "mcp", "S.lost", "", "Not found."},
		{"uk", "default", "S.said", "", "No such tea."},
		{"uk", "default", "S.check", `{"required":"","own":"x"}`, "Неправильні параметри: /own має бути чаєм."},
		{"uk", "default", "S.check", `{"required":"","ownPlain":"x"}`, "Неправильні параметри: /ownPlain must be a cup."},
		{"uk", "default", "S.check", `{"required":"","least":1}`, "Неправильні параметри: /least замало."},
		{"uk", "default", "S.check", `{"required":"","text":"a"}`, "Неправильні параметри: /text має містити щонайменше 3 символи."},
		{"tlh", "default", "S.check", `{"required":"","own":"x"}`, "Invalid params: /own Dargh."},
		{"tlh", "default", "S.check", `{"required":"","text":"a"}`, "Invalid params: /text law' 3."},
		{"tlh", "default", "S.check", `{"required":"","email":"x"}`, "Invalid params: /email must be an e-mail address."},
		{"uk", "default", "S.nothing", "", "Методу не знайдено."},
	} {
		if err := fail(t, p.In(c.lang).At(1, c.group), c.method, c.params); !strings.HasPrefix(err.Error(), strings.TrimSuffix(c.want, ".")) {
			t.Errorf("%s in %s for %s: %q, want %q", c.method, c.lang, c.group, err, c.want)
		}
	}
}

// R-I04: a sentence given where the error was made is translated by itself;
// names in quotes and numbers stay.
func TestSentences(t *testing.T) {
	texts := load(t, files("rpc.uk.yaml", `
sentences:
  No such tea.: Такого чаю немає.
  '"…" is not "…".': "Не \"…\", а \"…\"."
`, "rpc/mcp.uk.yaml", "sentences: {No such tea.: 'Агенте, такого чаю немає.'}"), i18n.Default("uk"))
	for _, c := range []struct{ lang, group, sentence, want string }{
		{"uk", "default", "No such tea.", "Такого чаю немає."},
		{"uk", "mcp", "No such tea.", "Агенте, такого чаю немає."},
		{"uk", "default", `"a" is not "…".`, `Не "a", а "…".`},
		{"uk", "default", `Method "S.buy" is locked.`, `Метод "S.buy" зайнятий.`},
		{"uk", "default", "The body is too large: 8388608 bytes at most.", "Тіло запиту завелике: щонайбільше байтів: 8388608."},
		{"uk", "default", "No such tea", ""},
		{"uk", "default", strings.Repeat(`"`, 1<<20), ""},
		{"en", "default", "No such tea.", ""},
	} {
		if got, ok := texts.Sentence(c.lang, c.group, c.sentence); got != c.want || ok != (c.want != "") {
			t.Errorf("%s for %s, %.40s: %q, want %q", c.lang, c.group, c.sentence, got, c.want)
		}
	}
	p := rpctest.Start(t, app(texts), rpc.Options{}, service())
	if got := p.Registry().Translate("uk", "default", rpcerrors.Forbidden.New("The token is not valid.")); got.Error() != "Токен не дійсний." || !errors.Is(got, rpcerrors.Forbidden) {
		t.Errorf("got %v", got)
	}
	if e := rpcerrors.Forbidden.New(""); rpctest.Start(t, app(nil), rpc.Options{}, service()).Registry().Translate("uk", "default", e) != e {
		t.Error("translated without texts")
	}
	for lang, want := range map[string]string{"uk": "Такого чаю немає.", "en": "No such tea."} {
		if err := fail(t, p.In(lang), "S.said", ""); err.Error() != want {
			t.Errorf("%s: %q, want %q", lang, err, want)
		}
	}
}

// Case H02 (go-playground/validator#1094): two languages at once do not mix.
func TestInParallel(t *testing.T) {
	texts, err := i18n.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := rpctest.Start(t, app(texts), rpc.Options{}, service())
	var all sync.WaitGroup
	for lang, want := range map[string]string{"uk": "Неправильні параметри: /text має містити щонайменше 3 символи.", "en": "Invalid params: /text must have at least 3 characters."} {
		for range 4 {
			all.Go(func() {
				for range 25 {
					if err := fail(t, p.In(lang), "S.check", `{"required":"","text":"a"}`); err.Error() != want {
						t.Errorf("%s: %q", lang, err)
					}
				}
			})
		}
	}
	all.Wait()
}

// Case I01 (mozilla/sumo#1500): a result is kept for the language in which it
// was made, which is the effective one.
func TestCachedByLanguage(t *testing.T) { // R-I03
	texts := load(t, files("rpc.de.yaml", "S.hello: {title: Hallo}"))
	p := rpctest.Start(t, app(texts), rpc.Options{}, service())
	for range 2 {
		for accept, want := range map[string]string{"uk": "uk", "uk-UA": "uk", "en": "en", "de-AT": "de", "fr": "en", "ru": "en", "": "en"} {
			got, err := rpctest.Call[string](p.In(accept), "S.hello", nil)
			if err != nil || got != "hello in "+want {
				t.Errorf("%q: %q, %v", accept, got, err)
			}
		}
	}
}

// Case H03 (mozilla/send#586): the answer names the language it is in, and
// that it depends on the header, also without one.
func TestContentLanguage(t *testing.T) { // R-I03
	texts := load(t, files("rpc.de.yaml", "S.hello: {title: Hallo}"))
	exec := rpctest.Start(t, app(texts), rpc.Options{}, service()).Executor()
	gin.SetMode(gin.TestMode)
	engine := gin.New()
	if err := guard.Mount(engine, exec, guard.Policy{Open: true}, rpchttp.Edge{}); err != nil {
		t.Fatal(err)
	}
	for accept, want := range map[string]string{"": "en", "de-DE": "de", "en,uk;q=0.7,da;q=0.3": "en", "EN-us": "en", "ru": "en", "uk-UA": "uk", "x\"; junk": "en"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/rpc", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"S.lost"}`))
		r.Header.Set("Content-Type", "application/json")
		if accept != "" {
			r.Header.Set("Accept-Language", accept)
		}
		w := httptest.NewRecorder()
		engine.ServeHTTP(w, r)
		body, _ := io.ReadAll(w.Body)
		if got := w.Header().Get("Content-Language"); got != want || !strings.Contains(w.Header().Get("Vary"), "Accept-Language") {
			t.Errorf("%q: Content-Language %s, Vary %s, want %s", accept, got, w.Header().Get("Vary"), want)
		}
		if uk := strings.Contains(string(body), "Не знайдено."); uk != (want == "uk") {
			t.Errorf("%q: %s", accept, body)
		}
	}
}

// R-I04: what the guard refuses is said in the language of the answer.
func TestRefusals(t *testing.T) {
	exec := rpctest.Start(t, app(load(t, files("rpc/default.uk.yaml", "errors.TokenMissing: Де токен?"))), rpc.Options{}, service()).Executor()
	engine := gin.New()
	if err := guard.Mount(engine, exec, guard.Policy{Tokens: []guard.Token{{Secret: "a-long-enough-secret-token", Caller: rpc.Caller{Groups: []string{rpc.AnyGroup}}}}}, rpchttp.Edge{}, rpchttp.Edge{Path: "/agents", Group: "mcp"}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, token, lang, want string }{
		{"/rpc", "", "uk", "Де токен?"},
		{"/agents", "", "uk", "Потрібен токен."},
		{"/rpc", "wrong", "uk", "Токен не дійсний."},
		{"/rpc/v7", "", "uk", "Такої версії тут немає; є: v1."},
		{"/rpc", "", "de", "A token is required."},
		{"/rpc", "wrong", "en", "The token is not valid."},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost"+c.path, strings.NewReader(`{}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept-Language", c.lang)
		if c.token != "" {
			r.Header.Set("Authorization", "Bearer "+c.token)
		}
		w := httptest.NewRecorder()
		engine.ServeHTTP(w, r)
		if !strings.Contains(w.Body.String(), `"message":"`+c.want+`"`) {
			t.Errorf("%s in %s: %s, want %s", c.path, c.lang, w.Body, c.want)
		}
	}
}

// R-I05: a text of what is not there stops the start, named with its file,
// line and key.
func TestCheck(t *testing.T) {
	texts := load(t, files("rpc.uk.yaml", `
S.chek: {title: x}
S.two:
  title: x
  params: {a: x, c: x}
T.none.description: x
`, "rpc/internal.uk.yaml", "S.none.title: x\n", "rpc/mcp.de.yaml", "S.none.title: x\n"))
	_, err := rpc.NewRegistry(app(texts), service())
	var faults rpc.Faults
	if !errors.As(err, &faults) {
		t.Fatalf("got %v", err)
	}
	golden(t, "testdata/check.golden", err.Error()+"\n")
}

// fail calls a method that must fail.
func fail(t *testing.T, p *rpctest.Server, method, params string) *rpcerrors.Error {
	t.Helper()
	var raw any
	if params != "" {
		raw = jsontext.Value(params)
	}
	_, err := rpctest.Call[any](p, method, raw)
	var e *rpcerrors.Error
	if !errors.As(err, &e) {
		t.Fatalf("%s(%s) answered %v", method, params, err)
	}
	return e
}
