package facet_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/facet-rpc/facet"

const codec = "github.com/go-json-experiment/json" // allowed everywhere, with jsontext

// row is what a package may import directly, outside its tests. Paths of ours
// are below the module, "internal" ones count for the package they belong to.
type row struct{ ours, third []string }

const (
	gin       = "github.com/gin-gonic/gin"
	zap       = "go.uber.org/zap"
	validator = "github.com/go-playground/validator/v10"
	rueidis   = "github.com/redis/rueidis"
)

// imports is the table of docs/decisions.md: edge → guard → rpc → leaves. A row
// ending in /... holds for every package below it.
var imports = map[string]row{
	"errors":                     {},
	"events":                     {},
	"rpc":                        {ours: []string{"errors", "events", "rpc/schema", "rpc/scan", "rpc/internal/..."}, third: []string{validator, zap}},
	"rpc/schema":                 {ours: []string{"rpc/scan"}, third: []string{"github.com/invopop/jsonschema"}},
	"rpc/scan":                   {},
	"rpc/internal/...":           {ours: []string{"errors", "rpc/schema", "rpc/scan", "rpc/internal/..."}, third: []string{validator}},
	"rpc/rpctest":                {ours: []string{"errors", "events", "rpc", "cache", "lock", "transport/guard", "transport/rpchttp", "transport/rpchttp/client"}, third: []string{gin, zap}},
	"cache":                      {third: []string{"github.com/dgraph-io/ristretto/v2"}},
	"cache/rediscache":           {third: []string{rueidis}},
	"lock":                       {},
	"lock/redislock":             {third: []string{rueidis, rueidis + "/rueidislock"}},
	"i18n":                       {ours: []string{"errors", "i18n/internal/..."}, third: []string{"github.com/nicksnyder/go-i18n/v2", "golang.org/x/text"}},
	"i18n/internal/...":          {third: []string{"go.yaml.in/yaml", "golang.org/x/text"}},
	"i18n/validatortexts":        {third: []string{validator, "github.com/go-playground/locales", "github.com/go-playground/universal-translator", "golang.org/x/text"}}, // only for who imports it
	"i18n/cmd/facet-texts":       {ours: []string{"i18n", "i18n/internal/..."}},
	"openrpc":                    {ours: []string{"rpc", "rpc/schema", "errors", "transport/guard"}, third: []string{gin}},
	"openrpc/internal/...":       {ours: []string{"errors"}},
	"openrpc/tsclient":           {ours: []string{"openrpc/internal/..."}},
	"openrpc/goclient":           {ours: []string{"errors", "openrpc/internal/..."}},
	"openrpc/cmd/facet-openrpc":  {ours: []string{"openrpc", "openrpc/internal/...", "openrpc/goclient", "openrpc/tsclient"}},
	"transport/guard":            {ours: []string{"rpc", "errors", "transport/internal/jsonrpc"}, third: []string{gin, zap}},
	"transport/guard/oauth":      {ours: []string{"rpc", "transport/guard"}, third: []string{"github.com/coreos/go-oidc/v3", "github.com/go-jose/go-jose/v4"}},
	"transport/rpchttp":          {ours: []string{"rpc", "rpc/scan", "errors", "transport/guard", "transport/internal/jsonrpc"}, third: []string{gin}},
	"transport/rpchttp/client":   {ours: []string{"errors", "transport/internal/jsonrpc"}},
	"transport/mcp":              {ours: []string{"rpc", "rpc/schema", "rpc/scan", "errors", "transport/guard", "transport/internal/jsonrpc", "transport/mcp/manifest"}, third: []string{gin}},
	"transport/mcp/manifest":     {},
	"transport/async":            {ours: []string{"rpc", "errors", "transport/guard", "transport/internal/jsonrpc"}, third: []string{zap}},
	"transport/async/redisqueue": {ours: []string{"transport/async", "rpc", "errors"}, third: []string{"github.com/hibiken/asynq", "github.com/redis/go-redis/v9", zap}},
	"transport/internal/jsonrpc": {ours: []string{"errors", "rpc/scan"}},
	"transport/server": {
		ours:  []string{"rpc", "errors", "cache", "lock", "events", "openrpc", "transport/guard", "transport/rpchttp", "transport/mcp", "transport/async"},
		third: []string{gin, zap},
	},
	"examples/cluster": {ours: []string{"..."}, third: []string{gin, zap, rueidis}}, // its nodes have a database of their own there
	"examples/...":     {ours: []string{"..."}, third: []string{gin, zap, validator}},
	"docs":             {ours: []string{"..."}, third: []string{gin, zap}},
}

// topLevel is every folder that may stand at the top.
var topLevel = []string{
	".ci", ".git", ".github", "benchmarks", "bin", "cache", "docs", "errors", "events", "examples", "i18n", "lock", "openrpc",
	"rpc", "transport", "node_modules", "testdata",
}

// TestImports holds every package against the table.
func TestImports(t *testing.T) {
	for dir, files := range sources(t) {
		may, ok := rowOf(dir)
		if !ok {
			t.Errorf("%s is not in the import table of arch_test.go; add a row for it, or move its code", dir)
			continue
		}
		for _, f := range files {
			for _, spec := range f.ast.Imports {
				name, _ := strconv.Unquote(spec.Path.Value)
				if !allowed(name, may) {
					t.Errorf("%s imports %s, which the import table does not allow for %s", f.path, name, dir)
				}
			}
		}
	}
}

// TestCodec: encoding/json folds the case of names and lets the last of two
// members win, so nothing a stranger sent goes through it. Its types may be
// named.
func TestCodec(t *testing.T) {
	for _, files := range sources(t) {
		for _, f := range files {
			local := nameOf(f.ast, "encoding/json", "json")
			if local == "" {
				continue
			}
			ast.Inspect(f.ast, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				x, ok := sel.X.(*ast.Ident)
				if ok && x.Name == local && !slices.Contains([]string{"RawMessage", "Number", "Marshaler", "Unmarshaler"}, sel.Sel.Name) {
					t.Errorf("%s: %s uses encoding/json; use %s", f.path, f.set.Position(n.Pos()), codec)
				}
				return true
			})
		}
	}
}

// TestErrorsAlias: our package errors is imported under one name.
func TestErrorsAlias(t *testing.T) {
	for _, files := range sources(t) {
		for _, f := range files {
			for _, spec := range f.ast.Imports {
				if spec.Path.Value == strconv.Quote(module+"/errors") && (spec.Name == nil || spec.Name.Name != "rpcerrors") {
					t.Errorf("%s imports %s/errors under another name than rpcerrors", f.path, module)
				}
			}
		}
	}
}

// TestNotDragged: a program that uses a package links nothing heavy it did
// not ask for.
func TestNotDragged(t *testing.T) {
	redis := []string{rueidis, "github.com/redis/go-redis", "github.com/hibiken/asynq"}
	for pkg, unwanted := range map[string][]string{
		"rpc":                      append([]string{gin, "github.com/dgraph-io/ristretto", "github.com/nicksnyder/go-i18n"}, redis...),
		"errors":                   {gin, zap, validator},
		"events":                   {gin, zap, validator},
		"lock":                     append([]string{gin, zap}, redis...),
		"cache":                    append([]string{gin, zap}, redis...),
		"transport/rpchttp/client": append([]string{gin, zap, validator, module + "/rpc"}, redis...),
		"transport/server":         redis,
		"examples/hello":           redis,
		"examples/shop":            {validator + "/translations"},
		"i18n":                     {gin, zap, validator},
	} {
		if !exists(pkg) {
			continue
		}
		out, err := exec.Command("go", "list", "-e", "-deps", "./"+pkg).Output()
		if err != nil {
			t.Errorf("go list -deps ./%s: %v", pkg, err)
			continue
		}
		for dep := range strings.Lines(string(out)) {
			dep = strings.TrimSpace(dep)
			for _, bad := range unwanted {
				// rpc/scan is a leaf that the client shares with the server.
				if under(dep, bad) && dep != module+"/rpc/scan" {
					t.Errorf("%s links %s", pkg, dep)
				}
			}
		}
	}
}

// TestNames: a package is named for what is in it.
func TestNames(t *testing.T) {
	for dir, files := range sources(t) {
		for _, f := range files {
			switch name := f.ast.Name.Name; name {
			case "util", "utils", "common", "helper", "helpers", "types", "misc", "base":
				t.Errorf("%s: package %s says nothing; put the code beside its only user", dir, name)
			}
		}
	}
}

// TestNoInit: nothing happens because a package was imported.
func TestNoInit(t *testing.T) {
	for _, files := range sources(t) {
		for _, f := range files {
			for _, d := range f.ast.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
					t.Errorf("%s has an init function; make it a function that somebody calls", f.path)
				}
			}
		}
	}
}

// TestSizes: a file is a noun, a function does one thing.
func TestSizes(t *testing.T) {
	const maxFile, maxFunc = 400, 80
	for _, files := range sources(t) {
		for _, f := range files {
			if f.lines > maxFile {
				t.Errorf("%s has %d lines, more than %d; split it by noun", f.path, f.lines, maxFile)
			}
			for _, d := range f.ast.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				if n := f.set.Position(fn.End()).Line - f.set.Position(fn.Pos()).Line + 1; n > maxFunc {
					t.Errorf("%s: %s has %d lines, more than %d; split it", f.path, fn.Name.Name, n, maxFunc)
				}
			}
		}
	}
}

// TestTopLevel: the top level is fixed.
func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !slices.Contains(topLevel, e.Name()) {
			t.Errorf("the folder %s is new at the top level; see the package table in docs/decisions.md", e.Name())
		}
	}
}

// source is one Go file outside tests.
type source struct {
	path  string
	lines int
	ast   *ast.File
	set   *token.FileSet
}

// sources is every Go file of the module by folder, without tests and
// without nested modules.
func sources(t *testing.T) map[string][]source {
	t.Helper()
	out := map[string][]source{}
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if skipped(p, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, p, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir := path.Dir(filepath.ToSlash(p))
		out[dir] = append(out[dir], source{p, strings.Count(string(text), "\n"), file, set})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// skipped: folders that are not part of the module.
func skipped(p, name string) bool {
	if p == "." {
		return false
	}
	if strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules" {
		return true
	}
	_, err := os.Stat(filepath.Join(p, "go.mod"))
	return err == nil
}

// rowOf is the row of a package: its own, or the nearest with /... above it.
func rowOf(dir string) (row, bool) {
	if r, ok := imports[dir]; ok {
		return r, true
	}
	for d := dir; d != "."; d = path.Dir(d) {
		if r, ok := imports[d+"/..."]; ok {
			return r, true
		}
	}
	return row{}, false
}

func allowed(name string, may row) bool {
	if under(name, codec) {
		return true
	}
	if ours, ok := strings.CutPrefix(name, module+"/"); ok {
		return slices.ContainsFunc(may.ours, func(p string) bool {
			if base, ok := strings.CutSuffix(p, "..."); ok {
				return strings.HasPrefix(ours+"/", base)
			}
			return ours == p
		})
	}
	if first, _, _ := strings.Cut(name, "/"); !strings.Contains(first, ".") {
		return true
	}
	return slices.ContainsFunc(may.third, func(p string) bool { return under(name, p) })
}

// under: name is the package p or below it.
func under(name, p string) bool { return name == p || strings.HasPrefix(name, p+"/") }

// nameOf is the name under which a file knows an import, "" if it has none.
func nameOf(f *ast.File, importPath, usual string) string {
	for _, s := range f.Imports {
		if s.Path.Value != strconv.Quote(importPath) {
			continue
		}
		if s.Name != nil {
			return s.Name.Name
		}
		return usual
	}
	return ""
}

func exists(dir string) bool {
	_, err := os.Stat(dir)
	return err == nil
}
