package tsclient_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/openrpc/tsclient"
	"github.com/facet-rpc/facet/rpc"
)

var update = flag.Bool("update", false, "write the golden files again")

const documents = "../internal/reader/testdata/"

// shopDocument is the document of a version of the shop.
func shopDocument(t *testing.T, version int) []byte {
	t.Helper()
	registry, err := rpc.NewRegistry(shop.App(), shop.Services(shop.NewStore(nil))...)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openrpc.Document(registry, registry.Endpoint(rpc.DefaultGroup, version), openrpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func generate(t *testing.T, doc []byte) string {
	t.Helper()
	text, err := tsclient.Generate(doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// goldens are the files that are kept, by name.
func goldens(t *testing.T) map[string][]byte {
	return map[string][]byte{
		"shop.v1.ts": shopDocument(t, 1),
		"shop.v2.ts": shopDocument(t, 2),
		"zoo.ts":     []byte(source(t, documents+"zoo.json")),
	}
}

// The same document gives the same bytes, in every run.
func TestGolden(t *testing.T) { // R-O05
	for name, doc := range goldens(t) {
		got := generate(t, doc)
		if again := generate(t, doc); again != got {
			t.Errorf("%s: two runs differ", name)
		}
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want := source(t, path); got != want {
			t.Errorf("%s is not what is generated; run go test ./openrpc/tsclient -update and look at the difference", path)
		}
	}
}

// Every file passes the strictest compiler, in the ways in which bundlers and
// Node look for modules, with the types of browsers and of Node.
func TestCompiles(t *testing.T) { // R-O05
	binary, modules := node(t)
	files := map[string]string{"types.ts": source(t, "testdata/types.ts"), "guide.ts": source(t, "testdata/guide.ts")}
	for name, doc := range goldens(t) {
		files[name] = generate(t, doc)
	}
	paths, err := filepath.Glob(documents + "examples/*.json")
	if err != nil || len(paths) != 8 {
		t.Fatalf("%d examples, %v", len(paths), err)
	}
	for _, path := range paths {
		files[strings.TrimSuffix(filepath.Base(path), ".json")+".ts"] = generate(t, []byte(source(t, path)))
	}
	for name, config := range map[string]string{"bundler": bundler, "nodenext": nodenext} {
		t.Run(name, func(t *testing.T) {
			compile(t, binary, modules, project(t, modules, config, files))
		})
	}
	t.Run("prettier", func(t *testing.T) {
		dir := project(t, modules, bundler, files)
		args := []string{filepath.Join(modules, "prettier", "bin", "prettier.cjs"), "--check"}
		for name := range files {
			if name != "zoo.ts" && name != "types.ts" && name != "guide.ts" && strings.HasSuffix(name, ".ts") { // strings full of quotes
				args = append(args, name)
			}
		}
		if _, err := run(t, dir, binary, args...); err != nil {
			t.Error(err)
		}
	})
}

// The TypeScript of the page about clients is in a file that is compiled.
func TestGuide(t *testing.T) {
	guide := flat(source(t, "testdata/guide.ts"))
	blocks := regexp.MustCompile("(?ms)^```ts\n(.*?)^```$").FindAllStringSubmatch(source(t, "../../docs/clients.md"), -1)
	if len(blocks) == 0 {
		t.Error("the page shows no TypeScript")
	}
	for _, b := range blocks {
		if !strings.Contains(guide, flat(b[1])) {
			t.Errorf("these lines are not in testdata/guide.ts:\n%s", b[1])
		}
	}
}

// flat is code without indentation and empty lines.
func flat(code string) string {
	var b strings.Builder
	for l := range strings.Lines(code) {
		if l = strings.TrimSpace(l); l != "" {
			b.WriteString(l + "\n")
		}
	}
	return b.String()
}

// A schema never gets a name that the fixed part of the file uses: it would
// change what the fixed part means.
func TestNamesOfTheFile(t *testing.T) {
	files, err := filepath.Glob("runtime/*.ts")
	if err != nil {
		t.Fatal(err)
	}
	var fixed string
	for _, file := range files {
		fixed += source(t, file)
	}
	fixed = regexp.MustCompile("(?s)/\\*.*?\\*/|//[^\n]*|\"[^\"\n]*\"|`[^`]*`").ReplaceAllString(fixed, "")
	used := map[string]bool{"Accept": true, "Authorization": true, "FROM": true, "Rest": true} // text, and a name inside a type
	for _, name := range regexp.MustCompile(`\b[A-Z]\w+\b`).FindAllString(fixed, -1) {
		if used[name] {
			continue
		}
		used[name] = true
		doc := `{"openrpc":"1.0.0","methods":[],"components":{"schemas":{"` + name + `":{"type":"string","description":"A text."}}}}`
		if made := generate(t, []byte(doc)); strings.Contains(made, "/** A text. */\nexport type "+name+" = string;") {
			t.Errorf("a schema may be called %s, which the file uses; add it to the names that are taken", name)
		}
	}
	if len(used) < 40 {
		t.Errorf("only %d names were found", len(used))
	}
}

// A text that is no document is refused with its place.
func TestRefuses(t *testing.T) {
	_, err := tsclient.Generate([]byte(`{"openrpc":"1.3.2","info":{},"methods":[{"name":"m","params":[{"name":"p","schema":{"$ref":"#/nowhere"}}]}]}`))
	if err == nil || !strings.Contains(err.Error(), "#/methods/0/params/0/schema") {
		t.Errorf("got %v", err)
	}
}

// No text of a document ends a comment or a string: outside of both there is
// nothing that the generator did not write.
func FuzzGenerate(f *testing.F) {
	for _, name := range []string{"zoo.json", "examples/petstore.json", "examples/simple-math.json", "examples/link-example.json"} {
		text, err := os.ReadFile(documents + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"openrpc":"1.0.0","methods":[{"name":"*/evil(){}","description":"*/evil()/*","params":[{"name":"\"evil","schema":{"enum":["\\\"evil"]}}]}]}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		text, err := tsclient.Generate(doc)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "openrpc: ") {
				t.Errorf("no place in %v", err)
			}
			return
		}
		if at := unbalanced(text); at != "" {
			t.Fatalf("broken near %q", at)
		}
		if again, err := tsclient.Generate(doc); err != nil || !bytes.Equal(text, again) {
			t.Fatal("two runs differ")
		}
	})
}

// unbalanced scans TypeScript up to the fixed part: strings end on their line,
// comments end, and brackets fit. It returns where they do not.
func unbalanced(text []byte) string {
	text, _, _ = bytes.Cut(text, []byte("\n/** How the methods of an Api are used. */"))
	var open []byte
	pairs := map[byte]byte{')': '(', ']': '[', '}': '{'}
	for i := 0; i < len(text); i++ {
		near := string(text[i:min(i+40, len(text))])
		switch c := text[i]; {
		case c == '"':
			end := i + 1
			for end < len(text) && text[end] != '"' && text[end] != '\n' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(text) || text[end] != '"' {
				return near
			}
			i = end
		case bytes.HasPrefix(text[i:], []byte("//")):
			i += bytes.IndexByte(text[i:], '\n')
		case bytes.HasPrefix(text[i:], []byte("/*")):
			end := bytes.Index(text[i+2:], []byte("*/"))
			if end < 0 {
				return near
			}
			i += end + 3
		case c == '(' || c == '[' || c == '{':
			open = append(open, c)
		case c == ')' || c == ']' || c == '}':
			if len(open) == 0 || open[len(open)-1] != pairs[c] {
				return near
			}
			open = open[:len(open)-1]
		case c == '`' || c == '\'' || c == '\\' || c == '#':
			return near // never outside
		}
	}
	if len(open) > 0 {
		return "the end"
	}
	return ""
}
