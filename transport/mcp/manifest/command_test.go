package manifest_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/transport/mcp/manifest"
)

// The commands reach the client word for word, in every shell that is there:
// zsh takes a bare ? for a pattern.
func TestCommands(t *testing.T) {
	for _, c := range []struct {
		command string
		want    string
	}{
		{manifest.ClaudeCommand(tea), "claude|mcp|add|--transport|http|tea|https://shop.example/mcp?profile=claude|--header|Authorization: Bearer s3cret|"},
		{manifest.GeminiCommand(tea), "gemini|mcp|add|--transport|http|tea|https://shop.example/mcp?profile=claude|--header|Authorization: Bearer s3cret|"},
		{manifest.CodexCommand(tea), "codex|mcp|add|tea|--url|https://shop.example/mcp?profile=claude|--bearer-token-env-var|TEA_TOKEN|"},
		{manifest.ClaudeCommand(open), "claude|mcp|add|--transport|http|open-1|http://10.0.0.7:8080/mcp|"},
		{manifest.CodexCommand(open), "codex|mcp|add|open-1|--url|http://10.0.0.7:8080/mcp|"},
	} {
		for _, shell := range []string{"sh", "bash", "zsh"} {
			path, err := exec.LookPath(shell)
			if err != nil {
				continue // sh is everywhere, the others are a bonus
			}
			script := "TEA_TOKEN=s3cret; " + `show() { for w in "$@"; do printf '%s|' "$w"; done; }; show ` + c.command
			out, err := exec.CommandContext(t.Context(), path, "-c", script).CombinedOutput()
			if err != nil || strings.TrimSpace(string(out)) != c.want {
				t.Errorf("%s: %s\ngot  %s %v\nwant %s", shell, c.command, out, err, c.want)
			}
		}
	}
}
