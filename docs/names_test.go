package docs_test

import (
	"os"
	"reflect"
	"regexp"
	"testing"

	"github.com/facet-rpc/facet/rpc"
)

// names has the methods of the table in first-service.md.
type names struct{}

func (names) Greet()       {}
func (names) ID()          {}
func (names) URL()         {}
func (names) GetURL()      {}
func (names) URLOf()       {}
func (names) HTTPServer()  {}
func (names) UTF8()        {}
func (names) OAuth2Token() {}
func (names) IsNaN()       {}
func (names) NaN()         {}
func (names) IDs()         {}

// TestTableOfNames: the table is what happens, whole.
func TestTableOfNames(t *testing.T) {
	page, err := os.ReadFile("first-service.md")
	if err != nil {
		t.Fatal(err)
	}
	registry, err := rpc.NewRegistry(rpc.App{Name: "names", Version: "1.0.0"}, names{})
	if err != nil {
		t.Fatal(err)
	}
	published := registry.Endpoint(rpc.DefaultGroup, 1)
	rows := regexp.MustCompile("(?m)^\\| `(\\w+)` \\| `(\\w+)` \\|$").FindAllStringSubmatch(string(page), -1)
	for _, m := range rows {
		if _, ok := reflect.TypeFor[names]().MethodByName(m[1]); !ok {
			t.Errorf("the test has no method %s", m[1])
		}
		if published.Lookup("names."+m[2]) == nil {
			t.Errorf("there is no names.%s for %s", m[2], m[1])
		}
	}
	if want := reflect.TypeFor[names]().NumMethod(); len(rows) != want {
		t.Errorf("%d rows, want %d", len(rows), want)
	}
}
