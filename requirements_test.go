package facet_test

import (
	"bufio"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	requirementRow  = regexp.MustCompile(`^\| ([A-Z]\d\d) \| (\w+) \| (.*) \| (.*)\|$`)
	requirementMark = regexp.MustCompile(`\bR-([A-Z]\d\d)\b`)
)

// TestRequirements holds docs/requirements.md against the tests.
func TestRequirements(t *testing.T) {
	states := requirementStates(t)
	named := requirementsNamed(t)
	for id, state := range states {
		if state == "done" && named[id] == "" {
			t.Errorf("docs/requirements.md calls %s done, but no test names it; write the test, or say what is missing", id)
		}
	}
	for id, file := range named {
		if states[id] == "" {
			t.Errorf("%s names requirement %s, which docs/requirements.md does not have", file, id)
		}
	}
	if len(states) < 60 {
		t.Errorf("docs/requirements.md has only %d lines: %v", len(states), slices.Sorted(maps.Keys(states)))
	}
}

// requirementStates reads the tables.
func requirementStates(t *testing.T) map[string]string {
	t.Helper()
	file, err := os.Open("docs/requirements.md")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out := map[string]string{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		m := requirementRow.FindStringSubmatch(lines.Text())
		if m == nil {
			if strings.HasPrefix(lines.Text(), "| ") && !strings.HasPrefix(lines.Text(), "| line ") {
				t.Errorf("docs/requirements.md: not a row of line, state, what holds, missing: %s", lines.Text())
			}
			continue
		}
		id, state, missing := m[1], m[2], strings.TrimSpace(m[4])
		if out[id] != "" {
			t.Errorf("docs/requirements.md has %s twice", id)
		}
		switch {
		case state != "done" && state != "part" && state != "planned":
			t.Errorf("docs/requirements.md: %s is %q; it is done, part or planned", id, state)
		case (state == "part") != (missing != ""):
			t.Errorf("docs/requirements.md: %s is %s with %q missing; only a part says what is missing", id, state, missing)
		}
		out[id] = state
	}
	return out
}

// requirementsNamed finds the marks in tests, with a file each.
func requirementsNamed(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if p != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(p)
		for _, m := range requirementMark.FindAllStringSubmatch(string(text), -1) {
			out[m[1]] = p
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
