package schema_test

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc/schema"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with testdata/name, or writes it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run with -update to accept.\ngot:\n%s", path, got)
	}
}

type (
	onlyOut struct{}
	onlyIn  struct{}
	tagged  struct {
		A string `json:"a" validate:"min=1"`
	}
	Self     struct{ *Self }
	myTime   time.Time
	promoted struct {
		time.Time `json:"at"`
		Name      string `json:"name"`
	}
	own       struct{ either }
	float     float64
	notEnum   struct{}
	hasNumber struct {
		N schema.Number `json:"n"`
		W time.Duration `json:"w"`
	}
	ruledJSON struct {
		M map[string]*tagged `validate:"dive"`
	}
	// ruledText decodes itself, yet validator walks into it.
	ruledText struct {
		N int `json:"n" validate:"min=1"`
	}
	twice    string
	stranger string
)

func (ruledJSON) MarshalJSON() ([]byte, error)  { return nil, nil }
func (*ruledJSON) UnmarshalJSON(b []byte) error { return nil }

func (ruledText) MarshalText() ([]byte, error)  { return nil, nil }
func (*ruledText) UnmarshalText(b []byte) error { return nil }

func (own) MarshalJSON() ([]byte, error)  { return nil, nil }
func (*own) UnmarshalJSON(b []byte) error { return nil }

func (onlyOut) MarshalJSON() ([]byte, error) { return nil, nil }
func (*onlyIn) UnmarshalText(b []byte) error { return nil }

// made is a struct that go vet would not let us write.
func made(fields ...reflect.StructField) any {
	return reflect.Zero(reflect.StructOf(fields)).Interface()
}

func field(name string, tag reflect.StructTag) reflect.StructField {
	f := reflect.StructField{Name: name, Type: reflect.TypeFor[int](), Tag: tag}
	if name == strings.ToLower(name) {
		f.PkgPath = "example.com/x"
	}
	return f
}
