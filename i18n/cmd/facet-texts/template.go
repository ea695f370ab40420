package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/facet-rpc/facet/i18n/internal/textfile"
)

// template is a file for a new language: what the documents say, to be
// translated.
func template(known *library, lang string) ([]byte, error) {
	tag, ok := textfile.Tag(lang)
	if !ok {
		return nil, fmt.Errorf("%s is no language; write a tag such as de or pt-BR", lang)
	}
	var texts []textfile.Text
	for _, key := range known.keys {
		if text := known.texts[key]; text != "" && (!strings.HasPrefix(key, textfile.Errors) || !known.ready(key, tag)) {
			texts = append(texts, textfile.Text{Key: key, Text: text})
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# translations/rpc.%s.yaml: translate what stands after the colons.\n", tag)
	err := textfile.Write(&b, texts)
	return b.Bytes(), err
}
