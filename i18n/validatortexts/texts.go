// Package validatortexts gives violations the texts that validator/v10 brings
// itself in some twenty languages, for those that a program has files in:
//
//	texts, err := i18n.Load(files, i18n.Rules(validatortexts.In))
//
// They word the rules of validate tags. What validator has no text for, such
// as a value of the wrong type, is said in English until a file of the program
// says it. Only programs that import this package carry the translations.
package validatortexts

import (
	"maps"
	"slices"
	"strings"
)

// In is the texts for violations in a language, by rule and then by plural
// form, as i18n.Rules wants them; nil for a language without any. A region
// that has no texts of its own has those of its language, but a script never
// has those of another: zh-Hant is zh-TW.
func In(lang string) map[string]map[string]string {
	l, ok := lookUp(lang)
	if !ok {
		return nil
	}
	w, err := newWriter(l)
	if err != nil {
		return nil // validator refuses its own texts: a test reads all of them
	}
	return w.texts()
}

// Languages are those that have texts, sorted.
func Languages() []string { return slices.Sorted(maps.Keys(table)) }

// lookUp finds the texts for a tag: its own, or with the last part gone.
func lookUp(lang string) (language, bool) {
	for tag := lang; tag != ""; {
		for name, l := range table {
			if strings.EqualFold(name, tag) {
				return l, true
			}
		}
		cut := strings.LastIndexByte(tag, '-')
		if cut < 0 {
			break
		}
		if part := tag[cut+1:]; len(part) == 4 && !strings.EqualFold(tag, "zh-Hans") {
			break // a script: the texts of the language are in another
		}
		tag = tag[:cut]
	}
	return language{}, false
}
