package main

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/i18n/internal/textfile"
)

const openrpc = `{"openrpc":"1.3.2","methods":[
	{"name":"Catalog.search","summary":"Search","description":"Search finds products.\n\nDeprecated: Use find.","x-groups":["default","mcp"],
	 "params":[{"name":"query","description":"A part: of the name."},{"name":"bare"}]},
	{"name":"ping","summary":"ping","description":"Deprecated: Use call.","x-groups":["default"],"params":[]}],
	"components":{"errors":{
		"OutOfStock":{"message":"Only {{.Left}} left.","data":{"properties":{"exception":{"const":"OutOfStock"}}}},
		"Locked":{"message":"The method is locked."}}}}`

// write makes files below a new folder.
func write(t *testing.T, pairs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(pairs); i += 2 {
		file := filepath.Join(dir, pairs[i])
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(pairs[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// R-I05: what is missing, unknown and unused, per language.
func TestCompare(t *testing.T) {
	dir := write(t, "openrpc.json", openrpc,
		"translations/rpc.uk.yaml", `
Catalog.search: {title: Пошук, description: Search finds products., params: {qery: x}}
Catalog.find.title: x
errors: {OutOfStock: Лишилося., Lost: x, Timeout: Задовго.}
violations: {min: замало}
`,
		"translations/rpc/mcp.uk.yaml", "Catalog.search.params.query: a\nping.title: x\n",
		"translations/rpc/agents.uk.yaml", "ping.title: x\n",
		"translations/rpc.en.yaml", "Catalog.search.title: Search\n",
		"translations/rpc/default.de.yaml", "Catalog.search: {title: Suche, params: {query: Teil}}\n",
		"translations/rpc/mcp.de.yaml", "Catalog.search: {title: Suche}\n")
	var out bytes.Buffer
	found, err := run([]string{"-doc", dir + "/openrpc.json", "-dir", dir + "/translations"}, &out, io.Discard)
	if err != nil || !found {
		t.Fatalf("%v, %v", found, err)
	}
	want := `de: missing Catalog.search.description
de: missing Catalog.search.params.query
de: missing errors.Locked
de: missing errors.OutOfStock
uk: missing Catalog.search.params.query
uk: not translated: rpc.uk.yaml:2: Catalog.search.description
uk: unknown rpc.uk.yaml:2: Catalog.search.params.qery
uk: unknown rpc.uk.yaml:3: Catalog.find.title
uk: unused, no method answers with it: rpc.uk.yaml:4: errors.Lost
uk: unused, no method is in the group agents: rpc/agents.uk.yaml:1: ping.title
uk: unused, the method is not in the group mcp: rpc/mcp.uk.yaml:2: ping.title
`
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
}

// The file for a new language can be read again, lacks nothing, and every text
// of it waits for a translation.
func TestTemplate(t *testing.T) {
	dir := write(t, "openrpc.json", openrpc, "translations/README.md", "")
	var out bytes.Buffer
	if found, err := run([]string{"-doc", dir + "/openrpc.json", "-new", "pt-br"}, &out, io.Discard); err != nil || found {
		t.Fatalf("%v, %v", found, err)
	}
	want := `# translations/rpc.pt-BR.yaml: translate what stands after the colons.
Catalog.search:
  title: Search
  description: Search finds products.
  params:
    query: 'A part: of the name.'
errors:
  Locked: The method is locked.
  OutOfStock: Only {{.Left}} left.
`
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
	if err := os.WriteFile(filepath.Join(dir, "translations/rpc.pt-BR.yaml"), out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if _, err := run([]string{"-doc", dir + "/openrpc.json", "-dir", dir + "/translations"}, &again, io.Discard); err != nil {
		t.Fatal(err)
	}
	if got := again.String(); strings.Count(got, "not translated") != 5 || strings.Count(got, "\n") != 5 {
		t.Errorf("got:\n%s", got)
	}
}

func TestWrongUse(t *testing.T) {
	dir := write(t, "openrpc.json", openrpc, "other.json", `{"swagger":"2.0"}`, "none.json", `[`, "translations/rpc.uk.yaml", "a: 1\n")
	doc := []string{"-doc", dir + "/openrpc.json"}
	for want, args := range map[string][]string{
		"no document; write -doc":               {},
		"has no member openrpc":                 {"-doc", dir + "/other.json"},
		"none.json is no OpenRPC document":      {"-doc", dir + "/none.json"},
		"no such file":                          {"-doc", dir + "/lost.json"},
		"x_ is no language":                     append(doc, "-new", "x_"),
		"rpc.uk.yaml:1: a: no text is called":   append(doc, "-dir", dir+"/translations"),
		"lost: no such file or directory; name": append(doc, "-dir", dir+"/lost"),
		"flag provided but not defined: -wrong": {"-wrong"},
	} {
		if _, err := run(args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", args, err, want)
		}
	}
	if _, err := run([]string{"-h"}, io.Discard, io.Discard); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h: %v", err)
	}
	var faults textfile.Faults
	if _, err := run(append(doc, "-dir", dir+"/translations"), io.Discard, io.Discard); !errors.As(err, &faults) || len(faults) != 1 {
		t.Errorf("got %v", err)
	}
}
