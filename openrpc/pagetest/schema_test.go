package pagetest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// schemas are what JSON Schema can say, and how the page says it.
var schemas = []struct{ schema, want string }{
	{`{}`, "any value"},
	{`true`, "any value"},
	{`false`, "no value"},
	{`{"type":"string","minLength":1,"maxLength":1}`, "string|1 character"},
	{`{"type":"string","minLength":2,"pattern":"^a+$"}`, "string|at least 2 characters|matches ^a+$"},
	{`{"type":"string","format":"date-time"}`, "string (date-time)"},
	{`{"type":"integer","minimum":1,"exclusiveMaximum":9007199254740993}`, "integer|≥ 1|< 9007199254740993"},
	{`{"type":"number","minimum":0,"exclusiveMinimum":true,"multipleOf":0.5}`, "number|> 0|multiple of 0.5"},
	{`{"type":["string","null"]}`, "string or null"},
	{`{"type":"string","nullable":true}`, "string or null"},
	{`{"type":["string","integer"]}`, "string or integer"},
	{`{"anyOf":[{"$ref":"#/components/schemas/Pet"},{"type":"null"}]}`, "Pet or null|Show 2 members of Pet"},
	{`{"allOf":[{"$ref":"#/components/schemas/Pet"}],"description":"The pet."}`, "Pet|The pet.|Show 2 members of Pet"},
	{`{"allOf":[{"$ref":"#/components/schemas/Pet"},{"type":"object","properties":{"more":{}}}]}`, "object|Show 3 members"},
	{`{"oneOf":[{"$ref":"#/components/schemas/Pet"},{"type":"string"}]}`, "Pet or string|Show 2 variants"},
	{`{"enum":["a","b",null]}`, "one enum|a|b|null"},
	{`{"type":"string","enum":["a","b"],"x-enum-descriptions":["First","Second"]}`, "string enum|a|First|b|Second"},
	{`{"const":7}`, "constant|always 7"},
	{`{"type":"array","items":{"type":"string","maxLength":3},"uniqueItems":true,"minItems":2,"maxItems":4}`, "array of string|2 to 4 items|all different|each at most 3 characters"},
	{`{"type":"array","items":{"type":"array","items":{"$ref":"#/components/schemas/Pet"}}}`, "array of array of Pet|Show 2 members of Pet"},
	{`{"type":"array","items":[{"type":"string"},{"type":"integer"}]}`, "tuple|Show 2 items"},
	{`{"type":"object","additionalProperties":{"type":"integer"}}`, "map of integer"},
	{`{"type":"object","patternProperties":{"^x":{"type":"boolean"}}}`, "map of boolean"},
	{`{"type":"object"}`, "object"},
	{`{"properties":{"a":{}}}`, "object|Show 1 member"},
	{`{"type":"string","default":"","examples":["x","y"]}`, `string|default ""|examples "x", "y"`},
	{`{"type":"string","x-validate":"sku"}`, "string|rule: sku"},
	{`{"type":"boolean","readOnly":true,"deprecated":true}`, "boolean|deprecated|read only"},
	{`{"$ref":"#/components/schemas/Nowhere"}`, "Nowhere|Defined in #/components/schemas/Nowhere"},
	{`{"$ref":"#/components/schemas/Loop"}`, "Loop"},
	{`{"$ref":"other.json#/Pet"}`, "Pet|Defined in other.json#/Pet"},
	{`{"type":"string","description":"Use ` + "`x`" + `.\n\nDeprecated: Use y."}`, "string|deprecated|Use x.|Use y."},
}

// R-O03: schemas in words, whatever JSON Schema they are written in.
func TestSchemas(t *testing.T) {
	var params []string
	for _, row := range schemas {
		params = append(params, `{"name":"p","schema":`+row.schema+`}`)
	}
	site := host(t, `{"openrpc":"1.3.2","info":{"title":"Schemas","version":"1"},"servers":[{"url":"/rpc"}],"methods":[{"name":"all","params":[`+strings.Join(params, ",")+`]}],
		"components":{"schemas":{"Pet":{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"}}},"Loop":{"$ref":"#/components/schemas/Loop"}}}}`, `{}`)
	b := newTab(t, 1280, 900)
	b.run(chromedp.Navigate(site + "/#all"))
	b.until("!!document.querySelector('.method')")
	const fields = `[...document.querySelectorAll(".fields > .field")].map(f => [...f.querySelectorAll(".field-type, .flag, .prose, .instead, .fact, .enum code, .enum span, .more")].map(e => e.innerText.trim()).join("|"))`
	got := eval[[]string](b, fields)
	if len(got) != len(schemas) {
		t.Fatalf("%d fields, want %d", len(got), len(schemas))
	}
	for i, row := range schemas {
		if got[i] != row.want {
			t.Errorf("%s:\n got %s\nwant %s", row.schema, got[i], row.want)
		}
	}
	// Each has a control that can be filled in and sent.
	b.click(".tabs button", "Try it")
	eval[int](b, "[...document.querySelectorAll('.try .add')].filter(e => e.ariaLabel?.startsWith('Add')).map(e => e.click()).length")
	if n := eval[int](b, "document.querySelectorAll('.try .slot[data-state=value] :is(input, select, textarea, .add, code)').length"); n < len(schemas) {
		t.Errorf("%d controls for %d parameters", n, len(schemas))
	}
	b.click(".try button", "Send")
	b.answered()
	b.quiet(site)
}
