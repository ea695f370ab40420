package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

// The clients of npm, at the versions they are tested with.
const (
	sdk1      = "1.32.2"
	sdk2      = "2.4.0"
	inspector = "2.12.0"
)

// npm is where its clients are installed.
type npm struct{ node, dir string }

// installed installs the clients once per machine.
func installed(t *testing.T) npm {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		unavailable(t, "node is not installed: "+err.Error())
	}
	if major, err := command(t, time.Minute, node, "-p", `process.versions.node.split(".")[0]`); err != nil || len(major) < 2 || major < "20" {
		unavailable(t, fmt.Sprintf("%s is version %s, %v; the clients need 20 or newer", node, strings.TrimSpace(major), err))
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		unavailable(t, err.Error())
	}
	n := npm{node, filepath.Join(cache, "facet", "mcp-clients-"+sdk1+"-"+sdk2+"-"+inspector)}
	if err := n.install(t); err != nil {
		unavailable(t, err.Error())
	}
	return n
}

// unavailable skips the test on a machine that lacks something; where
// everything must be checked (FACET_CI=1) that is a failure.
func unavailable(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("FACET_CI") == "1" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// install installs beside and renames, so that another test never sees half.
func (n npm) install(t *testing.T) error {
	t.Helper()
	if _, err := os.Stat(n.dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(n.dir), 0o755); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(n.dir), "installing")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	_, err = command(t, 5*time.Minute, "npm", "install", "--prefix", fresh, "--no-audit", "--no-fund", "--ignore-scripts",
		"@modelcontextprotocol/sdk@"+sdk1, "@modelcontextprotocol/client@"+sdk2, "@modelcontextprotocol/inspector@"+inspector)
	if err != nil {
		return err
	}
	if err := os.Rename(fresh, n.dir); err != nil {
		if _, gone := os.Stat(n.dir); gone != nil {
			return err
		}
	}
	return nil
}

// typescript walks through everything with the client of a release.
func (n npm) typescript(release, era string) func(t *testing.T, url, token string) walk {
	return func(t *testing.T, url, token string) walk {
		t.Helper()
		// Modules are looked for beside the script.
		dir := t.TempDir()
		script, err := os.ReadFile("testdata/client.mjs")
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "client.mjs"), script, 0o644)
		}
		if err == nil {
			err = os.Symlink(filepath.Join(n.dir, "node_modules"), filepath.Join(dir, "node_modules"))
		}
		if err != nil {
			t.Fatal(err)
		}
		out, err := command(t, time.Minute, n.node, filepath.Join(dir, "client.mjs"), release, era, url, token)
		if err != nil {
			t.Fatal(err)
		}
		var got walk
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		return got
	}
}

// command runs a program and returns what it prints.
func command(t *testing.T, limit time.Duration, name string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%s: %w\n%s%s", filepath.Base(name), err, strings.TrimSpace(out.String()), strings.TrimSpace(log.String()))
	}
	return out.String(), nil
}
