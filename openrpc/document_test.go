package openrpc_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/lock"
	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/rpc"
	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json/jsontext"
)

var update = flag.Bool("update", false, "write the golden files")

func TestMain(m *testing.M) {
	gin.SetMode(gin.TestMode)
	os.Exit(m.Run())
}

func newRegistry(t testing.TB) *rpc.Registry {
	t.Helper()
	registry, err := rpc.NewRegistry(app(), &Depot{})
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

func document(t *testing.T, registry *rpc.Registry, version int, options openrpc.Options) []byte {
	t.Helper()
	doc, err := openrpc.Document(registry, registry.Endpoint(rpc.DefaultGroup, version), options)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// The golden files are read by people: they are what a document looks like.
//
// R-O02 R-O04
func TestGolden(t *testing.T) {
	for version, name := range map[int]string{1: "depot.v1.json", 2: "depot.v2.json"} {
		doc := jsontext.Value(document(t, newRegistry(t), version, openrpc.Options{ServerURL: "https://depot.example/rpc"}))
		if found := problems(t, doc); found != nil {
			t.Errorf("%s: %q", name, found)
		}
		golden(t, name, doc)
	}
}

// golden compares a document, indented, with testdata/name, or writes it with
// -update.
func golden(t *testing.T, name string, doc jsontext.Value) {
	t.Helper()
	if err := doc.Indent(); err != nil {
		t.Fatal(err)
	}
	path, got := filepath.Join("testdata", name), append(doc, '\n')
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; go test ./openrpc -update writes it again. got:\n%s", path, got)
	}
}

// R-O01: valid by the official meta-schema.
func TestOfficialValidator(t *testing.T) {
	registry := newRegistry(t)
	for version := 1; version <= 2; version++ {
		for _, url := range []string{"", "http://127.0.0.1:8080/rpc"} {
			if err := validate(t, document(t, registry, version, openrpc.Options{ServerURL: url})); err != nil {
				t.Errorf("version %d: %v", version, err)
			}
		}
	}
	nothing := document(t, registry, 1, openrpc.Options{Visible: func(*rpc.Spec) bool { return false }})
	if err := validate(t, nothing); err != nil {
		t.Errorf("a document without methods: %v", err)
	}
}

// R-O04: the order in which documents are asked for changes nothing.
func TestStable(t *testing.T) {
	one, two := newRegistry(t), newRegistry(t)
	first := document(t, one, 1, openrpc.Options{})
	second := document(t, one, 2, openrpc.Options{})
	if !bytes.Equal(document(t, two, 2, openrpc.Options{}), second) || !bytes.Equal(document(t, two, 1, openrpc.Options{}), first) {
		t.Error("two runs write two documents")
	}
}

func TestNoSuchEndpoint(t *testing.T) {
	registry := newRegistry(t)
	_, err := openrpc.Document(registry, registry.Endpoint("nobody", 1), openrpc.Options{})
	if err == nil || !strings.Contains(err.Error(), "no such endpoint") {
		t.Errorf("got %v", err)
	}
}

func newExecutor(t testing.TB) *rpc.Executor {
	t.Helper()
	p := pool(t)
	exec, err := rpc.NewExecutor(newRegistry(t), rpc.Options{Store: p, Records: p, Locker: new(lock.Local)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := exec.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return exec
}

func pool(t testing.TB) *cache.Memory {
	t.Helper()
	p, err := cache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}
