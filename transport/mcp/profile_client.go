package mcp

import (
	"fmt"
	"strings"

	"github.com/facet-rpc/facet/transport/mcp/manifest"
)

// Client is a program that uses tools, and what it needs.
type Client struct {
	// Name is that of its manifest without the extension, such as claude.
	Name string
	// Title is the name that people read.
	Title string
	// Profile gives the client what it needs; its manifest asks for it.
	Profile Profile
	// Needs are what the client does not take otherwise, and why.
	Needs []Need

	file    string                       // where its configuration stands
	ext     string                       // of the manifest: json or toml; empty: there is none
	write   func(manifest.Server) []byte // the manifest
	command func(manifest.Server) string // a line that does the same; nil: there is none
}

// Need is one thing that a client does not take otherwise.
type Need struct {
	// Setting is what the client's profile sets for it.
	Setting string
	// Why is what happens without.
	Why string
	// Issue is the public issue that tells of it, such as openai/codex#8174.
	Issue string

	warning bool                // the client works, but worse
	mend    string              // what to do when no profile helps
	broken  func(listed) string // what is wrong with a tool; empty: nothing
	all     func(edge) string   // the same of the list as a whole
}

// told is a need with another reason and issue.
func (n Need) told(why, issue string) Need {
	n.Why, n.Issue = why, issue
	return n
}

// Clients are the clients that are known, with what each does not take. Those
// that let their users choose the model need what any model's API does.
func Clients() []Client {
	dots := needNames("[a-zA-Z0-9_-]", "_-", "every request fails with 400", "github/copilot-cli#2581")
	inline := Need{Setting: "Schemas: Inline", broken: func(t listed) string { return t.reference(false) },
		mend: "leave Edge.Schemas to the profile; a type that holds itself: give it as text"}
	loops := Need{Setting: "no recursive params", Why: "every request fails with 400 if the loop is of required members",
		Issue: "google-gemini/gemini-cli#14945", warning: true, mend: inline.mend, broken: func(t listed) string { return t.reference(true) }}
	gemini := []Need{
		inline.told("the tool is left out, or every request fails with 400", "google-gemini/gemini-cli#13326"), loops,
		{Setting: "Schemas: Inline", Why: "a value that may be null is refused with 400", Issue: "github/copilot-cli#4623", broken: listed.union},
		{Setting: "names begin with a letter", Why: "every request fails with 400", Issue: "google-gemini/gemini-cli#2966",
			mend: "rename the method", broken: listed.digit},
	}
	seen := Need{Setting: "ArgumentErrors: AsResult", Why: "the model does not see an error of the protocol and cannot mend the call",
		Issue: "modelcontextprotocol/modelcontextprotocol#1303", warning: true, all: func(e edge) string {
			if e.view.argumentErrors == AsResult {
				return ""
			}
			return "wrong arguments are answered with an error of the protocol"
		}}
	long64 := needLength(64, "mcp__%s__", "every request fails with 400", "anthropics/claude-code#2412")
	any64 := needLength(64, "", "the request fails with 400", "microsoft/vscode#243602")
	anyModel := append([]Need{dots, any64, seen}, gemini...)
	return []Client{
		{
			Name: "claude", Title: "Claude Code", Profile: Claude,
			file: ".mcp.json", ext: "json", write: manifest.Claude, command: manifest.ClaudeCommand,
			Needs: []Need{dots.told("every request fails with 400 until the server is taken out", "microsoft/wassette#56"), long64, seen,
				{Setting: "no recursive result", Why: "version 2.1.207 finds no tools", Issue: "anthropics/claude-code#77106", warning: true,
					mend: inline.mend, broken: listed.recursiveResult}},
		},
		{
			Name: "claude-desktop", Title: "Claude Desktop", Profile: Claude,
			file: "claude_desktop_config.json", ext: "json", write: manifest.ClaudeDesktop,
			Needs: []Need{dots.told("one name with a dot, and the whole list is dropped", "evoila/meho#2745"), any64, seen},
		},
		{
			Name: "cursor", Title: "Cursor", Profile: Strict,
			file: ".cursor/mcp.json", ext: "json", write: manifest.Cursor,
			Needs: append([]Need{
				needNames("[a-zA-Z0-9_]", "_", "the tool is left out", "webstudio-is/webstudio#5960"),
				needLength(60, "%s:", "the tool is left out", "ComposioHQ/composio#2788"), seen,
			}, gemini...),
		},
		{
			Name: "vscode", Title: "VS Code", Profile: Strict,
			file: ".vscode/mcp.json", ext: "json", write: manifest.VSCode,
			Needs: append([]Need{dots.told("it renames tools and warns", "microsoft/vscode#308463").warn(), any64, seen}, gemini...),
		},
		{
			Name: "gemini", Title: "Gemini CLI", Profile: Gemini,
			file: ".gemini/settings.json", ext: "json", write: manifest.Gemini, command: manifest.GeminiCommand,
			Needs: append([]Need{needLength(63, "mcp_%s_", "the name is cut", "google-gemini/gemini-cli#2966").warn(), seen}, gemini...),
		},
		{
			Name: "openai", Title: "OpenAI API", Profile: OpenAI,
			file: "tools of a request to /v1/responses", ext: "json", write: manifest.OpenAI,
			Needs: []Need{dots.told("the request fails with 400", "openai/codex#8174"), any64, seen},
		},
		{
			Name: "codex", Title: "Codex", Profile: OpenAI,
			file: "~/.codex/config.toml", ext: "toml", write: manifest.Codex, command: manifest.CodexCommand,
			Needs: []Need{dots.told("every request fails with 400", "openai/codex#8174"), any64, seen},
		},
		{
			Name: "windsurf", Title: "Windsurf", Profile: Strict,
			file: "~/.codeium/windsurf/mcp_config.json", ext: "json", write: manifest.Windsurf,
			Needs: append([]Need{{Setting: "at most 100 tools", Why: "more are not taken, with those of other servers", Issue: "Zhwt/go-mcp-mysql#3",
				warning: true, mend: "publish fewer methods in the group", all: func(e edge) string { return e.more(100) }}}, anyModel...),
		},
		{
			Name: "zed", Title: "Zed", Profile: Strict,
			file: "settings.json", ext: "json", write: manifest.Zed,
			Needs: []Need{dots, any64, seen, inline.told("the tool is left out", "zed-industries/zed#60162"),
				loops.told("the tool is left out", "zed-industries/zed#60162").fault()},
		},
		{Name: "copilot", Title: "GitHub Copilot CLI", Profile: Strict, Needs: anyModel},
	}
}

func (n Need) warn() Need  { n.warning = true; return n }
func (n Need) fault() Need { n.warning = false; return n }

// needNames is the need for names of letters, digits and other.
func needNames(set, other, why, issue string) Need {
	return Need{Setting: "Names: Underscored", Why: why, Issue: issue, mend: "leave Edge.Names to the profile, or rename the method", broken: func(t listed) string {
		bad := strings.Trim(strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(other, r) {
				return -1
			}
			return r
		}, t.name), " ")
		if bad == "" {
			return ""
		}
		return fmt.Sprintf("the name has %q; it takes %s", bad[:1], set)
	}}
}

// needLength is the need for names of no more than most characters behind what the
// client puts in front, %s being the server's name.
func needLength(most int, prefix, why, issue string) Need {
	setting := fmt.Sprintf("names of at most %d characters", most)
	if prefix != "" {
		setting += ", " + strings.Replace(prefix, "%s", "server", 1) + " in front"
	}
	return Need{Setting: setting, Why: why, Issue: issue, mend: "give the method or Edge.Name a shorter name", broken: func(t listed) string {
		n := len(t.name) + len(strings.Replace(prefix, "%s", t.server, 1))
		if n <= most {
			return ""
		}
		return fmt.Sprintf("the name has %d characters with what stands in front", n)
	}}
}
