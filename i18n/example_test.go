package i18n_test

import (
	"fmt"
	"os"
	"testing/fstest"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/i18n"
	"github.com/facet-rpc/facet/i18n/validatortexts"
	"github.com/facet-rpc/facet/rpc"
)

// inUkrainian stands for a folder that a program embeds.
var inUkrainian = fstest.MapFS{"translations/rpc.uk.yaml": {Data: []byte(`
Tea.search:
  title: Пошук чаю
  params:
    query: Частина назви
errors:
  OutOfStock: Лишилося {{.Left}}.
`)}}

// Tea sells tea.
type Tea struct{}

// Query is what to look for.
type Query struct {
	Query string `json:"query" validate:"min=3"`
}

// Search finds tea.
func (Tea) Search(Query) {}

// A program gives the texts to its registry, which finds keys that fit nothing.
func ExampleLoad() {
	texts, err := i18n.Load(inUkrainian)
	if err != nil {
		fmt.Println(err)
		return
	}
	registry, err := rpc.NewRegistry(rpc.App{Name: "tea", Version: "1.0.0", Texts: texts}, Tea{})
	if err != nil {
		fmt.Println(err)
		return
	}
	endpoint := registry.Endpoint(rpc.DefaultGroup, 1)
	search := endpoint.Lookup("Tea.search")
	for _, accept := range []string{"uk-UA,uk;q=0.9,en;q=0.8", "de, en;q=0.5"} {
		language := texts.Language(accept)
		fmt.Println(language+":", endpoint.Title(search, language))
	}
	// Output:
	// uk: Пошук чаю
	// en: Tea.search
}

// Whatever is wrong with all files is told at once.
func ExampleLoad_faults() {
	_, err := i18n.Load(fstest.MapFS{
		"translations/rpc.uk.yaml": {Data: []byte("Tea.search:\n  titel: Пошук\n")},
		"translations/rpc.de.yml":  {Data: []byte("Tea.search.title: Suche\n")},
	})
	fmt.Println(err)
	// Output:
	// facet: 2 faults in the texts:
	//   - translations/rpc.de.yml: the name of this file is not read; call it rpc.<language>.yaml
	//   - translations/rpc.uk.yaml:2: Tea.search.titel: no text is called so; write <Service.method>.title, .description or .params.<name>, errors.<Kind>, sentences.<sentence> or violations.<rule>
}

// The registry names texts of what is not published.
func ExampleTexts_Check() {
	texts, err := i18n.Load(fstest.MapFS{"translations/rpc.uk.yaml": {Data: []byte("Tea.serch.title: Пошук\n")}})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = rpc.NewRegistry(rpc.App{Name: "tea", Version: "1.0.0", Texts: texts}, Tea{})
	fmt.Println(err)
	// Output:
	// facet: 1 fault in what was registered:
	//   - app: translations/rpc.uk.yaml:1: Tea.serch.title: no method is called Tea.serch: correct the key, or take it out
}

// Language looks a header up; it never takes a language that is only similar.
func ExampleTexts_Language() {
	texts, err := i18n.Load(nil) // English and Ukrainian
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, accept := range []string{"uk-UA", "ru, uk;q=0.5", "ru", "uk;q=0, *", "UK;q=0.1", ""} {
		fmt.Printf("%q %s\n", accept, texts.Language(accept))
	}
	// Output:
	// "uk-UA" uk
	// "ru, uk;q=0.5" uk
	// "ru" en
	// "uk;q=0, *" en
	// "UK;q=0.1" uk
	// "" en
}

// Violations agree with what they count.
func ExampleTexts_Violations() {
	texts, err := i18n.Load(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, n := range []string{"1", "3", "5", "21"} {
		_, vs := texts.Violations("uk", rpc.DefaultGroup, "InvalidParams", []rpcerrors.Violation{{Pointer: "/query", Rule: "min", Param: n, Unit: "character"}})
		fmt.Println(vs[0].Pointer, vs[0].Message)
	}
	// Output:
	// /query має містити щонайменше 1 символ
	// /query має містити щонайменше 3 символи
	// /query має містити щонайменше 5 символів
	// /query має містити щонайменше 21 символ
}

// Violations in German come from validator; the file overrides and adds.
func ExampleRules() {
	files := fstest.MapFS{"translations/rpc.de.yaml": {Data: []byte(`
errors.InvalidParams: Ungültige Parameter.
violations:
  type.string: muss eine Zeichenkette sein
`)}}
	texts, err := i18n.Load(files, i18n.Rules(validatortexts.In))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range []rpcerrors.Violation{
		{Pointer: "/query", Rule: "min", Param: "1", Unit: "character"},
		{Pointer: "/query", Rule: "type", Param: "string"},
		{Pointer: "/query", Rule: "null", Message: "must not be null"},
	} {
		sentence, _ := texts.Violations("de", rpc.DefaultGroup, "InvalidParams", []rpcerrors.Violation{v})
		fmt.Println(sentence)
	}
	// Output:
	// Ungültige Parameter: /query muss mindestens 1 Zeichen lang sein.
	// Ungültige Parameter: /query muss eine Zeichenkette sein.
	// Ungültige Parameter: /query must not be null.
}

// In development the texts follow the files on disk.
func ExampleFollow() {
	texts, err := i18n.Load(os.DirFS("../examples/shop/shop"), i18n.Follow(func(err error) {
		fmt.Println("the texts stay as they were:", err)
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	title, _ := texts.Text("uk", rpc.DefaultGroup, "Catalog.search.title")
	fmt.Println(title)
	// Output: Пошук товарів
}
