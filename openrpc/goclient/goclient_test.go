package goclient_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/openrpc/goclient"
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

func source(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// goldens are the packages that are kept, by folder.
func goldens(t *testing.T) map[string][]byte {
	return map[string][]byte{
		"shopv1": shopDocument(t, 1),
		"shopv2": shopDocument(t, 2),
		"zoo":    source(t, documents+"zoo.json"),
	}
}

func generate(t *testing.T, name string, doc []byte) []byte {
	t.Helper()
	text, err := goclient.Generate(doc, goclient.Options{Package: name})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The same document gives the same bytes, in every run. The kept files are
// packages that the tests of testdata/run call.
func TestGolden(t *testing.T) { // R-O05
	for name, doc := range goldens(t) {
		got := generate(t, name, doc)
		if again := generate(t, name, doc); !bytes.Equal(again, got) {
			t.Errorf("%s: two runs differ", name)
		}
		path := filepath.Join("testdata", name, "client.go")
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want := source(t, path); !bytes.Equal(got, want) {
			t.Errorf("%s is not what is generated; run go test ./openrpc/goclient -update and look at the difference", path)
		}
	}
}

// clash has the names that references are written with.
const clash = `{"openrpc":"1.3.2","methods":[
	{"name":"a.find","params":[{"name":"from","schema":{"type":"string"}},{"name":"b.c","schema":{"type":"string"}}],"result":{"name":"r","schema":{"$ref":"#/components/schemas/Page"}}},
	{"name":"a.findFrom","params":[{"name":"p","schema":{"type":"string"}}],"result":{"name":"r","schema":{"$ref":"#/components/schemas/PageRef"}}},
	{"name":"a.findFrom.x","params":[],"result":{"name":"r","schema":{"type":"array","items":{"$ref":"#/components/schemas/Pages"}}}},
	{"name":"aFind","params":[{"name":"p","schema":{"type":"string"}}],"result":{"name":"r","schema":{"type":"array","items":{"$ref":"#/components/schemas/Page"}}}},
	{"name":"send","params":[{"name":"p","schema":{"type":"string"}}],"result":{"name":"r","schema":{"anyOf":[{"$ref":"#/components/schemas/Other"},{"type":"null"}]}}}],
	"components":{"schemas":{
	"Page":{"type":"object","properties":{"Ref":{"type":"string"},"marshalJSON":{"type":"string"},"source":{"type":"string"},"param":{"type":"string"},"result":{"type":"string"},"pending":{"type":"string"},
		"items":{"$ref":"#/components/schemas/Pages"},"itemsAt":{"type":"string"},"pageRef":{"$ref":"#/components/schemas/PageRef"},"a.b":{"type":"string"}}},
	"Pages":{"type":"array","items":{"$ref":"#/components/schemas/Page"}},
	"Other":{"$ref":"#/components/schemas/Page"},
	"PageRef":{"type":"object","properties":{"client":{"type":"string"},"r":{"type":"string"}}},
	"PagePending":{"type":"string"},"AFindFrom":{"type":"string"}}}}`

// Every file is formatted, compiles and passes go vet, in a module of its own
// that only knows this one.
func TestCompiles(t *testing.T) { // R-O05
	files := map[string][]byte{"clash/client.go": generate(t, "clash", []byte(clash))}
	for name, doc := range goldens(t) {
		files[name+"/client.go"] = generate(t, name, doc)
	}
	paths, err := filepath.Glob(documents + "examples/*.json")
	if err != nil || len(paths) != 8 {
		t.Fatalf("%d examples, %v", len(paths), err)
	}
	for _, path := range paths {
		text, err := goclient.Generate(source(t, path), goclient.Options{})
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimSuffix(filepath.Base(path), ".json")+"/client.go"] = text
	}
	for i, text := range hostile {
		doc, err := filled(string(source(t, documents+"hostile.json")), text)
		if err != nil {
			t.Fatal(err)
		}
		made, err := goclient.Generate(doc, goclient.Options{Package: "hostile"})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		files["hostile"+strconv.Itoa(i)+"/client.go"] = made
	}
	dir := module(t, files)
	for _, command := range [][]string{{"go", "vet", "-mod=mod", "./..."}, {"gofmt", "-l", "."}} {
		if out, err := run(t, dir, command...); err != nil || command[0] == "gofmt" && out != "" {
			t.Errorf("%v: %v\n%s", command, err, out)
		}
	}
}

// References that cannot fit do not compile.
func TestReferenceTypes(t *testing.T) { // R-O05
	const head = `package x

import (
	"example.org/clients/shopv2"
	"github.com/facet-rpc/facet/transport/rpchttp/client"
)

var b = new(shopv2.Batch)
var found = b.Catalog.Find(shopv2.CatalogFindParams{})
var placed = b.Orders.Create(shopv2.OrdersCreateParams{})
var shelves = b.Catalog.Categories()
var _ = client.Value(1)
`
	cases := map[string]string{ // code, and what the compiler says; nothing if it compiles
		`b.Catalog.ProductFrom(shopv2.CatalogProductFrom{SKU: found.Ref().ItemsAt(0).SKU()})`:                "",
		`b.Catalog.ProductFrom(shopv2.CatalogProductFrom{SKU: client.Value("TEA-01")})`:                      "",
		`b.Orders.PayFrom(shopv2.OrdersPayFrom{Amount: client.As[shopv2.MoneyInput](placed.Ref().Total())})`: "",
		`b.Catalog.FindFrom(shopv2.CatalogFindFrom{Category: shelves.At(0).ChildrenAt(1).Slug()})`:           "",
		`b.Catalog.ProductFrom(shopv2.CatalogProductFrom{SKU: found.Ref().Total()})`:                         "client.Ref[int64] does not implement client.Param[string]",
		`b.Catalog.ProductFrom(shopv2.CatalogProductFrom{SKU: "TEA-01"})`:                                    "string does not implement client.Param[string]",
		`b.Catalog.ProductFrom(shopv2.CatalogProductFrom{SKU: client.Value(1)})`:                             "client.Param[int] does not implement client.Param[string]",
		`b.Catalog.ProductFrom(shopv2.CatalogProductFrom{SKU: found.Ref().ItemsAt(0).Weight()})`:             "found.Ref().ItemsAt(0).Weight undefined",
		`b.Orders.PayFrom(shopv2.OrdersPayFrom{Amount: placed.Ref().Total()})`:                               "shopv2.MoneyRef does not implement client.Param[shopv2.MoneyInput]",
		`b.Catalog.FindFrom(shopv2.CatalogFindFrom{Sort: placed.Ref().State()})`:                             "client.Ref[shopv2.OrderState] does not implement client.Param[shopv2.SortOrder]",
		`b.Catalog.ProductFrom(shopv2.CatalogProductFrom{Name: found.Ref().Next()})`:                         "unknown field Name in struct literal",
		`b.Catalog.Product(shopv2.CatalogProductParams{SKU: found.Ref().Next()})`:                            "(value of struct type client.Ref[string]) as string value",
	}
	files := map[string][]byte{"shopv2/client.go": generate(t, "shopv2", shopDocument(t, 2))}
	said := map[string]string{}
	for code := range cases {
		name := "case" + strconv.Itoa(len(said))
		said[name] = code
		files[name+"/x.go"] = []byte(head + "var _ = " + code + "\n")
	}
	dir := module(t, files)
	for name, code := range said {
		out, err := run(t, dir, "go", "vet", "-mod=mod", "./"+name)
		if want := cases[code]; (err == nil) != (want == "") || !strings.Contains(out, want) {
			t.Errorf("%s: %v\n%s\nwant %s", code, err, out, want)
		}
	}
}

// module is a folder with a module that has the files, and knows this module.
func module(t *testing.T, files map[string][]byte) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	mod := string(source(t, filepath.Join(root, "go.mod")))
	files["go.mod"] = []byte(strings.Replace(mod, "module github.com/facet-rpc/facet\n", "module example.org/clients\n", 1) +
		"\nrequire github.com/facet-rpc/facet v0.0.0\nreplace github.com/facet-rpc/facet => " + root + "\n")
	files["go.sum"] = source(t, filepath.Join(root, "go.sum"))
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run is what a command says in a folder.
func run(t *testing.T, dir string, command ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct{ doc, pkg, want string }{
		{`{"openrpc":"1.3.2","methods":[{"name":"m","params":[{"name":"p","schema":{"$ref":"#/nowhere"}}]}]}`, "x", "#/methods/0/params/0/schema"},
		{`{"openrpc":"1.3.2","methods":[]}`, "two words", "cannot be the name of a Go package"},
		{`{"openrpc":"1.3.2","methods":[]}`, "func", "cannot be the name of a Go package"},
	} {
		_, err := goclient.Generate([]byte(c.doc), goclient.Options{Package: c.pkg})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.doc, err, c.want)
		}
	}
}

// Whatever the document says, the file parses, and has the declarations that
// the generator writes and no others.
func FuzzGenerate(f *testing.F) {
	for _, name := range []string{"zoo.json", "examples/petstore.json", "examples/simple-math.json", "examples/link-example.json"} {
		text, err := os.ReadFile(documents + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"openrpc":"1.0.0","methods":[{"name":"\nfunc init() {}","description":"\u2028\nfunc init() {}","params":[{"name":"` + "`" + `evil\"","schema":{"enum":["\nevil","b"]}}]}]}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		text, err := goclient.Generate(doc, goclient.Options{})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "openrpc: ") || strings.Contains(err.Error(), "report it") {
				t.Error(err)
			}
			return
		}
		if what := contained(text); what != "" {
			t.Fatal(what)
		}
		if again, err := goclient.Generate(doc, goclient.Options{}); err != nil || !bytes.Equal(text, again) {
			t.Fatal("two runs differ")
		}
	})
}
