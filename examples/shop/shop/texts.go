package shop

import (
	"embed"

	"github.com/facet-rpc/facet/i18n"
)

//go:embed translations
var translations embed.FS

// texts are the shop's words in English and Ukrainian, and those for agents.
// They are part of the program: with a broken file it does not start.
func texts() *i18n.Texts {
	t, err := i18n.Load(translations)
	if err != nil {
		panic(err)
	}
	return t
}
