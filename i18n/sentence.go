package i18n

import (
	"regexp"
	"strings"

	"github.com/facet-rpc/facet/i18n/internal/textfile"
)

// quoted is what varies in a sentence: a name between quotes.
var quoted = regexp.MustCompile(`"[^"]*"`)

// blank stands for it in the files.
const blank = `"…"`

// Sentence is the translation of an English sentence that was given to an
// error where it was made. Its key in the files is the sentence; what stands in
// quotes is written as "…" there, in the text too:
//
//	sentences:
//	  No such tea.: Такого чаю немає.
//	  Method "…" is locked.: Метод "…" зайнятий.
func (t *Texts) Sentence(lang, group, sentence string) (string, bool) {
	if len(sentence) > maxHeader {
		return "", false
	}
	key := textfile.Sentences + quoted.ReplaceAllLiteralString(sentence, blank)
	for p := range t.library.places(lang, group) {
		if text, ok := t.library.texts[id{p, key}]; ok {
			for _, name := range quoted.FindAllString(sentence, -1) {
				text = strings.Replace(text, blank, name, 1)
			}
			return text, true
		}
		if p == (place{"", "en"}) {
			break // it is English already
		}
	}
	return "", false
}
