package i18n

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/facet-rpc/facet/i18n/internal/textfile"
)

// Sentence is the translation of an English sentence that was given to an
// error where it was made. Its key in the files is the sentence, with … for
// what varies; in the text … stands for the same, in the same order. What
// varies and is a sentence or a phrase of the files itself is written […] in
// the key and is translated too:
//
//	sentences:
//	  No such tea.: Такого чаю немає.
//	  Method "…" is locked.: Метод "…" зайнятий.
//	  "Invalid request: […].": "Неправильний запит: …."
func (t *Texts) Sentence(lang, group, sentence string) (string, bool) {
	if len(sentence) > maxHeader {
		return "", false
	}
	return t.now().sentence(lang, group, sentence, 0)
}

// maxNested is how deep sentences stand in each other.
const maxNested = 4

func (l *library) sentence(lang, group, sentence string, depth int) (string, bool) {
	for p := range l.places(lang, group) {
		if text, ok := l.texts[id{p, textfile.Sentences + sentence}]; ok {
			return text, true
		}
		for i := range l.patterns[p] {
			pattern := &l.patterns[p][i]
			parts, ok := pattern.match(sentence)
			if !ok {
				continue
			}
			for i := range parts {
				if pattern.blanks[i] == nested && depth < maxNested {
					if text, ok := l.sentence(lang, group, parts[i], depth+1); ok {
						parts[i] = text
					}
				}
			}
			return pattern.fill(parts), true
		}
		if p == (place{"", "en"}) {
			break // it is English already
		}
	}
	return "", false
}

// What stands in the files for what varies in a sentence.
const (
	blank  = "…"
	nested = "[…]" // a sentence itself
)

var blanks = regexp.MustCompile(`\[…\]|…`)

// pattern is a sentence in which something varies.
type pattern struct {
	pieces []string // what does not, before, between and behind the blanks
	blanks []string // one less
	text   []string // the pieces of the translation
}

// newPattern is nil for a sentence in which nothing varies.
func newPattern(sentence, text string) *pattern {
	found := blanks.FindAllString(sentence, -1)
	if found == nil {
		return nil
	}
	return &pattern{blanks.Split(sentence, -1), found, blanks.Split(text, -1)}
}

// sortPatterns puts those first that say the most.
func sortPatterns(list []pattern) {
	slices.SortFunc(list, func(a, b pattern) int {
		x, y := strings.Join(a.pieces, blank), strings.Join(b.pieces, blank)
		return cmp.Or(len(y)-len(x), strings.Compare(x, y))
	})
}

// match finds what stands where the blanks are.
func (p *pattern) match(sentence string) (parts []string, ok bool) {
	last := len(p.pieces) - 1
	rest, ok := strings.CutPrefix(sentence, p.pieces[0])
	if !ok {
		return nil, false
	}
	if rest, ok = strings.CutSuffix(rest, p.pieces[last]); !ok {
		return nil, false
	}
	for _, piece := range p.pieces[1:last] {
		part, after, ok := strings.Cut(rest, piece)
		if !ok {
			return nil, false
		}
		parts, rest = append(parts, part), after
	}
	return append(parts, rest), true
}

// fill puts the parts into the translation.
func (p *pattern) fill(parts []string) string {
	var b strings.Builder
	for i, piece := range p.text {
		b.WriteString(piece)
		if i < len(p.text)-1 && i < len(parts) {
			b.WriteString(parts[i])
		}
	}
	return b.String()
}
