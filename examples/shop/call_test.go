package main_test

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// console runs shop call with args, and in as its standard input.
func console(t *testing.T, in string, args ...string) (out, problems string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), binary, append([]string{"call"}, args...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(in), &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// The console has the methods, the checks, the languages and the errors of the
// other edges, since they come from the executor.
func TestConsole(t *testing.T) {
	const search = `{"jsonrpc":"2.0","id":1,"method":"Catalog.search","params":{"query":"tea","limit":1}}`
	const product = `{"jsonrpc":"2.0","method":"Catalog.product","params":["TEA-01"]}`
	for _, c := range []struct {
		name, in     string
		args         []string
		code         int
		out, problem string // parts
	}{
		{"a call", "", []string{"Catalog.search", `{"query":"tea","limit":1}`}, 0, `{"products":[{"sku":"POT-01"`, ""},
		{"by position", "", []string{"Catalog.product", `["TEA-01"]`}, 0, `{"sku":"TEA-01"`, ""},
		{"another version", "", []string{"-version", "2", "Catalog.find", `{"inStock":true,"sort":"cheapest"}`}, 0, `"sku"`, ""},
		{"no such method", "", []string{"Catalog.nope"}, 3, "", `{"code":-32601,`},
		{"a method of another group", "", []string{"-group", "mcp", "Catalog.nope"}, 3, "", `{"code":-32601,`},
		{"wrong parameters", "", []string{"-language", "uk-UA", "Catalog.search", `{"limit":0}`}, 3, "", `Неправильні параметри`},
		{"the method fails", "", []string{"Catalog.product", `["TEA-99"]`}, 1, "", `{"code":-32404,`},
		{"parameters that are no object", "", []string{"Catalog.search", `5`}, 2, "", `must be a JSON object or array`},
		{"parameters that are no JSON", "", []string{"Catalog.search", `{`}, 2, "", `must be a JSON object or array`},
		{"a callback", "", []string{"Catalog.search", `{"query":"tea","$rpc":{"callback":"https://example.com/"}}`}, 1, "", `{"code":-32300,`},
		{"too much", "", []string{"Catalog.search", `{}`, "more"}, 2, "", `"more" is too much`},
		{"no such version", "", []string{"-version", "9", "x"}, 2, "", `no version 9 of group default`},
		{"no such flag", "", []string{"-nope"}, 2, "", `flag provided but not defined`},
		{"help", "", []string{"-help"}, 0, "", `usage: shop call`},
		{"a request", search, nil, 0, `{"jsonrpc":"2.0","id":1,"result":{"products":[`, ""},
		{"a notification", product, nil, 0, "", ""},
		{"requests", "[" + search + "," + strings.Replace(search, "search", "nope", 1) + "]", nil, 3, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,`, ""},
		{"no requests", "[]", nil, 0, "", ""},
		{"no JSON", search + "x", nil, 2, "", `is no JSON-RPC`},
		{"another protocol", `{"jsonrpc":"1.0","id":1,"method":"Catalog.search"}`, nil, 2, "", `request 1 is no JSON-RPC 2.0`},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, problems, code := console(t, c.in, c.args...)
			if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(problems, c.problem) || (c.out == "") != (out == "") || (c.problem == "") != (problems == "") {
				t.Errorf("exit %d, want %d\n%s%s", code, c.code, out, problems)
			}
		})
	}
}
