package validatortexts

import (
	"github.com/go-playground/locales"
	"github.com/go-playground/locales/ar"
	"github.com/go-playground/locales/de"
	"github.com/go-playground/locales/es"
	"github.com/go-playground/locales/fa"
	"github.com/go-playground/locales/fr"
	"github.com/go-playground/locales/hy"
	"github.com/go-playground/locales/id"
	"github.com/go-playground/locales/it"
	"github.com/go-playground/locales/ja"
	"github.com/go-playground/locales/ko"
	"github.com/go-playground/locales/lv"
	"github.com/go-playground/locales/nl"
	"github.com/go-playground/locales/pl"
	"github.com/go-playground/locales/pt"
	"github.com/go-playground/locales/pt_BR"
	"github.com/go-playground/locales/ru"
	"github.com/go-playground/locales/th"
	"github.com/go-playground/locales/tr"
	"github.com/go-playground/locales/vi"
	"github.com/go-playground/locales/zh"
	"github.com/go-playground/locales/zh_Hant_TW"
	ut "github.com/go-playground/universal-translator"
	"github.com/go-playground/validator/v10"
	arTexts "github.com/go-playground/validator/v10/translations/ar"
	deTexts "github.com/go-playground/validator/v10/translations/de"
	esTexts "github.com/go-playground/validator/v10/translations/es"
	faTexts "github.com/go-playground/validator/v10/translations/fa"
	frTexts "github.com/go-playground/validator/v10/translations/fr"
	hyTexts "github.com/go-playground/validator/v10/translations/hy"
	idTexts "github.com/go-playground/validator/v10/translations/id"
	itTexts "github.com/go-playground/validator/v10/translations/it"
	jaTexts "github.com/go-playground/validator/v10/translations/ja"
	koTexts "github.com/go-playground/validator/v10/translations/ko"
	lvTexts "github.com/go-playground/validator/v10/translations/lv"
	nlTexts "github.com/go-playground/validator/v10/translations/nl"
	plTexts "github.com/go-playground/validator/v10/translations/pl"
	ptTexts "github.com/go-playground/validator/v10/translations/pt"
	ptBRTexts "github.com/go-playground/validator/v10/translations/pt_BR"
	ruTexts "github.com/go-playground/validator/v10/translations/ru"
	thTexts "github.com/go-playground/validator/v10/translations/th"
	trTexts "github.com/go-playground/validator/v10/translations/tr"
	viTexts "github.com/go-playground/validator/v10/translations/vi"
	zhTexts "github.com/go-playground/validator/v10/translations/zh"
	zhTWTexts "github.com/go-playground/validator/v10/translations/zh_tw"
)

// language is what validator and its locales have for one.
type language struct {
	tag      string
	locale   func() locales.Translator
	register func(*validator.Validate, ut.Translator) error
}

// table has all languages of validator but English and Ukrainian, which are
// built into i18n.
var table = map[string]language{
	"ar":      {"ar", ar.New, arTexts.RegisterDefaultTranslations},
	"de":      {"de", de.New, deTexts.RegisterDefaultTranslations},
	"es":      {"es", es.New, esTexts.RegisterDefaultTranslations},
	"fa":      {"fa", fa.New, faTexts.RegisterDefaultTranslations},
	"fr":      {"fr", fr.New, frTexts.RegisterDefaultTranslations},
	"hy":      {"hy", hy.New, hyTexts.RegisterDefaultTranslations},
	"id":      {"id", id.New, idTexts.RegisterDefaultTranslations},
	"it":      {"it", it.New, itTexts.RegisterDefaultTranslations},
	"ja":      {"ja", ja.New, jaTexts.RegisterDefaultTranslations},
	"ko":      {"ko", ko.New, koTexts.RegisterDefaultTranslations},
	"lv":      {"lv", lv.New, lvTexts.RegisterDefaultTranslations},
	"nl":      {"nl", nl.New, nlTexts.RegisterDefaultTranslations},
	"pl":      {"pl", pl.New, plTexts.RegisterDefaultTranslations},
	"pt":      {"pt", pt.New, ptTexts.RegisterDefaultTranslations},
	"pt-BR":   {"pt-BR", pt_BR.New, ptBRTexts.RegisterDefaultTranslations},
	"ru":      {"ru", ru.New, ruTexts.RegisterDefaultTranslations},
	"th":      {"th", th.New, thTexts.RegisterDefaultTranslations},
	"tr":      {"tr", tr.New, trTexts.RegisterDefaultTranslations},
	"vi":      {"vi", vi.New, viTexts.RegisterDefaultTranslations},
	"zh":      {"zh", zh.New, zhTexts.RegisterDefaultTranslations},
	"zh-Hant": {"zh-Hant", zh_Hant_TW.New, zhTWTexts.RegisterDefaultTranslations},
	"zh-TW":   {"zh-TW", zh_Hant_TW.New, zhTWTexts.RegisterDefaultTranslations},
}
