package manifest_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/transport/mcp/manifest"
	"github.com/go-json-experiment/json"
)

var update = flag.Bool("update", false, "write the golden files in testdata anew")

// tea is a server that wants a token, open one that wants none.
var (
	tea = manifest.Server{
		Name: "tea", Title: "Tea shop", Description: "Sells tea.",
		URL: "https://shop.example/mcp?profile=claude", Token: "TEA_TOKEN",
	}
	open = manifest.Server{Name: "open-1", Title: "Open", URL: "http://10.0.0.7:8080/mcp"}
)

// entry is what a client reads from its configuration: where, and which
// header it sends after it has put in what it reads or asks for.
type entry struct{ url, authorization string }

// clients are the formats, each read as its client does.
var clients = []struct {
	name  string
	write func(manifest.Server) []byte
	read  func(t *testing.T, doc []byte, server string) entry
}{
	{"claude", manifest.Claude, func(t *testing.T, doc []byte, server string) entry {
		e := remote(t, doc, "mcpServers", server)
		only(t, e, "type", "url", "headers")
		if e["type"] != "http" {
			t.Errorf("type %v; without http Claude Code takes the server for a program", e["type"])
		}
		return entry{e["url"].(string), expand(e, `\$\{([A-Z_]+)\}`)}
	}},
	{"claude-desktop", manifest.ClaudeDesktop, claudeDesktop},
	{"cursor", manifest.Cursor, func(t *testing.T, doc []byte, server string) entry {
		e := remote(t, doc, "mcpServers", server)
		only(t, e, "url", "headers")
		return entry{e["url"].(string), expand(e, `\$\{env:([A-Z_]+)\}`)}
	}},
	{"vscode", manifest.VSCode, vscode},
	{"gemini", manifest.Gemini, func(t *testing.T, doc []byte, server string) entry {
		e := remote(t, doc, "mcpServers", server)
		only(t, e, "httpUrl", "headers") // type is refused by some versions
		return entry{e["httpUrl"].(string), expand(e, `\$\{?([A-Z_]+)\}?`)}
	}},
	{"openai", manifest.OpenAI, openAI},
	{"codex", manifest.Codex, codex},
	{"windsurf", manifest.Windsurf, func(t *testing.T, doc []byte, server string) entry {
		e := remote(t, doc, "mcpServers", server)
		only(t, e, "serverUrl", "headers")
		return entry{e["serverUrl"].(string), expand(e, `\$\{env:([A-Z_]+)\}`)}
	}},
	{"zed", manifest.Zed, func(t *testing.T, doc []byte, server string) entry {
		e := remote(t, doc, "context_servers", server)
		only(t, e, "url", "headers")
		return entry{e["url"].(string), expand(e, `YOUR_([A-Z_]+)`)}
	}},
}

// R-M16: each manifest, read as its client reads it, leads to the server with
// the header that it wants.
func TestManifests(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			if got, want := c.read(t, c.write(tea), "tea"), (entry{tea.URL, "Bearer <TEA_TOKEN>"}); got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if got, want := c.read(t, c.write(open), "open-1"), (entry{open.URL, ""}); got != want {
				t.Errorf("without a token: got %+v\nwant %+v", got, want)
			}
			if doc := string(c.write(open)); regexp.MustCompile(`(?i)token|authorization|bearer`).MatchString(doc) {
				t.Errorf("a token where none is wanted: %s", doc)
			}
		})
	}
}

// TestGolden holds every byte, and the commands.
func TestGolden(t *testing.T) {
	var all strings.Builder
	for _, s := range []manifest.Server{tea, open} {
		for _, c := range clients {
			all.WriteString("-- " + c.name + " " + s.Name + " --\n" + string(c.write(s)))
		}
		for _, command := range []func(manifest.Server) string{manifest.ClaudeCommand, manifest.CodexCommand, manifest.GeminiCommand} {
			all.WriteString("-- command --\n" + command(s) + "\n")
		}
	}
	file := filepath.Join("testdata", "manifests.txt")
	if *update {
		if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if all.String() != string(want) {
		t.Errorf("got:\n%s", all.String())
	}
}

// remote reads the one server of a configuration. JSON is JSONC too.
func remote(t *testing.T, doc []byte, key, server string) map[string]any {
	t.Helper()
	var all map[string]map[string]map[string]any
	if err := json.Unmarshal(doc, &all); err != nil {
		t.Fatalf("%v: %s", err, doc)
	}
	if len(all) != 1 || len(all[key]) != 1 || all[key][server] == nil {
		t.Fatalf("not one server %s in %s: %s", server, key, doc)
	}
	return all[key][server]
}

// only: a client may refuse members that it does not know.
func only(t *testing.T, e map[string]any, known ...string) {
	t.Helper()
	for name := range e {
		if !strings.Contains(" "+strings.Join(known, " ")+" ", " "+name+" ") {
			t.Errorf("the client does not know %s", name)
		}
	}
}

// expand is the header after the client has put the value of the variable in.
func expand(e map[string]any, variable string) string {
	headers, _ := e["headers"].(map[string]any)
	value, _ := headers["Authorization"].(string)
	return regexp.MustCompile(variable).ReplaceAllString(value, "<$1>")
}

// claudeDesktop reads the arguments as mcp-remote does: the URL, options, and
// headers whose ${NAME} come from the environment.
func claudeDesktop(t *testing.T, doc []byte, server string) entry {
	e := remote(t, doc, "mcpServers", server)
	only(t, e, "command", "args", "env")
	env, _ := e["env"].(map[string]any)
	args := e["args"].([]any)
	if e["command"] != "npx" || len(args) < 3 || args[0] != "-y" || args[1] != "mcp-remote" {
		t.Fatalf("not mcp-remote: %v", e)
	}
	got := entry{url: args[2].(string)}
	insecure := false
	for i := 3; i < len(args); i++ {
		switch arg := args[i].(string); arg {
		case "--allow-http":
			insecure = true
		case "--transport":
			i++
		case "--header":
			i++
			header := regexp.MustCompile(`\$\{([A-Z_]+)\}`).ReplaceAllStringFunc(args[i].(string), func(v string) string {
				return env[v[2:len(v)-1]].(string)
			})
			if strings.Contains(args[i].(string), " ") {
				t.Errorf("a space in %q, which Claude Desktop for Windows does not quote", args[i])
			}
			got.authorization = regexp.MustCompile(`YOUR_([A-Z_]+)`).ReplaceAllString(strings.TrimPrefix(header, "Authorization:"), "<$1>")
		default:
			t.Errorf("mcp-remote does not know %s", arg)
		}
	}
	if strings.HasPrefix(got.url, "http:") && !insecure {
		t.Errorf("mcp-remote refuses %s without --allow-http", got.url)
	}
	return got
}

// vscode reads inputs, for which VS Code asks, and servers.
func vscode(t *testing.T, doc []byte, server string) entry {
	var all struct {
		Inputs []struct {
			Type, ID, Description string
			Password              bool
		}
		Servers map[string]map[string]any
	}
	if err := json.Unmarshal(doc, &all, json.RejectUnknownMembers(true), json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatalf("%v: %s", err, doc)
	}
	e := all.Servers[server]
	only(t, e, "type", "url", "headers")
	if len(all.Servers) != 1 || e["type"] != "http" {
		t.Fatalf("%v", all.Servers)
	}
	got := entry{url: e["url"].(string)}
	header := expand(e, `\$\{input:([a-z0-9-]+)\}`)
	for _, in := range all.Inputs {
		if in.Type != "promptString" || !in.Password || in.Description == "" {
			t.Errorf("%+v", in)
		}
		if strings.Contains(header, "<"+in.ID+">") {
			got.authorization = strings.Replace(header, in.ID, "TEA_TOKEN", 1)
		}
	}
	return got
}

func openAI(t *testing.T, doc []byte, server string) entry {
	var e map[string]any
	if err := json.Unmarshal(doc, &e); err != nil {
		t.Fatal(err)
	}
	only(t, e, "type", "server_label", "server_description", "server_url", "authorization", "require_approval")
	never, _ := e["require_approval"].(map[string]any)["never"].(map[string]any)
	if e["type"] != "mcp" || e["server_label"] != server || never["read_only"] != true {
		t.Errorf("%s", doc)
	}
	got := entry{url: e["server_url"].(string)}
	if token, ok := e["authorization"].(string); ok { // OpenAI writes Bearer itself
		got.authorization = "Bearer " + regexp.MustCompile(`YOUR_([A-Z_]+)`).ReplaceAllString(token, "<$1>")
	}
	return got
}

// codex reads the part of TOML that a manifest has: one table, and keys with
// basic strings.
func codex(t *testing.T, doc []byte, server string) entry {
	table, values := "", map[string]string{}
	for line := range strings.Lines(string(doc)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			table = strings.TrimSuffix(name, "]")
			continue
		}
		key, value, ok := strings.Cut(line, " = ")
		text, err := strconv.Unquote(value)
		if !ok || err != nil || values[key] != "" {
			t.Fatalf("not TOML: %s", line)
		}
		values[key] = text
	}
	if !regexp.MustCompile(`^mcp_servers\.[A-Za-z0-9_-]+$`).MatchString(table) || table != "mcp_servers."+server {
		t.Errorf("table %q", table)
	}
	got := entry{url: values["url"]}
	if v := values["bearer_token_env_var"]; v != "" {
		got.authorization = "Bearer <" + v + ">"
	}
	delete(values, "url")
	delete(values, "bearer_token_env_var")
	if len(values) > 0 {
		t.Errorf("Codex does not know %v", values)
	}
	return got
}
