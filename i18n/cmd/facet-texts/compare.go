package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/facet-rpc/facet/i18n/internal/textfile"
)

// source is the language of the documents; it needs no texts.
const source = "en"

// compare tells what is missing, unknown and unused, a line each.
func compare(known *library, texts []textfile.Text) []string {
	byLanguage := map[string]map[string][]textfile.Text{} // language, key
	for _, t := range texts {
		if byLanguage[t.Lang] == nil {
			byLanguage[t.Lang] = map[string][]textfile.Text{}
		}
		byLanguage[t.Lang][t.Key] = append(byLanguage[t.Lang][t.Key], t)
	}
	var out []string
	for _, lang := range sorted(byLanguage) {
		have := byLanguage[lang]
		for _, key := range known.keys {
			switch {
			case lang == source || known.texts[key] == "" || known.covered(key, have[key]):
			case strings.HasPrefix(key, textfile.Errors) && known.ready(key, lang):
			default:
				out = append(out, lang+": missing "+key)
			}
		}
		for _, t := range texts {
			if t.Lang != lang {
				continue
			}
			if problem := known.problem(&t); problem != "" {
				out = append(out, lang+": "+problem+" "+t.Where())
			}
		}
	}
	return out
}

// covered reports whether the method of a key has the text in all its groups.
func (l *library) covered(key string, texts []textfile.Text) bool {
	has := func(group string) bool {
		return slices.ContainsFunc(texts, func(t textfile.Text) bool { return t.Group == group })
	}
	if has("") {
		return true
	}
	for _, g := range l.groups[key] {
		if !has(g) {
			return false
		}
	}
	return len(l.groups[key]) > 0
}

// problem says what is wrong with a text, empty for nothing.
func (l *library) problem(t *textfile.Text) string {
	english, known := l.texts[t.Key]
	switch {
	case t.Group != "" && !l.any[t.Group]:
		return "unused, no method is in the group " + t.Group + ":"
	case strings.HasPrefix(t.Key, textfile.Violations), strings.HasPrefix(t.Key, textfile.Sentences):
		return ""
	case !t.OfMethod():
		if !known && !l.ready(t.Key, source) {
			return "unused, no method answers with it:"
		}
	case !known:
		return "unknown"
	case t.Group != "" && !slices.Contains(l.groups[t.Key], t.Group):
		return "unused, the method is not in the group " + t.Group + ":"
	}
	if t.Lang != source && t.Text == english {
		return "not translated:"
	}
	return ""
}

// ready reports whether Facet itself has the text of an error in a language.
func (l *library) ready(key, lang string) bool {
	_, ok := l.builtin.Text(source, "", key)
	return ok && slices.Contains(l.builtin.Languages(), lang)
}

// sorted are the names in a map.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
