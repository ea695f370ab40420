// Package i18n holds the texts of methods and errors by language and chooses
// the language of a call.
//
//	//go:embed translations
//	var files embed.FS
//
//	texts, err := i18n.Load(files)
//	registry, err := rpc.NewRegistry(rpc.App{Name: "shop", Texts: texts}, …)
//
// Files are YAML: translations/rpc.<lang>.yaml for all groups, and
// translations/rpc/<group>.<lang>.yaml for one:
//
//	Catalog.search:
//	  title: Пошук товарів
//	  description: Знаходить товари за назвою.
//	  params:
//	    query: Частина назви
//	errors:
//	  OutOfStock: Лишилося {{.Left}} ({{.SKU}}).
//	sentences:
//	  No such tea.: Такого чаю немає.
//	violations:
//	  sku: має бути артикулом на зразок TEA-07
//
// Nested and dotted keys are the same. Texts of methods are not templates;
// those of errors are, over the data of the error, and so are those of
// violations. Errors and violations have texts in English and Ukrainian
// without any file.
package i18n
