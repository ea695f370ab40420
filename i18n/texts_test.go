package i18n_test

import (
	"flag"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/i18n"
)

var update = flag.Bool("update", false, "write the golden files again")

// golden compares text with a file, which -update writes.
func golden(t *testing.T, file, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s\ngot:\n%s\nwant:\n%s", file, text, want)
	}
}

// R-I02: each field of its own, from the group and the language down.
func TestFallback(t *testing.T) {
	for _, c := range []struct {
		files          []string
		want           string
		without, other string // in another group; in English
	}{
		{[]string{"rpc/mcp.uk.yaml", "1", "rpc/mcp.en.yaml", "2", "rpc.uk.yaml", "3", "rpc.en.yaml", "4"}, "1", "3", "2"},
		{[]string{"rpc/mcp.en.yaml", "2", "rpc.uk.yaml", "3", "rpc.en.yaml", "4"}, "2", "3", "2"},
		{[]string{"rpc.uk.yaml", "3", "rpc.en.yaml", "4"}, "3", "3", "4"},
		{[]string{"rpc.en.yaml", "4"}, "4", "4", "4"},
		{[]string{"rpc.de.yaml", "5", "rpc/other.uk.yaml", "6"}, "", "", ""},
	} {
		var pairs []string
		for i := 0; i < len(c.files); i += 2 {
			pairs = append(pairs, c.files[i], "M.a: {title: '"+c.files[i+1]+"'}")
		}
		texts := load(t, files(pairs...))
		for _, ask := range [][3]string{{"uk", "mcp", c.want}, {"uk", "default", c.without}, {"en", "mcp", c.other}} {
			got, ok := texts.Text(ask[0], ask[1], "M.a.title")
			if got != ask[2] || ok != (ask[2] != "") {
				t.Errorf("%v in %s for %s: %q, want %q", c.files, ask[0], ask[1], got, ask[2])
			}
		}
		if got, ok := texts.Text("uk", "mcp", "M.a.description"); ok {
			t.Errorf("%v: a title is no description: %q", c.files, got)
		}
	}
}

// R-I02: a region falls back to its language before the default.
func TestRegion(t *testing.T) {
	texts := load(t, files("rpc.pt-BR.yaml", "M: {title: BR}", "rpc.pt.yaml", "M: {title: PT, description: pt}", "rpc.en.yaml", "M: {title: EN, description: en, params: {a: en}}"))
	for key, want := range map[string]string{"M.title": "BR", "M.description": "pt", "M.params.a": "en"} {
		if got, _ := texts.Text("pt-BR", "default", key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}

// R-I01: nested and dotted keys are the same, and texts are not templates.
func TestForms(t *testing.T) {
	texts := load(t, files("rpc.uk.yaml", `
Catalog:
  search:
    title: Пошук {{.Name}
    description: |
      Два рядки:
      {{ range }}
  buy.params.sku: Артикул
"Orders.create":
  params.lines: "yes"
  params:
    customer: 42
ping.title: Тут?
errors.OutOfStock: "Лишилося {{.Left}}."
`, "rpc/x.uk.yaml", "# nothing yet\n", "notes.uk.yaml", ": not read", "rpc/README.md", "not read", "rpc/sub/x.yaml", "not read"))
	for key, want := range map[string]string{
		"Catalog.search.title": "Пошук {{.Name}", "Catalog.search.description": "Два рядки:\n{{ range }}\n", "Catalog.buy.params.sku": "Артикул",
		"Orders.create.params.lines": "yes", "Orders.create.params.customer": "42", "ping.title": "Тут?", "errors.OutOfStock": "Лишилося {{.Left}}.",
	} {
		if got, _ := texts.Text("uk", "default", key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}

// R-I05: all faults of all files, each with file, line and key.
func TestFaults(t *testing.T) {
	_, err := i18n.Load(files(
		"rpc.uk.yml", title,
		"rpc.yaml", title,
		"rpc.klingonish.yaml", title,
		"rpc/uk.yaml", title,
		"rpc.de.yaml", "a: [\n",
		"rpc.fr.yaml", "- a\n",
		"rpc.it.yaml", title+"\n---\n"+title,
		"rpc.pl.yaml", "M: {title: \xff}",
		"rpc.uk.yaml", `
Catalog.search:
  titel: Пошук
  title: ""
  description:
  params: [query]
Catalog:
  search: {params: {query: a}}
  search.params.query: b
M: &m {title: t}
N: *m
O: {<<: *m}
M.title: again
plain: text
title: text
"": text
errors:
  notAKind: x
  Good: "{{.Left"
violations:
  min: "{{.Lost}}"
  max: {one: a}
  len: {few: [a], other: b}
  a b: c
  a.b.c: d
`), i18n.Default("en"))
	if err == nil {
		t.Fatal("no error")
	}
	golden(t, "testdata/faults.golden", err.Error()+"\n")
	if _, err := i18n.Load(files()); err == nil || !strings.Contains(err.Error(), "translations: this folder cannot be read (file does not exist); with go:embed, write //go:embed translations") {
		t.Errorf("without the folder: %v", err)
	}
	broken := files("rpc.uk.yaml", title)
	broken["translations/rpc.uk.yaml"].Mode = fs.ModeDir
	if _, err := i18n.Load(broken); err != nil {
		t.Errorf("a folder called like a file is left alone: %v", err)
	}
}
