package mcp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/gin-gonic/gin"
)

// mcp rows 25 to 29: headers that repeat arguments are held against them.
func TestMirrors(t *testing.T) {
	p := mount(t, setup{services: []any{workshop()}})
	order := func(name, arguments string, headers ...string) row {
		body, all := modern("tools/call", `"name":"Workshop.order","arguments":`+arguments, append(headers, "Mcp-Name: Workshop.order")...)
		return rowOf(name, body, all)
	}
	const eu = `{"region":"eu"}`
	part := func(count string) string { return `{"region":"eu","part":{"count":` + count + `}}` }
	const region, differs = "Mcp-Param-Region: eu", "not what the body says"
	for _, r := range []row{
		order("row 26", eu, region).want(200, 0, `"structuredContent":{"result":"eu"}`),
		order("row 26 missing", eu).want(400, -32020, "Mcp-Param-Region is missing"),
		order("row 26 another value", eu, "Mcp-Param-Region: us").want(400, -32020, differs),
		order("row 22 values by case", eu, "Mcp-Param-Region: EU").want(400, -32020, differs),
		order("row 22 names by any case", eu, "mcp-param-REGION: eu").want(200, 0, ""),
		order("row 22 white space around it", eu, "Mcp-Param-Region:   eu").want(200, 0, ""),
		order("row 26 absent", `{}`).want(200, -32602, "region"),
		order("row 26 absent, and a header", `{}`, region).want(400, -32020, "not there"),
		order("row 26 null", `{"region":null}`).want(200, -32602, "region"),
		order("row 26 null, and a header", `{"region":null}`, region).want(400, -32020, "not there"),
		order("no arguments", `null`).want(200, -32602, "region"),
		order("row 26 no plain value", `{"region":["eu"]}`).want(200, -32602, "region"),
		order("row 26 no plain value, and a header", `{"region":{"a":1}}`, region).want(400, -32020, "not there"),
		order("row 26 a wrong type", `{"region":7}`).want(400, -32020, "missing"),
		order("row 26 a wrong type that is repeated", `{"region":7}`, "Mcp-Param-Region: 7").want(200, -32602, "region"),
		order("row 29 twice", eu, region, region).want(400, -32020, "more than once"),
		order("row 28 unknown", eu, region, "Mcp-Param-Other: x").want(200, 0, ""),
		order("row 23 base64", `{"region":"Київ"}`, "Mcp-Param-Region: =?base64?0JrQuNGX0LI=?=").want(200, 0, ""),
		order("row 23 base64 of what needs none", eu, "Mcp-Param-Region: =?base64?ZXU=?=").want(200, 0, ""),
		order("row 23 the marks themselves", `{"region":"=?base64?x?="}`, "Mcp-Param-Region: =?base64?PT9iYXNlNjQ/eD89?=").want(200, 0, ""),
		order("row 23 bad base64", eu, "Mcp-Param-Region: =?base64?ZXU?=").want(400, -32020, "not valid base64"),
		order("row 23 another text in base64", eu, "Mcp-Param-Region: =?base64?dXM=?=").want(400, -32020, differs),
		order("row 26 characters that need base64", `{"region":"é"}`, "Mcp-Param-Region: é").want(400, -32020, "need base64"),
		order("row 26 escapes", `{"region":"\u0065u"}`, region).want(200, 0, ""),
		order("nested", part("42"), region, "Mcp-Param-Count: 42").want(200, 0, ""),
		order("nested, missing", part("42"), region).want(400, -32020, "Mcp-Param-Count is missing"),
		order("nested, differs", part("42"), region, "Mcp-Param-Count: 43").want(400, -32020, differs),
		order("nested below null", `{"region":"eu","part":null}`, region).want(200, -32602, "part"),
		order("nested below a list", `{"region":"eu","part":[1]}`, region).want(200, -32602, "part"),
		order("row 26 numbers compare as such", part("42"), region, "Mcp-Param-Count: 42.0").want(200, 0, ""),
		order("row 26 in the body too", part("4.2e1"), region, "Mcp-Param-Count: 42").want(200, 0, ""),
		order("row 26 minus", part("-7"), region, "Mcp-Param-Count: -7").want(200, 0, ""),
		order("row 25 the largest integer", part("9007199254740991"), region, "Mcp-Param-Count: 9007199254740991").want(200, 0, ""),
		order("row 25 beyond it", part("9007199254740993"), region, "Mcp-Param-Count: 9007199254740993").want(400, -32020, differs),
		order("row 26 no decimal number", part("16"), region, "Mcp-Param-Count: 0x10").want(400, -32020, differs),
		order("row 26 infinite", part("16"), region, "Mcp-Param-Count: inf").want(400, -32020, differs),
		order("row 26 a fraction", part("1.5"), region, "Mcp-Param-Count: 1.5").want(400, -32020, differs),
		order("a boolean", `{"region":"eu","part":{"sharp":true}}`, region, "Mcp-Param-Is-Sharp: true").want(200, 0, ""),
		order("a boolean that differs", `{"region":"eu","part":{"sharp":true}}`, region, "Mcp-Param-Is-Sharp: false").want(400, -32020, differs),
		order("a boolean as a number", `{"region":"eu","part":{"sharp":true}}`, region, "Mcp-Param-Is-Sharp: 1").want(400, -32020, differs),
	} {
		r.run(t, p)
	}
	legacy := p.legacyCall("2025-11-25", "Workshop.order", eu) // which knows no such headers
	if legacy.Code != 200 || !strings.Contains(legacy.Body.String(), `"result":"eu"`) {
		t.Errorf("%d %s", legacy.Code, legacy.Body)
	}
}

// mcp row 27: an empty header is there all the same.
func TestEmptyMirror(t *testing.T) {
	p := mount(t, setup{services: []any{workshop()}})
	body, headers := modern("tools/call", `"name":"Workshop.order","arguments":{"region":""}`, "Mcp-Name: Workshop.order")
	for want, present := range map[string]bool{`"result":""`: true, "Mcp-Param-Region is missing": false} {
		r := replayOf(body)
		for _, line := range headers {
			name, value, _ := strings.Cut(line, ": ")
			r.r.Header.Set(name, value)
		}
		if present {
			r.r.Header.Set("Mcp-Param-Region", "")
		}
		w := r.recorded(p)
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%d %s, want %s", w.Code, w.Body, want)
		}
	}
}

// The schema tells clients of 2026-07-28, and only them, in every profile.
func TestMirrorsInSchemas(t *testing.T) { // mcp row 25
	p := mount(t, setup{services: []any{workshop()}})
	body, headers := modern("tools/list", "")
	for _, profile := range mcp.Profiles() {
		got := p.postTo("/mcp?profile="+string(profile), body, headers...).Body.String()
		for _, want := range []string{
			`"region":{"type":"string","x-mcp-header":"Region"}`,
			`"count":{"type":"integer","format":"int64","x-mcp-header":"Count"}`,
			`"sharp":{"type":"boolean","x-mcp-header":"Is-Sharp"}`,
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %s in %s", profile, want, got)
			}
		}
	}
	if got := p.post(listTools, p.begin("2025-11-25")...).Body.String(); strings.Contains(got, "x-mcp-header") {
		t.Errorf("2025-11-25: %s", got)
	}
}

// R-S05: a tool that the caller may not see has no headers either.
func TestMirrorsOfHiddenTool(t *testing.T) {
	hidden := workshop()
	hidden.Methods[1].Scopes = []string{"orders"}
	p := mount(t, setup{services: []any{hidden}})
	answers := map[string]string{}
	for _, tool := range []string{"Workshop.order", "Workshop.never"} {
		body, headers := modern("tools/call", `"name":"`+tool+`","arguments":{"region":"eu"}`, "Mcp-Name: "+tool)
		w := p.post(body, headers...)
		answers[tool] = fmt.Sprint(w.Code, strings.ReplaceAll(w.Body.String(), tool, "X"))
	}
	if answers["Workshop.order"] != answers["Workshop.never"] {
		t.Errorf("%v", answers)
	}
}

// mirrored is a method whose params are T.
func mirrored[T any]() rpc.Service {
	return rpc.Service{Name: "S", Groups: []string{"mcp"}, Methods: []rpc.Method{{Name: "m", Func: func(T) {}}}}
}

type Below struct {
	Zone string `json:"zone" mcp:"header=Zone"`
}

// mcp row 25: a tool that clients would drop because of a header does not
// mount.
func TestMirrorFaults(t *testing.T) {
	for want, service := range map[string]rpc.Service{
		`the tag mcp:"Header=X"; write mcp:"header=Name"`: mirrored[struct {
			A string `json:"a" mcp:"Header=X"`
		}](),
		`asks for the header "", which is no name`: mirrored[struct {
			A string `json:"a" mcp:"header="`
		}](),
		`asks for the header "a b", which is no name`: mirrored[struct {
			A string `json:"a" mcp:"header=a b"`
		}](),
		`asks for the header "é", which is no name`: mirrored[struct {
			A string `json:"a" mcp:"header=é"`
		}](),
		"b asks for the header region, which another one has": mirrored[struct {
			A string `json:"a" mcp:"header=Region"`
			B string `json:"b" mcp:"header=region"`
		}](),
		"a asks for the header X, but only plain strings, integers and booleans": mirrored[struct {
			A float64 `json:"a" mcp:"header=X"`
		}](),
		"a asks for the header Y, but only plain": mirrored[struct {
			A *string `json:"a" mcp:"header=Y"`
		}](),
		"a asks for the header Z, but only plain": mirrored[struct {
			A []string `json:"a" mcp:"header=Z"`
		}](),
		"the field Zone asks for the header Zone, but clients find none below a list, a map or a named type": mirrored[struct {
			A []Below `json:"a" validate:"dive"`
		}](),
		"the field Zone asks for the header Zone": mirrored[struct {
			A Below `json:"a"`
		}](),
	} {
		registry, err := rpc.NewRegistry(rpc.App{Name: "x", Version: "1", Title: "X"}, service)
		if err != nil {
			t.Fatal(want, err)
		}
		exec, err := rpc.NewExecutor(registry, rpc.Options{})
		if err != nil {
			t.Fatal(err)
		}
		err = guard.Mount(gin.New(), exec, guard.Policy{Open: true}, mcp.Edge{})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "S.m of group mcp") {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
