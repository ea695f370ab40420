package i18n

import (
	"embed"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/facet-rpc/facet/i18n/internal/textfile"
)

//go:embed builtin
var builtin embed.FS

// library is all texts, ready to be looked up.
type library struct {
	languages []string            // the default first
	canonical map[string]string   // in lower case → as in languages
	chains    map[string][]string // a language, then itself without its last parts
	texts     map[id]string
	phrases   map[place]*phrasebook
}

// place is a file, or what several files say for the same group and language.
type place struct{ group, lang string }

type id struct {
	place
	key string
}

// newLibrary puts later texts over earlier ones.
func newLibrary(standard string, sources ...[]textfile.Text) (*library, error) {
	l := &library{canonical: map[string]string{}, chains: map[string][]string{}, texts: map[id]string{}, phrases: map[place]*phrasebook{}}
	words := map[place]map[string]textfile.Text{}
	for _, texts := range sources {
		for _, t := range texts {
			if !slices.Contains(l.languages, t.Lang) {
				l.languages = append(l.languages, t.Lang)
				l.canonical[strings.ToLower(t.Lang)] = t.Lang
			}
			at := place{t.Group, t.Lang}
			name, ok := strings.CutPrefix(t.Key, textfile.Violations)
			if !ok {
				l.texts[id{at, t.Key}] = t.Text
				continue
			}
			if words[at] == nil {
				words[at] = map[string]textfile.Text{}
			}
			words[at][name] = t
		}
	}
	first, ok := l.canonical[strings.ToLower(standard)]
	if !ok {
		return nil, fmt.Errorf("facet: the default language of the texts is %s, but the languages that are there are %s", standard, strings.Join(l.languages, ", "))
	}
	slices.SortFunc(l.languages, func(a, b string) int {
		if (a == first) != (b == first) {
			return map[bool]int{true: -1, false: 1}[a == first]
		}
		return strings.Compare(a, b)
	})
	for _, lang := range l.languages {
		for tag := range shorter(strings.ToLower(lang)) {
			if c := l.canonical[tag]; c != "" {
				l.chains[lang] = append(l.chains[lang], c)
			}
		}
	}
	for at, texts := range words {
		book, err := newPhrasebook(at.lang, texts)
		if err != nil {
			return nil, err
		}
		l.phrases[at] = book
	}
	return l, nil
}

// places lists where a text for a group in a language may be, in order.
func (l *library) places(lang, group string) iter.Seq[place] {
	wanted, standard := l.chains[lang], l.chains[l.languages[0]]
	return func(yield func(place) bool) {
		for _, g := range [2]string{group, ""} {
			for _, chain := range [2][]string{wanted, standard} {
				for _, tag := range chain {
					if !yield(place{g, tag}) {
						return
					}
				}
			}
			if group == "" {
				return
			}
		}
	}
}
