package i18n

import (
	"fmt"

	"github.com/facet-rpc/facet/i18n/internal/textfile"
	goi18n "github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

// phrasebook words the violations of one place. Each has a bundle of go-i18n
// of its own with one language: its matcher, which gives Ukrainian readers
// Russian, has nothing to choose.
type phrasebook struct {
	tag       language.Tag
	localizer *goi18n.Localizer
	counted   map[string]bool // the messages: whether they have plural forms
}

func newPhrasebook(lang string, texts map[string]textfile.Text) (*phrasebook, error) {
	tag, err := language.Raw.Parse(lang)
	if err != nil {
		return nil, fmt.Errorf("facet: the language %s of the texts: %w", lang, err)
	}
	b := &phrasebook{tag: tag, counted: map[string]bool{}}
	var messages []*goi18n.Message
	for name, t := range texts {
		m := &goi18n.Message{ID: name, Other: t.Text}
		if t.Forms != nil {
			m.Zero, m.One, m.Two, m.Few, m.Many, m.Other = t.Forms["zero"], t.Forms["one"], t.Forms["two"], t.Forms["few"], t.Forms["many"], t.Forms["other"]
		}
		messages = append(messages, m)
		b.counted[name] = t.Forms != nil
	}
	bundle := goi18n.NewBundle(tag)
	if bundle.AddMessages(tag, messages...) != nil {
		// CLDR does not say how this language counts: as an artificial one,
		// which has the forms one and other.
		b.tag = language.MustParse("art")
		bundle = goi18n.NewBundle(b.tag)
		if err := bundle.AddMessages(b.tag, messages...); err != nil {
			return nil, fmt.Errorf("facet: the texts of violations in %s: %w", lang, err)
		}
	}
	b.localizer = goi18n.NewLocalizer(bundle, b.tag.String())
	return b, nil
}

// say words the message name; count is a number as text, or empty.
func (b *phrasebook) say(name, count string, w textfile.Words) (string, bool) {
	counted, ok := b.counted[name]
	if !ok {
		return "", false
	}
	config := &goi18n.LocalizeConfig{MessageID: name, TemplateData: w}
	if counted && isNumber(count) {
		config.PluralCount = count
	}
	text, tag, err := b.localizer.LocalizeWithTag(config)
	if tag != b.tag || err != nil && text == "" {
		return "", false
	}
	return text, true
}

// isNumber reports whether go-i18n counts s: digits, and digits after a point.
func isNumber(s string) bool {
	point, digits := false, 0
	for _, c := range s {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c == '.' && !point && digits > 0:
			point = true
		default:
			return false
		}
	}
	return digits > 0 && digits < 16 && s[len(s)-1] != '.'
}
