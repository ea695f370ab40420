package docs_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/lock"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json"
)

// A block that a program serves stands below <!-- served PATH -->, a line of
// the index of manifests below <!-- command CLIENT -->, and the table of
// clients below <!-- clients -->.
var (
	served  = regexp.MustCompile("(?m)^<!-- served ([^ ]+) -->\n```(\\w+)\n((?s:.*?))^```$")
	command = regexp.MustCompile("(?m)^<!-- command ([^>]+) -->\n```sh\n((?s:.*?))^```$")
	table   = regexp.MustCompile("(?m)^<!-- clients -->\n((?:\\|.*\n)*)")
	address = regexp.MustCompile(`http://127\.0\.0\.1:8080(/[a-z0-9/.-]*)`)
)

// TestMCPPage: what the page shows is what the shop serves.
func TestMCPPage(t *testing.T) {
	h := shopTools(t)
	raw, err := os.ReadFile("mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := indexOf(t, h)
	page := served.ReplaceAllStringFunc(string(raw), func(b string) string {
		m := served.FindStringSubmatch(b)
		return "<!-- served " + m[1] + " -->\n```" + m[2] + "\n" + fetch(t, h, m[1]) + "```"
	})
	page = command.ReplaceAllStringFunc(page, func(b string) string {
		m := command.FindStringSubmatch(b)
		if commands[m[1]] == "" {
			t.Errorf("the index has no command for %s", m[1])
		}
		return "<!-- command " + m[1] + " -->\n```sh\n" + commands[m[1]] + "\n```"
	})
	page = table.ReplaceAllLiteralString(page, "<!-- clients -->\n"+clientTable())
	if page != string(raw) {
		if !*update {
			t.Error("mcp.md does not show what the shop serves; run go test ./docs -update")
		} else if err := os.WriteFile("mcp.md", []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range address.FindAllStringSubmatch(page, -1) {
		if m[1] != "/mcp" && m[1] != "" {
			fetch(t, h, m[1])
		}
	}
	if n := len(served.FindAllString(page, -1)); n < 9 {
		t.Errorf("only %d configurations are on the page", n)
	}
}

// TestOpenAICommand: the request that the page builds from the manifest is one.
func TestOpenAICommand(t *testing.T) {
	raw, err := os.ReadFile("mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```sh\n(curl https://api.openai.com.*?)```").FindSubmatch(raw)
	if block == nil {
		t.Fatal("there is no request to OpenAI on the page")
	}
	dir := t.TempDir()
	manifest := filepath.Join(dir, "openai.json")
	if err := os.WriteFile(manifest, []byte(fetch(t, shopTools(t), "/mcp/manifest/openai.json")), 0o600); err != nil {
		t.Fatal(err)
	}
	// curl is a function that answers with the manifest, or prints the body.
	script := "curl() { case $1 in -s) cat " + manifest + ";; *) while [ $# -gt 1 ]; do shift; done; printf %s \"$1\";; esac; }\n" +
		"SHOP_TOKEN=s3cret OPENAI_API_KEY=key\n" + string(block[1])
	out, err := exec.CommandContext(t.Context(), "sh", "-euc", script).CombinedOutput()
	if err != nil {
		t.Fatalf("%v %s", err, out)
	}
	var body struct {
		Model, Input string
		Tools        []struct {
			Type          string
			ServerURL     string `json:"server_url"`
			Authorization string
		}
	}
	if err := json.Unmarshal(out, &body, json.MatchCaseInsensitiveNames(true)); err != nil || len(body.Tools) != 1 {
		t.Fatalf("%v %s", err, out)
	}
	if x := body.Tools[0]; body.Model == "" || x.Type != "mcp" || x.Authorization != "s3cret" || !strings.HasSuffix(x.ServerURL, "/mcp?profile=openai") {
		t.Errorf("%s", out)
	}
}

// shopTools is the shop as it is started without options, at 127.0.0.1:8080.
func shopTools(t *testing.T) http.Handler {
	t.Helper()
	registry, err := rpc.NewRegistry(shop.App(), shop.Services(shop.NewStore(nil))...)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := cache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	exec, err := rpc.NewExecutor(registry, rpc.Options{Store: pool, Records: pool, Locker: new(lock.Local)})
	if err != nil {
		t.Fatal(err)
	}
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	policy := guard.Policy{Tokens: []guard.Token{{Secret: "s3cret", Caller: rpc.Caller{Groups: []string{rpc.AnyGroup}}}}}
	if err := guard.Mount(engine, exec, policy, mcp.Edge{}, mcp.Edge{Path: "/mcp/internal", Group: "internal"}); err != nil {
		t.Fatal(err)
	}
	return engine
}

func fetch(t *testing.T, h http.Handler, path string) string {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = "127.0.0.1:8080"
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Errorf("GET %s: %d %s", path, w.Code, w.Body)
	}
	return w.Body.String()
}

// indexOf is the commands in the index of manifests, by client.
func indexOf(t *testing.T, h http.Handler) map[string]string {
	t.Helper()
	var index struct {
		Manifests []struct{ Client, Command string }
	}
	if err := json.Unmarshal([]byte(fetch(t, h, "/mcp/manifest")), &index, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, m := range index.Manifests {
		out[m.Client] = m.Command
	}
	return out
}

// clientTable is which client needs what, and why.
func clientTable() string {
	var b strings.Builder
	b.WriteString("| client | profile | needs | because else | told in |\n|---|---|---|---|---|\n")
	for _, c := range mcp.Clients() {
		title, profile := c.Title, "`"+string(c.Profile)+"`"
		for _, n := range c.Needs {
			repository, number, _ := strings.Cut(n.Issue, "#")
			b.WriteString("| " + title + " | " + profile + " | " + n.Setting + " | " + n.Why +
				" | [" + n.Issue + "](https://github.com/" + repository + "/issues/" + number + ") |\n")
			title, profile = "", ""
		}
	}
	return b.String()
}
