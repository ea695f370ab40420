package validatortexts_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/i18n"
	"github.com/facet-rpc/facet/i18n/validatortexts"
)

var update = flag.Bool("update", false, "write the golden files again")

// load is the texts of a program that has a file in each language.
func load(t *testing.T, files map[string]string) *i18n.Texts {
	t.Helper()
	fsys := fstest.MapFS{}
	for lang, text := range files {
		fsys["translations/rpc."+lang+".yaml"] = &fstest.MapFile{Data: []byte(text)}
	}
	texts, err := i18n.Load(fsys, i18n.Rules(validatortexts.In))
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

func say(texts *i18n.Texts, lang, rule, param, unit string) string {
	_, got := texts.Violations(lang, "default", "InvalidParams", []rpcerrors.Violation{{Pointer: "/limit", Rule: rule, Param: param, Unit: unit, Message: "English"}})
	return got[0].Message
}

// R-I04, case H02 (go-playground/validator#1094): every language says every
// rule it has, a short list too, in parallel with the others.
func TestEveryLanguage(t *testing.T) {
	files := map[string]string{}
	for _, lang := range validatortexts.Languages() {
		files[lang] = "errors.NotFound: x\n"
	}
	texts := load(t, files)
	var all sync.WaitGroup
	for lang := range files {
		all.Go(func() {
			rules := validatortexts.In(lang)
			if len(rules) < 70 {
				t.Errorf("%s has only %d rules", lang, len(rules))
			}
			for key, forms := range rules {
				if forms["other"] == "" {
					t.Errorf("%s %s has no form other", lang, key)
				}
				for _, text := range forms {
					if regexp.MustCompile(`Q\w+q|\{[0-9]\}|77|Error:|%!`).MatchString(text) {
						t.Errorf("%s %s: %q", lang, key, text)
					}
				}
				rule, unit, _ := strings.Cut(key, ".")
				if rule == "format" {
					continue // worded by what was asked for
				}
				for _, n := range []string{"1", "2", "5", "1.5"} {
					if got := say(texts, lang, rule, n, unit); got == "English" || got == "" || strings.Contains(got, "{{") {
						t.Errorf("%s %s=%s: %q", lang, key, n, got)
					}
				}
			}
			if got := say(texts, lang, "min", "1", "item"); got == "English" {
				t.Errorf("%s: a list with min=1 is said in English", lang)
			}
		})
	}
	all.Wait()
}

// R-I04: files come first, then validator, then English; nothing is added for
// languages that the program has no file in, nor for English and Ukrainian.
func TestOrder(t *testing.T) {
	texts := load(t, map[string]string{"de": "violations: {max: zu viel}", "de-AT": "M: {title: t}", "uk": "M: {title: t}", "zh-Hans": "M: {title: t}", "zh-Hant": "M: {title: t}", "zh-Cyrl": "M: {title: t}", "eo": "M: {title: t}"})
	if want := []string{"en", "de", "de-AT", "eo", "uk", "zh-Cyrl", "zh-Hans", "zh-Hant"}; !slices.Equal(texts.Languages(), want) {
		t.Errorf("the languages are %q, want %q", texts.Languages(), want)
	}
	for _, c := range []struct{ lang, rule, param, unit, want string }{
		{"de", "min", "3", "character", "muss mindestens 3 Zeichen lang sein"},
		{"de", "min", "1", "item", "muss mindestens 1 Element enthalten"},
		{"de", "min", "2", "item", "muss mindestens 2 Elemente enthalten"},
		{"de", "max", "3", "", "zu viel"},
		{"de", "oneof", "a 'b c'", "", `muss einer der folgenden sein: [a, "b c"]`},
		{"de", "gt", "3", "item", "muss größer als 3 sein"}, // validator's text for lists says it wrong
		{"de", "type", "string", "", "English"},
		{"de", "sku", "", "", "English"},
		{"de-AT", "min", "3", "", "muss 3 oder größer sein"},
		{"eo", "min", "3", "", "English"},
		{"en", "min", "3", "", "English"},
		{"uk", "min", "3", "", "має бути не менше 3"},
		{"zh-Hans", "email", "", "", "必须是一个有效的邮箱"},
		{"zh-Hant", "email", "", "", "必須是一個有效的信箱"},
		{"zh-Cyrl", "email", "", "", "English"},
	} {
		if got := say(texts, c.lang, c.rule, c.param, c.unit); got != c.want {
			t.Errorf("%s %s=%s: %q, want %q", c.lang, c.rule, c.param, got, c.want)
		}
	}
	sentence, _ := texts.Violations("de", "default", "InvalidParams", []rpcerrors.Violation{{Pointer: "/limit", Rule: "min", Param: "3"}})
	if want := "Invalid params: /limit muss 3 oder größer sein."; sentence != want {
		t.Errorf("%q, want %q", sentence, want)
	}
}

// R-I04: what is covered, as the documentation shows it.
func TestCoverage(t *testing.T) {
	var b strings.Builder
	rules, has := map[string]bool{}, map[string]map[string]map[string]string{}
	for _, lang := range validatortexts.Languages() {
		has[lang] = validatortexts.In(lang)
		for rule := range has[lang] {
			rules[rule] = true
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		var lacks []string
		for _, lang := range validatortexts.Languages() {
			if has[lang][rule] == nil {
				lacks = append(lacks, lang)
			}
		}
		fmt.Fprintln(&b, strings.TrimSpace(rule+" lacks "+strings.Join(lacks, " ")))
	}
	const file = "testdata/coverage.golden"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}
