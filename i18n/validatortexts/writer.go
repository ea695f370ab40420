package validatortexts

import (
	"slices"
	"strconv"
	"strings"

	ut "github.com/go-playground/universal-translator"
	"github.com/go-playground/validator/v10"
	"golang.org/x/text/feature/plural"
	xlanguage "golang.org/x/text/language"
)

// writer finds out what validator says in one language: it lets every rule
// fail once for a field and a parameter whose names it finds again in the
// text. So nothing of validator runs when a call is refused.
type writer struct {
	validate *validator.Validate
	words    ut.Translator
	tag      xlanguage.Tag
}

func newWriter(l language) (*writer, error) {
	tag, err := xlanguage.Raw.Parse(l.tag)
	if err != nil {
		return nil, err
	}
	locale := l.locale()
	w := &writer{validate: validator.New(), tag: tag}
	w.words, _ = ut.New(locale, locale).GetTranslator(locale.Locale())
	if err := l.register(w.validate, w.words); err != nil {
		return nil, err
	}
	fail := func(validator.FieldLevel) bool { return false }
	for _, list := range [][]string{plain, withParam, limits} {
		for _, rule := range list {
			if rule == "required" {
				continue // it cannot be replaced, and fails by itself
			}
			if err := w.validate.RegisterValidation(rule, fail, true); err != nil {
				return nil, err
			}
		}
	}
	return w, nil
}

// The rules, by what their texts need.
var (
	plain = []string{
		"required", "required_if", "required_unless", "required_with", "required_with_all", "required_without", "required_without_all",
		"excluded_if", "excluded_unless", "excluded_with", "excluded_with_all", "excluded_without", "excluded_without_all",
		"alpha", "alphanum", "alphaspace", "alphanumspace", "alphaunicode", "alphanumunicode", "numeric", "number", "hexadecimal",
		"hexcolor", "rgb", "rgba", "hsl", "hsla", "e164", "email", "url", "http_url", "uri", "base64", "isbn", "isbn10", "isbn13", "issn",
		"uuid", "uuid3", "uuid4", "uuid5", "ulid", "ascii", "printascii", "multibyte", "datauri", "latitude", "longitude", "ssn",
		"ip", "ipv4", "ipv6", "cidr", "cidrv4", "cidrv6", "mac", "hostname", "fqdn", "unique", "cron", "json", "jwt", "lowercase",
		"uppercase", "timezone", "boolean", "image", "cve", "iso4217", "iso3166_1_alpha2", "bcp47_language_tag",
	}
	withParam = []string{
		"oneof", "oneofci", "noneof", "noneofci", "eqfield", "nefield", "gtfield", "gtefield", "ltfield", "ltefield", "contains",
		"containsany", "startswith", "endswith", "startsnotwith", "endsnotwith", "excludes", "excludesall", "datetime", "eq", "ne",
	}
	limits = []string{"min", "max", "gte", "lte", "gt", "lt", "len"} // of numbers, and of what is counted
	// formats are what the decoder says of a type that reads itself, by the
	// rule that says the same.
	formats = map[string]string{
		"format.uuid": "uuid", "format.email": "email", "format.uri": "uri", "format.url": "url", "format.ipv4": "ipv4", "format.ipv6": "ipv6",
		"format.hostname": "hostname", "format.base64": "base64",
	}
)

// What stands in the texts for the field and the parameter.
const (
	field = "Qfieldq"
	param = "Qparamq"
)

// texts are those of all rules that the language has words for.
func (w *writer) texts() map[string]map[string]string {
	out := map[string]map[string]string{}
	say := func(key, text string) {
		if text != "" {
			out[key] = map[string]string{"other": text}
		}
	}
	for _, rule := range plain {
		say(rule, w.text("", rule, rule, "", ""))
	}
	for _, rule := range withParam {
		named := "{{.Param}}"
		if strings.HasSuffix(rule, "oneof") || strings.HasSuffix(rule, "ofci") || rule == "noneof" {
			named = "{{.List}}"
		}
		say(rule, w.text("", rule, rule+"="+param, param, named))
	}
	for _, rule := range limits {
		const sample = "77"
		say(rule, w.text(1, rule, rule+"="+sample, w.words.FmtNumber(77, 0), "{{.Param}}"))
		for unit, value := range map[string]any{"character": "", "item": []int{1}} {
			forms := w.forms(value, rule, unit)
			if forms == nil || wrong[w.tag.String()+" "+rule+"."+unit] {
				continue
			}
			out[rule+"."+unit] = forms
			if unit == "item" {
				out[rule+".member"] = forms // validator counts both alike
			}
		}
	}
	for key, rule := range formats {
		if text, ok := out[rule]; ok {
			out[key] = text
		}
	}
	if text, ok := out["oneof"]; ok {
		out["enum"] = map[string]string{"other": strings.ReplaceAll(text["other"], "{{.List}}", "{{.Param}}")}
	}
	return out
}

// wrong are texts that say another limit than the rule has: in German, more
// than 2 is said as 2 or more.
var wrong = map[string]bool{"de gt.item": true, "de lt.item": true}

// units are the ends of the keys under which validator has the words for what
// is counted: French and Arabic have names of their own.
var units = map[string][]string{
	"character": {"-string-character", "-string-character-other"},
	"item":      {"-items-item", "-elements-element", "-items-item-other"},
}

// forms are the plural forms of a limit that counts, nil when validator lacks
// it.
func (w *writer) forms(value any, rule, unit string) map[string]string {
	forms := map[string]string{}
	for name, n := range w.samples() {
		digits := uint64(0)
		if n != float64(int(n)) {
			digits = 1
		}
		number := w.words.FmtNumber(n, digits)
		if !slices.ContainsFunc(units[unit], func(end string) bool { return w.counts(rule+end, n, digits, number) }) {
			continue
		}
		if text := w.text(value, rule, rule+"="+strconv.FormatFloat(n, 'f', -1, 64), number, "{{.Param}}"); text != "" {
			forms[name] = text
		}
	}
	if forms["other"] == "" {
		forms["other"] = forms["many"] // for fractions, which no language but its own rules has
	}
	if forms["other"] == "" {
		return nil
	}
	return forms
}

// counts reports whether there are words for a number. Without, validator
// prints a warning when it is asked for the text, or panics.
func (w *writer) counts(key string, n float64, digits uint64, number string) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false // a nil pointer for a plural form that is not there
		}
	}()
	if _, err := w.words.C(key, n, digits, number); err == nil {
		return true
	}
	_, err := w.words.T(key, number)
	return err == nil
}

// samples are a number for each plural form of the language.
func (w *writer) samples() map[string]float64 {
	names := map[plural.Form]string{plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Other: "other"}
	out := map[string]float64{"other": 1.5}
	for n := 200; n >= 0; n-- {
		out[names[plural.Cardinal.MatchPlural(w.tag, n, 0, 0, 0, 0)]] = float64(n)
	}
	return out
}

// text is what validator says of a value that breaks a rule, as a template;
// empty when it has no text for it.
func (w *writer) text(value any, rule, tag, needle, with string) string {
	if value == "" && rule != "required" {
		value = "x"
	}
	err := w.validate.VarWithKey(field, value, tag)
	errs, ok := err.(validator.ValidationErrors)
	if !ok || len(errs) != 1 {
		return ""
	}
	text := errs[0].Translate(w.words)
	if text == errs[0].Error() || strings.Contains(text, "{{") || strings.Count(text, field) > 1 {
		return ""
	}
	if needle != "" {
		text = strings.ReplaceAll(text, needle, with)
	}
	text = strings.TrimRight(strings.TrimSpace(text), ".。")
	if rest, ok := strings.CutPrefix(text, field); ok {
		return strings.TrimSpace(rest)
	}
	return strings.ReplaceAll(text, field, "{{.Field}}")
}
