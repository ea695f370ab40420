package goclient_test

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/openrpc/goclient"
	"github.com/go-json-experiment/json/jsontext"
)

// hostile are texts that want out of where they stand.
var hostile = []string{
	"*/ func init() {} /*", "\nfunc init() {}\n", `"; evil(); "`, `\`, `\"`, "`evil`", "'", "\r", "\u2028func init() {}", "//go:embed x", "+build x", "\x00", "\ufeff",
	"type", "func", "Client", "Batch", "Send", "init", "main", "error", "string", "nil", "1", "-", "-,", "a.b", "..", "ключ", "漢字", "👩‍🚀", "{{.X}}", "{{end", "json:\"x\"", "%s",
}

// filled is the document that has a text wherever it can have one.
func filled(template, text string) ([]byte, error) {
	quoted, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		return nil, err
	}
	inner := string(quoted[1 : len(quoted)-1])
	pointer := strings.NewReplacer("~", "~0", "/", "~1", "%", "%25").Replace(inner)
	template = strings.ReplaceAll(template, "#/components/schemas/TEXT", "#/components/schemas/"+pointer)
	return []byte(strings.ReplaceAll(template, "TEXT", inner)), nil
}

// contained reports what a file has that the generator never writes.
func contained(text []byte) string {
	file, err := parser.ParseFile(token.NewFileSet(), "client.go", text, parser.ParseComments)
	if err != nil {
		return err.Error()
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && (f.Name.Name == "init" || f.Name.Name == "main") {
			return "the document declared a function"
		}
	}
	for _, c := range file.Comments {
		for _, l := range c.List {
			if strings.HasPrefix(l.Text, "/*") || strings.HasPrefix(l.Text, "//go:") || strings.HasPrefix(l.Text, "//line") {
				return "the document wrote " + l.Text
			}
		}
	}
	if again, err := format.Source(text); err != nil || !bytes.Equal(again, text) {
		return "gofmt would change the file"
	}
	return ""
}

// Whatever the text is, it stays where it stands.
func FuzzText(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	template, err := os.ReadFile(documents + "hostile.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := filled(string(template), text)
		if err != nil {
			return // no UTF-8
		}
		made, err := goclient.Generate(doc, goclient.Options{Package: "hostile"})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "openrpc: ") {
				t.Errorf("no place in %v", err)
			}
			return
		}
		if what := contained(made); what != "" {
			t.Fatal(what)
		}
		if again, err := goclient.Generate(doc, goclient.Options{Package: "hostile"}); err != nil || !bytes.Equal(made, again) {
			t.Fatal("two runs differ")
		}
	})
}
