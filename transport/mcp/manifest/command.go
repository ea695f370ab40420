package manifest

import "strings"

// ClaudeCommand is the line that adds the server to Claude Code, in a POSIX
// shell. It keeps the token's value, so the variable must be set.
func ClaudeCommand(s Server) string {
	return line("claude mcp add --transport http "+s.Name+" "+quoted(s.URL), s)
}

// GeminiCommand is the line that adds the server to the Gemini CLI.
func GeminiCommand(s Server) string {
	return line("gemini mcp add --transport http "+s.Name+" "+quoted(s.URL), s)
}

// CodexCommand is the line that adds the server to Codex, which reads the
// variable whenever it starts.
func CodexCommand(s Server) string {
	out := "codex mcp add " + s.Name + " --url " + quoted(s.URL)
	if s.Token != "" {
		out += " --bearer-token-env-var " + s.Token
	}
	return out
}

func line(command string, s Server) string {
	if s.Token == "" {
		return command
	}
	return command + ` --header "Authorization: Bearer $` + s.Token + `"`
}

// quoted is one word of a shell: zsh would take the ? of a URL for a pattern.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
