package i18n

import (
	"regexp"
	"strings"

	"github.com/facet-rpc/facet/i18n/internal/textfile"
)

// varying is what varies in a sentence: a name between quotes, a number.
var varying = regexp.MustCompile(`"[^"]*"| \d+`)

// blank stands for it in the files.
const blank = "…"

// Sentence is the translation of an English sentence that was given to an
// error where it was made. Its key in the files is the sentence; for what
// stands in quotes, and for numbers, … is written there and in the text:
//
//	sentences:
//	  No such tea.: Такого чаю немає.
//	  Method "…" is locked.: Метод "…" зайнятий.
func (t *Texts) Sentence(lang, group, sentence string) (string, bool) {
	if len(sentence) > maxHeader {
		return "", false
	}
	var parts []string
	key := textfile.Sentences + varying.ReplaceAllStringFunc(sentence, func(part string) string {
		parts = append(parts, strings.Trim(part, `" `))
		if part[0] == ' ' {
			return " " + blank
		}
		return `"` + blank + `"`
	})
	for p := range t.library.places(lang, group) {
		if text, ok := t.library.texts[id{p, key}]; ok {
			return fill(text, parts), true
		}
		if p == (place{"", "en"}) {
			break // it is English already
		}
	}
	return "", false
}

// fill puts the parts where text has a blank each.
func fill(text string, parts []string) string {
	pieces := strings.Split(text, blank)
	var b strings.Builder
	for i, piece := range pieces {
		b.WriteString(piece)
		if i < len(pieces)-1 && i < len(parts) {
			b.WriteString(parts[i])
		}
	}
	return b.String()
}
