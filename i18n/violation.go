package i18n

import (
	"regexp"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/i18n/internal/textfile"
)

// Violations words vs for a group in a language: the messages, and the
// sentence of the error of the kind. What has no text for its rule is looked up
// as a sentence, and keeps its own message if it is none; English is how it was
// written. vs itself stays as it is.
func (t *Texts) Violations(lang, group, kind string, vs []rpcerrors.Violation) (sentence string, translated []rpcerrors.Violation) {
	if len(vs) == 0 {
		return "", nil
	}
	l := t.now()
	translated = make([]rpcerrors.Violation, len(vs))
	for i, v := range vs {
		w := words(&v)
		if why, ok := l.sentence(lang, group, w.Why, 0); ok {
			w.Why = why
		}
		if text, ok := l.say(lang, group, keys(&v), count(&v), w); ok {
			v.Message = text
		} else if text, ok := l.sentence(lang, group, v.Message, 0); ok {
			v.Message = text
		}
		translated[i] = v
	}
	w := textfile.Words{First: strings.TrimPrefix(translated[0].Pointer+" ", " ") + translated[0].Message, More: len(vs) - 1}
	if text, ok := l.text(lang, group, textfile.Errors+kind); ok {
		w.Error = strings.TrimSuffix(text, ".")
	}
	name, more := "first", ""
	if w.More > 0 {
		name, more = "more", digits(w.More)
	}
	sentence, _ = l.say(lang, group, []string{name}, more, w)
	return sentence, translated
}

// say words the first of the names that a place knows, place after place.
func (l *library) say(lang, group string, names []string, count string, w textfile.Words) (string, bool) {
	for p := range l.places(lang, group) {
		if book := l.phrases[p]; book != nil {
			for _, name := range names {
				if text, ok := book.say(name, count, w); ok {
					return text, true
				}
			}
		}
		if p == (place{"", "en"}) {
			return "", false // the message is English already
		}
	}
	return "", false
}

// same are the rules that are said with the words of others.
func same(rule string, counts bool) string {
	switch {
	case rule == "gte":
		return "min"
	case rule == "lte":
		return "max"
	case rule == "eq" && counts:
		return "len"
	}
	return ""
}

// keys are the names of the texts that word a violation, the best first.
func keys(v *rpcerrors.Violation) []string {
	rule, detail := v.Rule, detail(v)
	other := same(rule, v.Unit != "")
	var all []string
	if detail != "" {
		all = append(all, rule+"."+detail)
		if other != "" {
			all = append(all, other+"."+detail)
		}
	}
	if rule == "range" || rule == "type" {
		return all // one text cannot say all of them
	}
	all = append(all, rule)
	if other != "" {
		all = append(all, other)
	}
	if strings.HasPrefix(v.Message, noWords) {
		all = append(all, "rule")
	}
	return all
}

// noWords begins the message of a rule for which the framework has no words.
const noWords = "does not keep the rule "

// detail is the second part of the name of a text: what is counted, or which
// type, format or range was asked for.
func detail(v *rpcerrors.Violation) string {
	switch v.Rule {
	case "type":
		noun := strings.TrimPrefix(strings.TrimPrefix(asked(v), "a "), "an ")
		if noun == "string or an integer" {
			return "text"
		}
		return noun
	case "format":
		return formats(asked(v))
	case "range":
		name, _, _ := interval(v)
		return name
	case "required":
		if v.Unit != "" {
			return "empty"
		}
	case "count":
		if v.Param == "0" {
			return "none"
		}
	case "unknown":
		if strings.HasSuffix(v.Message, "setting") {
			return "setting"
		}
	}
	return v.Unit
}

// asked is what a value must be; settings of a call have it only in their
// message.
func asked(v *rpcerrors.Violation) string {
	if v.Param != "" {
		return v.Param
	}
	return strings.TrimPrefix(v.Message, "must be ")
}

// formats names the formats that the decoder reads.
func formats(phrase string) string {
	return map[string]string{
		"a number in quotes": "quoted", "an integer as its name": "name", "base64 text": "base64",
		"a time such as 2026-01-02T15:04:05Z": "time", "a date such as 2026-01-02": "date",
		"a duration such as 1m30s": "duration", "a duration such as PT1M30S": "period",
		"text of the documented form": "text", "a value of the documented form": "value",
		"a UUID": "uuid", "an e-mail address": "email", "a URI": "uri", "an http or https URL": "url",
		"an IPv4 address": "ipv4", "an IPv6 address": "ipv6", "a host name": "hostname",
	}[phrase]
}

var (
	fromTo  = regexp.MustCompile(`(integer|seconds) from (\S+) to (\S+)$`)
	bits    = regexp.MustCompile(`fits (\d+) bits$`)
	values  = regexp.MustCompile(`at most (\d+) values`)
	inBytes = regexp.MustCompile(`^must have (\d+) to (\d+) bytes$`)
)

// interval reads the range that a value must be in.
func interval(v *rpcerrors.Violation) (name, from, to string) {
	phrase := asked(v)
	if m := fromTo.FindStringSubmatch(phrase); m != nil {
		return m[1], m[2], m[3]
	}
	if m := bits.FindStringSubmatch(phrase); m != nil {
		return "bits", m[1], ""
	}
	if m := values.FindStringSubmatch(phrase); m != nil {
		return "values", m[1], ""
	}
	if m := inBytes.FindStringSubmatch(phrase); m != nil {
		return "bytes", m[1], m[2]
	}
	return "", "", ""
}
