package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

// inspected is what the Inspector prints.
type inspected struct {
	Result struct {
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		IsError bool `json:"isError"`
	} `json:"result"`
}

// inspector walks through everything with the command line of the Inspector.
// It shows neither progress nor the codes of errors.
func (n npm) inspector(era string) func(t *testing.T, url, token string) walk {
	return func(t *testing.T, url, token string) walk {
		t.Helper()
		inspect := func(args ...string) (inspected, error) { return n.inspect(t, era, url, token, args...) }
		call := func(tool string, args ...string) (inspected, error) {
			return inspect(append([]string{"--method", "tools/call", "--tool-name", tool}, args...)...)
		}
		var got walk
		// With --strict a schema that some clients refuse is an error.
		list, err := inspect("--method", "tools/list", "--strict")
		if err != nil {
			return walk{Refused: err.Error()}
		}
		for _, tool := range list.Result.Tools {
			got.Tools = strings.TrimSpace(got.Tools + " " + tool.Name)
		}
		simple, err := call("test_simple_text")
		if err != nil {
			t.Fatal(err)
		}
		got.Text = simple.Result.Content[0].Text
		blocks, err := call("test_multiple_content_types")
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range blocks.Result.Content {
			got.Blocks = strings.TrimSpace(got.Blocks + " " + block.Type)
		}
		echo, err := call("test_x_mcp_header", "--tool-args-json", `{"region":"`+region+`"}`)
		if err != nil {
			t.Fatal(err)
		}
		got.Echo = echo.Result.Content[0].Text
		failed, err := call("test_error_handling")
		if err == nil {
			t.Error("a tool error is none to the Inspector")
		}
		got.Error = failure(t, failed.Result.IsError, failed.Result.Content[0].Text)
		if _, err := call("test_x_mcp_header"); err == nil || !strings.Contains(err.Error(), "/region is required") {
			t.Errorf("wrong arguments: %v", err)
		}
		return got
	}
}

// inspect runs one command.
func (n npm) inspect(t *testing.T, era, url, token string, args ...string) (inspected, error) {
	t.Helper()
	t.Setenv("HOME", t.TempDir()) // nothing of who runs the test
	all := []string{
		filepath.Join(n.dir, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"),
		"--cli", url, "--transport", "http", "--protocol-era", era, "--format", "json", "--stored-auth-only",
	}
	if token != "" {
		all = append(all, "--header", "Authorization: Bearer "+token)
	}
	out, failed := command(t, time.Minute, n.node, append(all, args...)...)
	var got inspected
	if out != "" {
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
	}
	return got, failed
}
