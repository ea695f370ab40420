package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestTableOfCodes: the table of errors.md has every kind of the framework.
func TestTableOfCodes(t *testing.T) {
	source, err := os.ReadFile("../errors/code.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("errors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "## Codes")
	code := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\t(Code\w+)\s+= (-\d+)`).FindAllStringSubmatch(string(source), -1) {
		code[m[1]] = m[2]
	}
	kinds := regexp.MustCompile(`builtin\((Code\w+), "(\w+)"`).FindAllStringSubmatch(string(source), -1)
	if len(kinds) < 15 {
		t.Fatalf("only %d kinds found in code.go", len(kinds))
	}
	for _, m := range kinds {
		if !regexp.MustCompile(`(?m)^\| ` + code[m[1]] + ` \|[^|]*\b` + m[2] + `\b`).MatchString(table) {
			t.Errorf("the table of codes in errors.md does not say %s with kind %s", code[m[1]], m[2])
		}
	}
}
