package manifest

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// servers is the form that most clients share: mcpServers, by name.
type servers[T any] struct {
	Servers map[string]T `json:"mcpServers"`
}

func named[T any](s Server, entry T) []byte {
	return pretty(servers[T]{map[string]T{s.Name: entry}})
}

// remote is an entry of most clients; each has one of the three members for
// the URL.
type remote struct {
	Type      string            `json:"type,omitempty"`
	URL       string            `json:"url,omitempty"`
	HTTPURL   string            `json:"httpUrl,omitempty"`
	ServerURL string            `json:"serverUrl,omitempty"`
	Headers   map[string]string `json:"headers,omitempty"`
}

// Claude is .mcp.json of a project for Claude Code, which reads environment
// variables written ${NAME}.
func Claude(s Server) []byte {
	return named(s, remote{Type: "http", URL: s.URL, Headers: s.headers("${", "}")})
}

// ClaudeDesktop is claude_desktop_config.json. That file takes programs only,
// so mcp-remote, which npx fetches, speaks to the server. There is no space
// in its argument for the header: Claude Desktop for Windows does not quote
// them.
func ClaudeDesktop(s Server) []byte {
	type program struct {
		Command string            `json:"command"`
		Args    []string          `json:"args"`
		Env     map[string]string `json:"env,omitempty"`
	}
	p := program{Command: "npx", Args: []string{"-y", "mcp-remote", s.URL, "--transport", "http-only"}}
	if s.plain() {
		p.Args = append(p.Args, "--allow-http")
	}
	if s.Token != "" {
		p.Args = append(p.Args, "--header", "Authorization:${AUTH_HEADER}")
		p.Env = map[string]string{"AUTH_HEADER": "Bearer " + s.placeholder()}
	}
	return named(s, p)
}

// Cursor is .cursor/mcp.json, which reads environment variables written
// ${env:NAME}.
func Cursor(s Server) []byte {
	return named(s, remote{URL: s.URL, Headers: s.headers("${env:", "}")})
}

// VSCode is .vscode/mcp.json. VS Code asks for the token once and keeps it
// among its secrets.
func VSCode(s Server) []byte {
	type input struct {
		Type        string `json:"type"`
		ID          string `json:"id"`
		Description string `json:"description"`
		Password    bool   `json:"password"`
	}
	doc := struct {
		Inputs  []input           `json:"inputs,omitempty"`
		Servers map[string]remote `json:"servers"`
	}{Servers: map[string]remote{}}
	entry := remote{Type: "http", URL: s.URL}
	if s.Token != "" {
		id := s.Name + "-token"
		doc.Inputs = []input{{"promptString", id, "Token of " + s.Title, true}}
		entry.Headers = map[string]string{"Authorization": "Bearer ${input:" + id + "}"}
	}
	doc.Servers[s.Name] = entry
	return pretty(doc)
}

// Gemini is .gemini/settings.json, which reads environment variables written
// $NAME. The member httpUrl is read by all versions; some refuse type
// (google-gemini/gemini-cli#13803).
func Gemini(s Server) []byte {
	return named(s, remote{HTTPURL: s.URL, Headers: s.headers("${", "}")})
}

// OpenAI is an entry of tools in a request of the Responses API. What the
// server calls read-only needs no approval.
func OpenAI(s Server) []byte {
	doc := struct {
		Type          string                     `json:"type"`
		Label         string                     `json:"server_label"`
		Description   string                     `json:"server_description,omitempty"`
		URL           string                     `json:"server_url"`
		Authorization string                     `json:"authorization,omitempty"`
		Approval      map[string]map[string]bool `json:"require_approval"`
	}{
		Type: "mcp", Label: s.Name, Description: s.Description, URL: s.URL,
		Approval: map[string]map[string]bool{"never": {"read_only": true}},
	}
	if s.Token != "" {
		doc.Authorization = s.placeholder()
	}
	return pretty(doc)
}

// Codex is a part of ~/.codex/config.toml. Codex reads the token from the
// environment; it ignores headers and refuses a token in the file.
func Codex(s Server) []byte {
	var b strings.Builder
	b.WriteString("[mcp_servers." + s.Name + "]\nurl = " + basic(s.URL) + "\n")
	if s.Token != "" {
		b.WriteString("bearer_token_env_var = " + basic(s.Token) + "\n")
	}
	return []byte(b.String())
}

// basic is a basic string of TOML, whose escapes are those of JSON, but for
// DEL, which is never in a URL or a variable's name.
func basic(s string) string {
	out, _ := jsontext.AppendQuote(nil, s) // invalid UTF-8 becomes U+FFFD
	return string(out)
}

// Windsurf is ~/.codeium/windsurf/mcp_config.json, which reads environment
// variables written ${env:NAME}.
func Windsurf(s Server) []byte {
	return named(s, remote{ServerURL: s.URL, Headers: s.headers("${env:", "}")})
}

// Zed is a part of Zed's settings.json. Zed reads no environment variables
// there; without the header it begins OAuth.
func Zed(s Server) []byte {
	entry := remote{URL: s.URL}
	if s.Token != "" {
		entry.Headers = map[string]string{"Authorization": "Bearer " + s.placeholder()}
	}
	return pretty(struct {
		Servers map[string]remote `json:"context_servers"`
	}{map[string]remote{s.Name: entry}})
}
