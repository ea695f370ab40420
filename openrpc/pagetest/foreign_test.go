package pagetest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/facet-rpc/facet/openrpc"
)

// host serves a page for one document, and answers calls with the request.
func host(t *testing.T, document, answer string) string {
	t.Helper()
	page, err := openrpc.NewPage("Documents", openrpc.PageDocument{Name: "one", URL: "/document.json"})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", page)
	mux.HandleFunc("GET /document.json", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(strings.ReplaceAll(document, "HOST", r.Host)))
	})
	mux.HandleFunc("POST /rpc", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(answer)) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

const bad = `<img src=x onerror=window.pwned=1><script>window.pwned=1</script>`

// hostile has markup wherever a document has a text, and names that a careless
// script falls over.
var hostile = strings.NewReplacer("BAD", strings.ReplaceAll(bad, `"`, `\"`)).Replace(`{
	"openrpc": "1.2.6",
	"info": {"title": "BAD", "version": "BAD", "description": "BAD **BAD** [BAD](javascript:window.pwned=1) [x](data:text/html,BAD) ` + "`BAD`" + ` # BAD",
		"contact": {"name": "BAD", "url": "javascript:window.pwned=1"}, "license": {"name": "BAD", "url": "javascript:window.pwned=1"}, "termsOfService": "javascript:window.pwned=1"},
	"externalDocs": {"url": "javascript:window.pwned=1", "description": "BAD"},
	"servers": [{"url": "http://HOST/rpc"}],
	"methods": [
		{"name": "BAD", "summary": "BAD", "description": "BAD BAD\n\nDeprecated: BAD", "deprecated": true, "tags": [{"name": "BAD", "description": "BAD"}],
			"externalDocs": {"url": "javascript:window.pwned=1"},
			"params": [
				{"name": "BAD", "summary": "BAD", "description": "BAD", "required": true, "schema": {"type": "string", "title": "BAD", "enum": ["BAD"], "x-enum-descriptions": ["BAD"], "default": "BAD", "pattern": "BAD", "x-validate": "BAD"}},
				{"name": "__proto__", "schema": {"type": "object", "properties": {"BAD": {"$ref": "#/components/schemas/BAD"}, "constructor": {"type": "BAD"}}}}
			],
			"result": {"name": "BAD", "description": "BAD", "schema": {"title": "BAD", "oneOf": [{"title": "BAD", "type": "string"}, {"$ref": "https://evil.example/BAD"}]}},
			"errors": [{"code": 1, "message": "BAD", "data": {"BAD": "BAD"}}],
			"examples": [{"name": "BAD", "summary": "BAD", "description": "BAD", "params": [{"name": "BAD", "value": "BAD"}], "result": {"name": "BAD", "value": "BAD"}}],
			"links": [{"name": "BAD", "method": "BAD", "description": "BAD"}]},
		{"name": "toString", "params": [], "result": {"$ref": "#/components/contentDescriptors/loop"}},
		{"name": 7}, null
	],
	"components": {"contentDescriptors": {"loop": {"$ref": "#/components/contentDescriptors/loop"}}, "schemas": {"BAD": {"$ref": "#/components/schemas/BAD"}}}
}`)

// R-O03: what a document says is text, wherever it stands.
func TestHostileDocument(t *testing.T) {
	site := host(t, hostile, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"`+bad+`","data":{"exception":"`+bad+`","violations":[{"pointer":"/`+bad+`","message":"`+bad+`"}]}}}`)
	b := newTab(t, 1280, 900)
	b.run(chromedp.Navigate(site + "/"))
	b.until("!!document.querySelector('.overview')")
	clean := func(where string) {
		t.Helper()
		if found := eval[string](b, `[window.pwned, document.querySelectorAll("#app img, #app script, #app iframe").length || "",
			...[...document.querySelectorAll("a[href]")].map(a => a.href).filter(h => !/^(http:|https:|mailto:)/.test(h))].filter(Boolean).join()`); found != "" {
			t.Errorf("%s has %s", where, found)
		}
	}
	clean("the overview")
	if h := b.text("h1"); h != bad {
		t.Errorf("the title is %q", h)
	}
	b.fill("#search", "img")
	b.until("document.querySelectorAll('[role=option]').length === 1")
	clean("search")
	b.run(chromedp.Evaluate("document.querySelector('[role=option]').click()", nil))
	b.until("!!document.querySelector('.method')")
	for range 4 {
		eval[int](b, "[...document.querySelectorAll('.more[aria-expanded=false]')].map(e => e.click()).length")
	}
	clean("the method")
	for _, tab := range []string{"TypeScript", "Go", "curl"} {
		b.click(".code-tabs button", tab)
		clean(tab)
	}
	b.click(".tabs button", "Try it")
	eval[int](b, "[...document.querySelectorAll('.try .add')].filter(e => !e.ariaLabel?.startsWith('Leave')).map(e => e.click()).length")
	b.click(".try button", "Send")
	b.until("!!document.querySelector('.answer')")
	clean("the answer")
	b.run(chromedp.Evaluate("location.hash = '#toString'", nil))
	b.until("document.querySelector('h1')?.innerText === 'toString'")
	b.run(chromedp.Evaluate("location.hash = '#%3Cimg%20src%3Dx%20onerror%3Dwindow.pwned%3D1%3E'", nil))
	b.until("document.querySelector('main').innerText.includes('no such method')")
	clean("an unknown method")
	b.quiet(site)
}

// pets has no extension of this framework, references everywhere, and a type
// inside itself.
const pets = `{
	"openrpc": "1.2.6",
	"info": {"title": "Pets", "version": "1.0.0", "license": {"name": "MIT"}},
	"servers": [{"url": "http://HOST/${where}", "variables": {"where": {"default": "rpc"}}}],
	"methods": [
		{"name": "list_pets", "summary": "List all pets", "tags": [{"$ref": "#/components/tags/pets"}],
			"params": [{"$ref": "#/components/contentDescriptors/Limit"}],
			"result": {"name": "pets", "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}},
			"errors": [{"$ref": "#/components/errors/Busy"}],
			"examples": [{"$ref": "#/components/examplePairingObjects/one"}]},
		{"name": "adopt", "paramStructure": "by-position", "params": [
			{"name": "pet", "required": true, "schema": {"$ref": "#/components/schemas/Pet"}},
			{"name": "how", "schema": {"oneOf": [{"type": "string"}, {"type": "object", "title": "Detailed", "required": ["days"], "properties": {"days": {"type": "integer"}}}]}},
			{"name": "labels", "schema": {"type": "object", "additionalProperties": {"type": "string"}}}],
			"result": {"name": "ok", "schema": {"type": ["boolean", "null"]}}},
		{"name": "shout", "params": []}
	],
	"components": {
		"tags": {"pets": {"name": "animals", "description": "All that has *paws*."}},
		"contentDescriptors": {"Limit": {"name": "limit", "description": "How many", "schema": {"type": "integer", "minimum": 1}}},
		"schemas": {"Pet": {"type": "object", "required": ["id", "name"], "properties": {
			"id": {"type": "integer"}, "name": {"type": "string"}, "parent": {"$ref": "#/components/schemas/Pet"},
			"friends": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}}}},
		"errors": {"Busy": {"code": 100, "message": "pets busy"}},
		"examplePairingObjects": {"one": {"name": "One pet", "params": [{"name": "limit", "value": 1}], "result": {"name": "pets", "value": [{"id": 7, "name": "fluffy"}]}}}
	}
}`

// R-O03: any OpenRPC document will do. A type inside itself opens as far as the
// reader goes, and no further.
func TestForeignDocument(t *testing.T) {
	site := host(t, pets, `{"jsonrpc":"2.0","id":1,"result":[{"id":7,"name":"fluffy"}]}`)
	b := newTab(t, 1280, 900)
	b.run(chromedp.Navigate(site + "/#list_pets"))
	b.until("document.querySelector('h1')?.innerText === 'List all pets'")
	for _, want := range []string{"animals", "How many", "array of Pet", "100", "pets busy", "One pet"} {
		if !strings.Contains(b.text(".method-main"), want) {
			t.Errorf("no %q in\n%s", want, b.text(".method-main"))
		}
	}
	if side := b.text(".method-side"); !strings.Contains(side, "fluffy") || !strings.Contains(side, "/rpc'") || strings.Contains(side, "MCP") || strings.Contains(side, "TOKEN") {
		t.Errorf("beside the method:\n%s", side)
	}
	const friends = "[...document.querySelectorAll('.field-name')].filter(e => e.innerText === 'friends').length"
	for depth := 1; depth <= 4; depth++ {
		if n := eval[int](b, friends); n != depth {
			t.Fatalf("%d levels, want %d", n, depth)
		}
		eval[bool](b, "([...document.querySelectorAll('.more[aria-expanded=false]')].filter(e => e.innerText.includes('of Pet')).at(-1).click(), true)")
	}
	b.click(".tabs button", "Try it")
	b.click(".try button", "Send")
	if answer := b.answered(); !strings.Contains(answer, "200") || !strings.Contains(answer, "fluffy") {
		t.Errorf("answer: %s", answer)
	}
	b.run(chromedp.Evaluate("location.hash = '#adopt'", nil))
	b.until("document.querySelector('h1')?.innerText === 'adopt'")
	b.click(".tabs button", "Try it")
	b.click(".add", "Add parent")
	b.click(".add", "Add how")
	eval[bool](b, "(s => (s.value = '1', s.dispatchEvent(new Event('change')), true))([...document.querySelectorAll('.try select')].find(s => s.innerText.includes('Detailed')))")
	b.click(".add", "Add labels")
	b.click(".add", "Add member")
	b.fill(".item .mono", "colour")
	const want = `[{"id":0,"name":"","parent":{"id":0,"name":""}},{"days":0},{"colour":""}]`
	if got := eval[string](b, "JSON.stringify(JSON.parse(document.querySelector('.method-side .code').innerText.match(/-d '([^]*)'/)[1]).params)"); got != want {
		t.Errorf("params by position:\n got %s\nwant %s", got, want)
	}
	b.run(chromedp.Evaluate("location.hash = '#shout'", nil))
	b.until("document.querySelector('.method-side')?.innerText.includes('A notification')")
	b.quiet(site)
}

// R-O03: a comment of one sentence is the title, and is not said again below it.
func TestOneSentence(t *testing.T) {
	site := host(t, `{"openrpc": "1.3.2", "info": {"title": "Hall", "version": "1"}, "methods": [
		{"name": "seats", "summary": "Lists seats.", "description": "Lists seats.\n\nDeprecated: Use rows.", "deprecated": true, "params": [], "result": {"name": "r", "schema": true}},
		{"name": "rows", "summary": "Lists rows.", "description": "Lists rows. From the stage.", "params": [], "result": {"name": "r", "schema": true}}]}`, "")
	b := newTab(t, 1280, 900)
	for method, want := range map[string]int{"seats": 1, "rows": 2} {
		b.run(chromedp.Navigate(site + "/#" + method))
		b.until("document.querySelector('.method-head code')?.innerText === '" + method + "'")
		if n := strings.Count(b.text(".method-head"), "Lists"); n != want {
			t.Errorf("%s says it %d times, want %d:\n%s", method, n, want, b.text(".method-head"))
		}
	}
	b.quiet(site)
}

// R-O03: what is wrong with a document is said, with a way on.
func TestNoDocument(t *testing.T) {
	for document, want := range map[string]string{
		"<html>":        "This is not an OpenRPC document",
		`{"paths":{}}`:  "This is not an OpenRPC document",
		`{"methods":5}`: "This is not an OpenRPC document",
		`{"openrpc":"1.3.2","info":{"title":"Empty","version":"1"},"methods":[]}`: "Empty",
	} {
		site := host(t, document, "")
		b := newTab(t, 1280, 900)
		b.run(chromedp.Navigate(site + "/"))
		b.until("document.querySelector('h1')?.innerText === '" + want + "'")
		b.quiet(site)
	}
}
