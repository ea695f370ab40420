package mcp_test

import (
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func compile(t testing.TB, raw []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("urn:tool", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("urn:tool")
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return s
}

func schemaValue(text string) (any, error) { return jsonschema.UnmarshalJSON(strings.NewReader(text)) }
