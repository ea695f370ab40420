package i18n_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// source is the code of the framework without its tests, by folder.
type source struct {
	set    *token.FileSet
	files  map[string][]*ast.File
	consts map[string]map[string]ast.Expr // by folder and name
}

// readSource reads the packages whose words callers see.
func readSource(t *testing.T) *source {
	t.Helper()
	s := &source{set: token.NewFileSet(), files: map[string][]*ast.File{}, consts: map[string]map[string]ast.Expr{}}
	for _, root := range []string{"../errors", "../rpc", "../transport", "../openrpc"} {
		err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && slices.Contains([]string{"testdata", "rpctest", "client", "manifest", "oauthtest", "node_modules"}, e.Name()):
				return filepath.SkipDir
			case e.IsDir() && filepath.Dir(name) == "../openrpc":
				return filepath.SkipDir // generators and the page: what they say goes to whoever writes the program
			case e.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			file, err := parser.ParseFile(s.set, name, nil, parser.SkipObjectResolution)
			if err == nil {
				s.add(filepath.Dir(name), file)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *source) add(dir string, file *ast.File) {
	s.files[dir] = append(s.files[dir], file)
	if s.consts[dir] == nil {
		s.consts[dir] = map[string]ast.Expr{}
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, spec := range g.Specs {
			v := spec.(*ast.ValueSpec)
			for i, name := range v.Names {
				if i < len(v.Values) {
					s.consts[dir][name.Name] = v.Values[i]
				}
			}
		}
	}
}

var verb = regexp.MustCompile(`%[#+]?[a-z]`)

// fold is the text of an expression, with … for what is not constant; ok: it
// has constant text at all.
func (s *source) fold(dir string, e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, _ = strconv.Unquote(e.Value)
			return text, true
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			a, aOK := s.fold(dir, e.X)
			b, bOK := s.fold(dir, e.Y)
			return a + b, aOK || bOK
		}
	case *ast.ParenExpr:
		return s.fold(dir, e.X)
	case *ast.Ident:
		if value := s.consts[dir][e.Name]; value != nil {
			return s.fold(dir, value)
		}
	case *ast.CallExpr:
		if name, _ := called(e); name == "Sprintf" && len(e.Args) > 0 {
			if format, ok := s.fold(dir, e.Args[0]); ok {
				return verb.ReplaceAllString(strings.ReplaceAll(format, "%q", `"…"`), "…"), true
			}
		}
	}
	return "…", false
}

// called is the name of the function that a call calls, and of what it is
// selected from.
func called(c *ast.CallExpr) (name, of string) {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name, ""
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			of = x.Name
		}
		return f.Sel.Name, of
	}
	return "", ""
}

// said is an English text of the source that a caller may see.
type said struct{ at, text string }

// forDevelopers are the calls whose texts go to a log or to whoever writes the
// program, and forDocuments the fields whose texts are documentation.
var (
	forDevelopers = []string{"Errorf", "add", "panic", "Error", "Warn", "Info", "Debug", "fault", "Fprintf", "Fprintln", "Printf", "Helper", "Join"}
	forDocuments  = []string{"Description", "Title", "Problem", "Mend", "Doc"}
	sentence      = regexp.MustCompile(`^(?:[A-Z]|"…"|"[a-z]+" )[^\n]* [^\n]*\.$`)
)

// sentences are all texts of the source that look like a sentence, and those
// that the helpers of the protocols complete to one.
func (s *source) sentences() (all []said) {
	prefixes := map[string]string{
		"fault":   `The reference "…" `, // of a batch
		"invalid": "Invalid request: ", "invalidRequest": "Invalid request: ", "invalidParams": "Invalid params: ", "fail": "Invalid request: ",
	}
	for dir, files := range s.files {
		if strings.HasSuffix(dir, "/scan") || strings.HasSuffix(dir, "/schema") {
			continue
		}
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					name, of := called(n)
					if slices.Contains(forDevelopers, name) && (name != "fault" || len(n.Args) != 1) || name == "New" && (of == "errors" || of == "stderrors") {
						return false
					}
					if prefix := prefixes[name]; prefix != "" && len(n.Args) == 1 {
						if text, ok := s.fold(dir, n.Args[0]); ok {
							all = append(all, said{s.set.Position(n.Pos()).String(), prefix + text})
							return false
						}
					}
				case *ast.KeyValueExpr:
					if key, ok := n.Key.(*ast.Ident); ok && slices.Contains(forDocuments, key.Name) {
						return false
					}
				case *ast.Field, *ast.ImportSpec:
					return false
				}
				if e, ok := n.(ast.Expr); ok {
					if text, ok := s.fold(dir, e); ok {
						if sentence.MatchString(text) {
							all = append(all, said{s.set.Position(n.Pos()).String(), text})
						}
						return false
					}
				}
				return true
			})
		}
	}
	return all
}

// reasons are the phrases that say why a text is no JSON.
func (s *source) reasons() (all []said) {
	for dir, files := range s.files {
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				var from []ast.Expr
				switch n := n.(type) {
				case *ast.CallExpr:
					switch name, _ := called(n); {
					case name == "unexpected", name == "syntax", strings.HasSuffix(dir, "/scan") && strings.HasPrefix(name, "fail"):
						from = n.Args
					}
				case *ast.ReturnStmt:
					if strings.HasSuffix(dir, "/scan") {
						from = n.Results
					}
				}
				for _, e := range from {
					if text, ok := s.fold(dir, e); ok && text != "" {
						all = append(all, said{s.set.Position(n.Pos()).String(), text})
					}
				}
				return true
			})
		}
	}
	return all
}

// violations are those of the settings of a call: the rule, and what is said.
func (s *source) violations() (all []said) {
	for dir, files := range s.files {
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					if name, _ := called(n); name == "refuse" && len(n.Args) == 3 {
						if text, ok := s.fold(dir, n.Args[2]); ok {
							rule, _ := s.fold(dir, n.Args[1])
							all = append(all, said{rule, text})
						}
					}
				case *ast.ReturnStmt: // of what says why a callback is refused
					for _, e := range n.Results {
						if text, _ := s.fold(dir, e); strings.HasSuffix(dir, "/async") && strings.HasPrefix(text, "must ") {
							all = append(all, said{"target", text})
						}
					}
				}
				return true
			})
		}
	}
	return all
}

// builtins are the names of the methods that the framework brings.
func (s *source) builtins() (names []string) {
	for dir, files := range s.files {
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				c, ok := n.(*ast.CompositeLit)
				if !ok {
					return true
				}
				fields := map[string]string{}
				for _, e := range c.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						if key, ok := kv.Key.(*ast.Ident); ok {
							fields[key.Name], _ = s.fold(dir, kv.Value)
						}
					}
				}
				if fields["Func"] != "" && fields["Name"] != "" && fields["Description"] != "" {
					names = append(names, fields["Name"])
				}
				return true
			})
		}
	}
	return names
}

// kinds are the names of the kinds of errors that the framework declares, and
// their English texts.
func (s *source) kinds() map[string]string {
	all := map[string]string{}
	for dir, files := range s.files {
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				c, ok := n.(*ast.CallExpr)
				if !ok || len(c.Args) != 3 {
					return true
				}
				if name, _ := called(c); name != "Protocol" && name != "builtin" {
					return true
				}
				name, nameOK := s.fold(dir, c.Args[1])
				text, textOK := s.fold(dir, c.Args[2])
				if nameOK && textOK {
					all[name] = text
				}
				return true
			})
		}
	}
	return all
}
