package reader_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/openrpc/internal/reader"
)

// method is a document with one method that has a schema.
func method(schema, components string) string {
	return `{"openrpc":"1.3.2","info":{"title":"t","version":"1"},"methods":[{"name":"m","params":[{"name":"p","schema":` + schema + `}]}],"components":{` + components + `}}`
}

// Every fault says where it is.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ doc, want string }{
		{`{`, "openrpc: this is not JSON: "},
		{`{} {}`, "there is more after the document, from byte 2 on"},
		{`{"a":1,"a":2}`, "duplicate"},
		{`[]`, "the document is not an object"},
		{`{"swagger":"2.0"}`, "no member openrpc that begins with 1."},
		{`{"openrpc":"2.0.0"}`, "no member openrpc that begins with 1."},
		{`{"openrpc":1}`, "#/openrpc is not a string"},
		{`{"openrpc":"1.0.0"}`, "the document has no array of methods"},
		{`{"openrpc":"1.0.0","methods":{}}`, "the document has no array of methods"},
		{`{"openrpc":"1.0.0","info":7,"methods":[]}`, "#/info is not an object"},
		{`{"openrpc":"1.0.0","methods":[7]}`, "#/methods/0 is not an object"},
		{`{"openrpc":"1.0.0","methods":[{}]}`, "#/methods/0 is a method without a name"},
		{`{"openrpc":"1.0.0","methods":[{"name":"a","params":[]},{"name":"a","params":[]}]}`, `#/methods/1 is a second method with the name "a"`},
		{`{"openrpc":"1.0.0","methods":[{"$ref":"other.json#/m"}]}`, `#/methods/0 refers to "other.json#/m", which is another document`},
		{`{"openrpc":"1.0.0","methods":[{"$ref":"#/methods/0"}]}`, "#/methods/0 is a reference to a reference, without an end"},
		{`{"openrpc":"1.0.0","methods":[{"name":"a","params":[{"name":"x"}]}]}`, "#/methods/0/params/0 has no schema"},
		{`{"openrpc":"1.0.0","methods":[{"name":"a","params":[{"schema":{}}]}]}`, "#/methods/0/params/0 has no name"},
		{`{"openrpc":"1.0.0","methods":[{"name":"a","params":[{"name":"x","schema":{}},{"name":"x","schema":{}}]}]}`, `#/methods/0/params/1 is a second parameter with the name "x"`},
		{`{"openrpc":"1.0.0","methods":[{"name":"a","params":[],"errors":[{"code":"1"}]}]}`, "#/methods/0/errors/0 is an error without a code"},
		{method(`7`, ""), "#/methods/0/params/0/schema is neither a schema nor true nor false"},
		{method(`{"type":"text"}`, ""), `#/methods/0/params/0/schema/type is "text", which is no type`},
		{method(`{"properties":[]}`, ""), "#/methods/0/params/0/schema/properties is not an object"},
		{method(`{"anyOf":[{},{"$ref":"#/components/schemas/x"}]}`, ""), "#/methods/0/params/0/schema/anyOf/1 refers to"},
		{method(`{}`, `"schemas":{"a/b~":{"enum":1}}`), "#/components/schemas/a~1b~0/enum is not an array"},
		{strings.Repeat(`[`, 300), "lies too deep"},
	} {
		_, err := reader.Read([]byte(c.doc))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "openrpc: ") {
			t.Errorf("%.80s: got %v, want %s", c.doc, err, c.want)
		}
	}
}

// The escapes of a pointer (RFC 6901 section 3) are none of a name's.
func TestEscapedNames(t *testing.T) {
	doc, err := reader.Read([]byte(method(`{"$ref":"#/components/schemas/a~1b~0%20c"}`, `"schemas":{"a/b~ c":{"type":"string"}}`)))
	if err != nil || len(doc.Types) != 1 || doc.Types[0].Name != "a/b~ c" || doc.Methods[0].Params[0].Type.Target != doc.Types[0] {
		t.Errorf("got %+v, %v", doc, err)
	}
}

// The examples of the OpenRPC project are read to their end.
func TestExamples(t *testing.T) {
	want := map[string]int{
		"api-with-examples": 2, "empty": 0, "link-example": 6, "metrics": 1,
		"params-by-name-petstore": 3, "petstore": 3, "petstore-expanded": 4, "simple-math": 2,
	}
	for name, methods := range want {
		text, err := os.ReadFile(filepath.Join("testdata", "examples", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := reader.Read(text)
		if err != nil || len(doc.Methods) != methods {
			t.Errorf("%s: %+v, %v", name, doc, err)
		}
	}
}

// What schemas say of the shape of values.
func TestTypes(t *testing.T) {
	const components = `"schemas":{"a":{"anyOf":[{"$ref":"#/components/schemas/a"},{"type":"null"}]},"s":{"type":"string"},"o":{"type":"object","properties":{"x":{"$ref":"#/components/schemas/o"}}}}`
	for schema, want := range map[string]reader.Kind{
		`{}`: reader.Any, `true`: reader.Any, `false`: reader.Never, `{"minLength":2}`: reader.Any, `{"not":{"type":"null"}}`: reader.Any,
		`{"type":"integer"}`: reader.Integer, `{"type":["string","null"]}`: reader.Union, `{"type":["string"]}`: reader.String,
		`{"enum":[1,2]}`: reader.Literal, `{"const":null}`: reader.Literal, `{"enum":[]}`: reader.Never,
		`{"type":"string","enum":["a",1]}`: reader.Literal, `{"type":"integer","enum":["a"]}`: reader.Never,
		`{"properties":{}}`: reader.Map, `{"properties":{"a":{}}}`: reader.Object, `{"type":"object","additionalProperties":false}`: reader.Object,
		`{"type":"array"}`: reader.List, `{"items":{}}`: reader.List, `{"items":[{}]}`: reader.Tuple, `{"type":"array","prefixItems":[{}]}`: reader.Tuple,
		`{"anyOf":[{"type":"string"},{}]}`: reader.Any, `{"oneOf":[{"const":"a"},{"const":"b"}]}`: reader.Literal,
		`{"type":"string","anyOf":[{"const":""},{"minLength":3}]}`: reader.String, `{"type":"string","oneOf":[{"const":"a"},{"const":"b"}]}`: reader.Literal,
		`{"allOf":[{"$ref":"#/components/schemas/s"}],"default":"x"}`: reader.Ref, `{"allOf":[{"$ref":"#/components/schemas/s"},{"$ref":"#/components/schemas/o"}]}`: reader.All,
		`{"$ref":"#/components/schemas/a"}`: reader.Ref, `{"$ref":"#/components/schemas/o"}`: reader.Ref, `{"$ref":"https://example.org/x.json"}`: reader.Any,
		`{"anyOf":[{"type":"string"},{"type":"string","format":"date"}]}`: reader.String,
	} {
		doc, err := reader.Read([]byte(method(schema, components)))
		if err != nil {
			t.Errorf("%s: %v", schema, err)
		} else if got := doc.Methods[0].Params[0].Type.Kind; got != want {
			t.Errorf("%s: kind %d, want %d", schema, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ text, pascal, camel string }{
		{"Catalog", "Catalog", "catalog"}, {"URL", "URL", "url"}, {"HTTPServer", "HTTPServer", "httpServer"}, {"get-pet", "GetPet", "getPet"},
		{"list_pets", "ListPets", "list_pets"}, {"1st", "N1st", "_1st"}, {"", "Unnamed", "unnamed"}, {"*/", "Unnamed", "unnamed"},
		{"тварина", "Тварина", "тварина"}, {"漢字", "N漢字", "漢字"}, {"a b.c", "ABC", "aBC"},
	} {
		if got := reader.Pascal(c.text); got != c.pascal {
			t.Errorf("Pascal(%q) is %q, want %q", c.text, got, c.pascal)
		}
		if got := reader.Camel(c.text); got != c.camel {
			t.Errorf("Camel(%q) is %q, want %q", c.text, got, c.camel)
		}
	}
	n := reader.NewNames("a")
	for _, want := range []string{"b", "b2", "b3"} {
		if got := n.Take("a", "b"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Whatever comes, it is read or refused with its place.
func FuzzRead(f *testing.F) {
	paths, err := filepath.Glob("testdata/*/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range append(paths, "testdata/zoo.json") {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := reader.Read(text)
		if (doc == nil) == (err == nil) || err != nil && !strings.HasPrefix(err.Error(), "openrpc: ") {
			t.Errorf("got %v, %v", doc, err)
		}
	})
}
