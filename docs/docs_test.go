// Package docs_test keeps the pages true: their Go code is taken from files
// that are compiled and run, and their links lead somewhere.
package docs_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the code into the pages")

// A block of Go in a page stands below a line that says where it is from:
//
//	<!-- from examples/shop/shop/catalog.go#Catalog.Search -->
//
// The name is a function, Type.Method, type, variable or constant with its
// comment; without one the block is the whole file. A few lines of a function
// stand below <!-- in file --> and must be in the file as they are.
var (
	block   = regexp.MustCompile("(?m)(^<!-- from ([^# ]+)(?:#([^ ]+))? -->\n)?^```go\n((?s:.*?))^```$")
	excerpt = regexp.MustCompile("(?m)^<!-- in ([^# ]+) -->\n```go\n((?s:.*?))^```$")
	bare    = regexp.MustCompile("(?m)^<!-- (?:from|in) [^ ]+ -->\n(?:[^`]|$)")
)

var (
	link = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	code = regexp.MustCompile("(?m)^```(?s:.*?)^```$|`[^`\n]*`")
)

func TestCodeInPages(t *testing.T) {
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range excerpt.FindAllStringSubmatch(string(text), -1) {
			source, err := os.ReadFile(filepath.Join("..", m[1]))
			if err != nil || !strings.Contains(flat(string(source)), flat(m[2])) {
				t.Errorf("%s: these lines are not in %s:\n%s", page, m[1], m[2])
			}
		}
		for _, m := range bare.FindAllString(string(text), -1) {
			t.Errorf("%s: no Go block stands below %s", page, strings.TrimSpace(m))
		}
		rest := excerpt.ReplaceAllString(string(text), "")
		for _, m := range block.FindAllStringSubmatch(rest, -1) {
			if m[1] == "" {
				t.Errorf("%s: a Go block without a line <!-- from file#name --> above it:\n%s", page, m[0])
			}
		}
		written := block.ReplaceAllStringFunc(string(text), func(b string) string {
			m := block.FindStringSubmatch(b)
			if m[1] == "" {
				return b // an excerpt, or reported above
			}
			source, err := codeOf(filepath.Join("..", m[2]), m[3])
			if err != nil {
				t.Errorf("%s: %v", page, err)
				return b
			}
			if source != m[4] && !*update {
				t.Errorf("%s: the block from %s#%s is not what the file says; run go test ./docs -update", page, m[2], m[3])
			}
			return m[1] + "```go\n" + source + "```"
		})
		if *update && written != string(text) {
			if err := os.WriteFile(page, []byte(written), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestLinks(t *testing.T) {
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), ""), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", page, m[1])
			}
		}
	}
}

// pages is every page of the project.
func pages(t *testing.T) []string {
	t.Helper()
	out, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	top, err := filepath.Glob("../*.md")
	if err != nil {
		t.Fatal(err)
	}
	return append(out, top...)
}

// codeOf is the source of what is called name in a file, with its comment.
func codeOf(path, name string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil || name == "" {
		return string(text), err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	for _, d := range file.Decls {
		if node := named(d, name); node != nil {
			from := set.Position(start(node)).Offset
			to := set.Position(node.End()).Offset
			return dedent(string(text[lineStart(text, from):to])) + "\n", nil
		}
	}
	return "", fmt.Errorf("%s has nothing called %s", path, name)
}

// named is the declaration d, or the part of it, that has the name; nil
// without one.
func named(d ast.Decl, name string) ast.Node {
	switch d := d.(type) {
	case *ast.FuncDecl:
		full := d.Name.Name
		if d.Recv != nil {
			recv := d.Recv.List[0].Type
			if star, ok := recv.(*ast.StarExpr); ok {
				recv = star.X
			}
			if id, ok := recv.(*ast.Ident); ok {
				full = id.Name + "." + full
			}
		}
		if full == name {
			return d
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if !declares(s, name) {
				continue
			}
			if d.Lparen.IsValid() && len(d.Specs) > 1 && d.Tok != token.CONST {
				return s
			}
			return d
		}
	}
	return nil
}

func declares(s ast.Spec, name string) bool {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return s.Name.Name == name
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if n.Name == name {
				return true
			}
		}
	}
	return false
}

// start is where a declaration begins, its comment included.
func start(n ast.Node) token.Pos {
	var doc *ast.CommentGroup
	switch n := n.(type) {
	case *ast.FuncDecl:
		doc = n.Doc
	case *ast.GenDecl:
		doc = n.Doc
	case *ast.TypeSpec:
		doc = n.Doc
	case *ast.ValueSpec:
		doc = n.Doc
	}
	if doc != nil {
		return doc.Pos()
	}
	return n.Pos()
}

func lineStart(text []byte, at int) int {
	return strings.LastIndexByte(string(text[:at]), '\n') + 1
}

// flat is code without its indentation and empty lines.
func flat(code string) string {
	var b strings.Builder
	for l := range strings.Lines(code) {
		if l = strings.TrimSpace(l); l != "" {
			b.WriteString(l + "\n")
		}
	}
	return b.String()
}

// dedent takes the indentation of the first line off all lines.
func dedent(code string) string {
	indent := code[:len(code)-len(strings.TrimLeft(code, "\t"))]
	if indent == "" {
		return code
	}
	lines := strings.Split(code, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, indent)
	}
	return strings.Join(lines, "\n")
}
