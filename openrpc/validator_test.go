package openrpc_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// official is the validator of the OpenRPC project, at the version the tests
// were written with.
const official = "@open-rpc/schema-utils-js@2.2.1"

// script validates the document on its standard input. It must not parse it:
// parseOpenRPCDocument follows references for ever when a type is recursive.
const script = `
const { validateOpenRPCDocument } = require("@open-rpc/schema-utils-js");
const doc = JSON.parse(require("fs").readFileSync(0, "utf8"));
const verdict = validateOpenRPCDocument(doc);
if (verdict !== true) { console.error(verdict.message); process.exit(1); }
`

// validate asks the official validator for its verdict; nil: valid.
func validate(t *testing.T, doc []byte) error {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		return unavailable(t, "node is not installed: "+err.Error())
	}
	dir, err := installed(t)
	if err != nil {
		return unavailable(t, err.Error())
	}
	in, err := os.CreateTemp(t.TempDir(), "openrpc")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := in.Write(doc); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Seek(0, 0); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, "-e", script)
	cmd.Dir, cmd.Stdin = dir, in
	if out, err := cmd.CombinedOutput(); err != nil {
		return &verdict{string(out), err}
	}
	return nil
}

type verdict struct {
	output string
	err    error
}

func (v *verdict) Error() string { return v.err.Error() + "\n" + v.output }

// unavailable skips the test on a machine without node; where everything must
// be checked (FACET_CI=1) that is a failure.
func unavailable(t *testing.T, why string) error {
	t.Helper()
	if os.Getenv("FACET_CI") == "1" {
		t.Fatalf("the official OpenRPC validator did not run: %s", why)
	}
	t.Skipf("the official OpenRPC validator did not run: %s", why)
	return nil
}

// installed is the directory with the validator, installed once per machine.
func installed(t *testing.T) (string, error) {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "facet", "openrpc-validator-2.2.1")
	module := filepath.Join(dir, "node_modules", "@open-rpc", "schema-utils-js", "package.json")
	if _, err := os.Stat(module); err == nil {
		return dir, nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	// Installed beside and renamed, so that another test never sees half.
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "installing")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	cmd := exec.CommandContext(t.Context(), npm, "install", "--prefix", fresh,
		"--no-audit", "--no-fund", "--ignore-scripts", official)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", &verdict{string(out), err}
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, gone := os.Stat(module); gone != nil {
			return "", err
		}
	}
	return dir, nil
}

// TestValidatorRefuses shows that the validator looks at all.
func TestValidatorRefuses(t *testing.T) {
	if err := validate(t, []byte(`{"openrpc":"1.3.2","info":{"title":"x","version":"1"},"methods":[]}`)); err != nil {
		t.Errorf("an empty document: %v", err)
	}
	if validate(t, []byte(`{"openrpc":"1.3.2","info":{"title":"x"},"methods":[]}`)) == nil {
		t.Error("a document without info.version passed")
	}
}
