package pagetest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/facet-rpc/facet/transport/guard"
)

// R-O03: what the page gives to copy runs as it is, with the token in the
// environment.
func TestSnippets(t *testing.T) {
	site := openShop(t)
	b := newTab(t, 1280, 900)
	b.open(site, "?d=v2#Catalog.find")
	snippet := func(tab string) string {
		b.click(".code-tabs button", tab)
		b.until("[...document.querySelectorAll('.code-tabs [aria-selected=true]')].some(e => e.innerText === '" + tab + "')")
		code := eval[string](b, "document.querySelector('.method-side pre').textContent")
		if strings.Contains(code, secret) {
			t.Errorf("the token is in the %s snippet", tab)
		}
		return code
	}
	b.click(".tabs button", "Try it")
	b.click(".segments button", "JSON")
	eval[bool](b, `(e => (e.value = '{"query": "it\'s \\"green\\" $HOME", "limit": 3}', e.dispatchEvent(new Event('input')), true))(document.querySelector('.editor'))`)
	for _, row := range []struct{ tab, file, command, want string }{
		{"curl", "call.sh", "sh", `"items":[]`},
		{"MCP", "tool.sh", "sh", `"isError":false`},
		{"TypeScript", "call.mts", "node", "total: 0"},
		{"Go", "main.go", "go run", "total:0"},
	} {
		t.Run(row.tab, func(t *testing.T) {
			if out := runSnippet(t, row.command, row.file, snippet(row.tab)); !strings.Contains(out, row.want) {
				t.Errorf("%s\nanswers\n%s\nwithout %s", snippet(row.tab), out, row.want)
			}
		})
	}
	b.quiet(site, refusedLoad)
}

// A call that needs a token says so also to who reads without one.
func TestSnippetWithoutToken(t *testing.T) {
	site := shopFor(t, guard.ForAll)
	b := newTab(t, 1280, 900)
	b.run(chromedp.Navigate(site + "/openrpc/ui?d=v2#Catalog.find"))
	b.until("document.querySelector('.method-side pre') !== null")
	if code := eval[string](b, "document.querySelector('.method-side pre').textContent"); !strings.Contains(code, `"Authorization: Bearer $TOKEN"`) {
		t.Error(code)
	}
	b.quiet(site)
}

// runSnippet runs code with a program that must be there.
func runSnippet(t *testing.T, command, file, code string) string {
	t.Helper()
	words := strings.Fields(command)
	if words[0] == "node" {
		findNode(t)
	}
	path := filepath.Join(t.TempDir(), file)
	if err := os.WriteFile(path, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], path)...)
	cmd.Env = append(os.Environ(), "TOKEN="+secret)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s\n%s", command, err, code, out)
	}
	return string(out)
}

// findNode wants a Node that runs TypeScript as it is: 22.18 or newer.
func findNode(t *testing.T) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "node", "-p", "process.versions.node").Output()
	parts := strings.SplitN(strings.TrimSpace(string(out)), ".", 3)
	if err == nil && len(parts) == 3 {
		major, _ := strconv.Atoi(parts[0])
		minor, _ := strconv.Atoi(parts[1])
		if major > 22 || major == 22 && minor >= 18 {
			return
		}
	}
	const missing = "there is no node of version 22.18 or newer; install it with npm install node@22"
	if os.Getenv("FACET_CI") == "1" {
		t.Fatal(missing)
	}
	t.Skip(missing)
}
