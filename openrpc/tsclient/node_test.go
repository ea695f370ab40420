package tsclient_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tools are what the tests need of npm, at the versions they were written with.
var tools = []string{"typescript@5.9.3", "@types/node@22.20.7", "prettier@3.6.2"}

// node is the path of Node, and of the folder with the tools.
func node(t *testing.T) (binary, modules string) {
	t.Helper()
	binary, err := exec.LookPath("node")
	if err != nil {
		unavailable(t, "node is not installed: "+err.Error())
	}
	modules, err = installed(t)
	if err != nil {
		unavailable(t, err.Error())
	}
	return binary, modules
}

// unavailable skips the test on a machine that lacks something; where
// everything must be checked (FACET_CI=1) that is a failure.
func unavailable(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("FACET_CI") == "1" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// installed is the folder node_modules with the tools, installed once per
// machine.
func installed(t *testing.T) (string, error) {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "facet", "tsclient-5.9.3")
	modules := filepath.Join(dir, "node_modules")
	if _, err := os.Stat(filepath.Join(modules, "prettier", "package.json")); err == nil {
		return modules, nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	// Installed beside and renamed, so that another test never sees half.
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "installing")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	args := append([]string{"install", "--prefix", fresh, "--no-audit", "--no-fund", "--ignore-scripts"}, tools...)
	if out, err := exec.CommandContext(t.Context(), npm, args...).CombinedOutput(); err != nil {
		return "", &failed{err, string(out)}
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, gone := os.Stat(modules); gone != nil {
			return "", err
		}
	}
	return modules, nil
}

type failed struct {
	err    error
	output string
}

func (f *failed) Error() string { return f.err.Error() + "\n" + f.output }

// run runs a program in a folder and returns what it prints.
func run(t *testing.T, dir, binary string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", &failed{err, string(out)}
	}
	return string(out), nil
}

// project is a folder with files of TypeScript and a configuration.
func project(t *testing.T, modules, config string, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	files["tsconfig.json"] = config
	files["package.json"] = `{"type":"module"}`
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// config is a configuration of TypeScript as strict as there is.
func config(options string) string {
	return `{"compilerOptions":{"strict":true,"noUncheckedIndexedAccess":true,"exactOptionalPropertyTypes":true,` +
		`"noImplicitOverride":true,"noPropertyAccessFromIndexSignature":true,"noUnusedLocals":true,"noUnusedParameters":true,` +
		`"noImplicitReturns":true,"noFallthroughCasesInSwitch":true,"verbatimModuleSyntax":true,"erasableSyntaxOnly":true,` +
		`"target":"ES2022",` + options + `},"include":["*.ts"]}`
}

// The two ways in which modules are looked for, one with the types of browsers
// and one with those of Node.
var (
	bundler  = config(`"noEmit":true,"module":"esnext","moduleResolution":"bundler","lib":["ES2022","DOM"],"types":[]`)
	nodenext = config(`"noEmit":true,"module":"nodenext","moduleResolution":"nodenext","lib":["ES2022"],"types":["node"]`)
)

// compile runs the compiler in a folder.
func compile(t *testing.T, node, modules, dir string) {
	t.Helper()
	if _, err := run(t, dir, node, filepath.Join(modules, "typescript", "bin", "tsc"), "-p", "."); err != nil {
		t.Fatal(strings.ReplaceAll(err.Error(), dir, ""))
	}
}

func source(tb testing.TB, path string) string {
	tb.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}
