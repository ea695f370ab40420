package tsclient_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/openrpc/tsclient"
	"github.com/go-json-experiment/json/jsontext"
)

// hostile are texts that want out of where they stand.
var hostile = []string{
	"*/ evil(); /*", `"; evil(); "`, `\`, `\"`, "`${evil()}`", "'", "\n", "\r\n", "\u2028evil()\u2029", "//", "-->", "</script>", "\x00", "\ufeff",
	"__proto__", "constructor", "new", "then", "toString", "Promise", "string", "1", "a.b", "..", "$batch", "M", "P", "ключ", "漢字", "👩‍🚀", "#/x~1", "{{.X}}", "@deprecated {", "\u202eevil",
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

// The compiler takes a file with such texts everywhere: nothing of them became
// code, which it would not know.
func TestHostile(t *testing.T) {
	binary, modules := node(t)
	files := map[string]string{}
	for i, text := range hostile {
		doc, err := filled(source(t, documents+"hostile.json"), text)
		if err != nil {
			t.Fatal(err)
		}
		made, err := tsclient.Generate(doc)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if at := unbalanced(made); at != "" {
			t.Errorf("%q: broken near %q", text, at)
		}
		// What follows the methods is the same in all files.
		head, _, _ := strings.Cut(string(made), "\n/** How the methods of an Api are used. */")
		files[fmt.Sprintf("f%d.ts", i)] = head + rest
	}
	compile(t, binary, modules, project(t, modules, strings.Replace(bundler, `"noUnusedLocals":true,`, "", 1), files))
}

// rest declares what the methods need, so that it is compiled once only.
const rest = `
export type Mode = "call";
type Reply<M extends Mode, R> = M extends "call" ? Promise<R> : never;
type Sent<M extends Mode> = M extends "call" ? Promise<void> : never;
type Params<M extends Mode, P> = M extends "call" ? P : never;
type NoParams = Record<string, never>;
type Options<M extends Mode> = M extends "call" ? object : never;
type MethodInfo = { path: readonly string[]; name: string; order?: readonly string[]; silent?: true };
`

// Whatever the text is, it stays where it stands.
func FuzzText(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	template := source(f, documents+"hostile.json")
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := filled(template, text)
		if err != nil {
			return // no UTF-8
		}
		made, err := tsclient.Generate(doc)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "openrpc: ") {
				t.Errorf("no place in %v", err)
			}
			return
		}
		if at := unbalanced(made); at != "" {
			t.Fatalf("broken near %q", at)
		}
	})
}
