package i18n

import (
	"embed"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

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
	patterns  map[place][]pattern
	phrases   map[place]*phrasebook
	files     []textfile.Text // of the application
	revision  uint64          // of the files, 0 when they never change

	seen   sync.RWMutex
	chosen map[string]string // Accept-Language → language
}

// place is a file, or what several files say for the same group and language.
type place struct{ group, lang string }

type id struct {
	place
	key string
}

// newLibrary puts the texts of the files over those that are built in.
func newLibrary(s *settings, files []textfile.Text) (*library, error) {
	ready, err := textfile.Read(builtin, "builtin")
	if err != nil {
		return nil, err
	}
	l := &library{
		canonical: map[string]string{}, chains: map[string][]string{}, texts: map[id]string{}, patterns: map[place][]pattern{},
		phrases: map[place]*phrasebook{}, files: files, chosen: map[string]string{},
	}
	words := map[place]map[string]textfile.Text{}
	l.add(ready, words)
	if s.rules != nil {
		l.add(s.ruleTexts(files), words)
	}
	l.add(files, words)
	if err := l.chain(s.language); err != nil {
		return nil, err
	}
	for _, list := range l.patterns {
		sortPatterns(list)
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

// add puts texts over earlier ones.
func (l *library) add(texts []textfile.Text, words map[place]map[string]textfile.Text) {
	for _, t := range texts {
		if !slices.Contains(l.languages, t.Lang) {
			l.languages = append(l.languages, t.Lang)
			l.canonical[strings.ToLower(t.Lang)] = t.Lang
		}
		at := place{t.Group, t.Lang}
		if name, ok := strings.CutPrefix(t.Key, textfile.Violations); ok {
			if words[at] == nil {
				words[at] = map[string]textfile.Text{}
			}
			words[at][name] = t
			continue
		}
		if sentence, ok := strings.CutPrefix(t.Key, textfile.Sentences); ok {
			if p := newPattern(sentence, t.Text); p != nil {
				same := func(q pattern) bool { return slices.Equal(q.pieces, p.pieces) }
				l.patterns[at] = append(slices.DeleteFunc(l.patterns[at], same), *p)
				continue
			}
		}
		l.texts[id{at, t.Key}] = t.Text
	}
}

// chain orders the languages and says what follows each.
func (l *library) chain(standard string) error {
	first, ok := l.canonical[strings.ToLower(standard)]
	if !ok {
		return fmt.Errorf("facet: the default language of the texts is %s, but the languages that are there are %s", standard, strings.Join(l.languages, ", "))
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
	return nil
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

// text is the text of a key for a group in a language.
func (l *library) text(lang, group, key string) (string, bool) {
	for p := range l.places(lang, group) {
		if text, ok := l.texts[id{p, key}]; ok {
			return text, true
		}
	}
	return "", false
}

// ruleTexts are the texts of [Rules] for the languages of the files.
func (s *settings) ruleTexts(files []textfile.Text) []textfile.Text {
	var texts []textfile.Text
	asked := map[string]bool{"en": true, "uk": true}
	for _, f := range files {
		if asked[f.Lang] {
			continue
		}
		asked[f.Lang] = true
		for rule, forms := range s.rules(f.Lang) {
			t := textfile.Text{Lang: f.Lang, Key: textfile.Violations + rule, Text: forms["other"]}
			if len(forms) > 1 {
				t.Forms = forms
			}
			texts = append(texts, t)
		}
	}
	return texts
}
