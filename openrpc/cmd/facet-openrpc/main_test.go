package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const document = `{"openrpc":"1.3.2","info":{"title":"Pet shop","version":"1"},"methods":[{"name":"pets.list","params":[],"result":{"name":"r","schema":{"type":"array","items":{"type":"string"}}}}]}`

// invoke runs the command; what it reads from standard input is the document.
func invoke(t *testing.T, args ...string) (out string, err error) {
	t.Helper()
	var b bytes.Buffer
	getenv := func(name string) string { return map[string]string{"FACET_TOKEN": "secret", "OTHER": "wrong"}[name] }
	err = run(t.Context(), args, program{strings.NewReader(document), &b, io.Discard, getenv})
	return b.String(), err
}

func TestFiles(t *testing.T) { // R-O05
	dir := t.TempDir()
	ts, golang := filepath.Join(dir, "client.ts"), filepath.Join(dir, "client.go")
	if _, err := invoke(t, "-in", "-", "-ts", ts, "-go", golang); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{ts: "readonly pets: {", golang: "package petshop\n"} {
		if text, err := os.ReadFile(path); err != nil || !bytes.Contains(text, []byte(want)) {
			t.Errorf("%s: %v\n%s", path, err, text)
		}
	}
	if out, err := invoke(t, "-in", "-", "-go", "-", "-package", "pets"); err != nil || !strings.Contains(out, "package pets\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

// A URL is asked with the token of the environment, and what is wrong says how
// to mend it.
func TestURL(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != "/openrpc":
			http.NotFound(w, r)
		case r.Header.Get("Authorization") != "Bearer secret":
			w.WriteHeader(http.StatusUnauthorized)
		default:
			_, _ = io.WriteString(w, document)
		}
	}))
	defer server.Close()
	if out, err := invoke(t, "-in", server.URL+"/openrpc", "-ts", "-"); err != nil || !strings.Contains(out, "pets.list") {
		t.Errorf("%v\n%s", err, out)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-in", server.URL + "/openrpc", "-token-env", "NONE"}, "put a token into the environment variable NONE"},
		{[]string{"-in", server.URL + "/openrpc", "-token-env", "OTHER"}, "401 Unauthorized to the token in OTHER"},
		{[]string{"-in", server.URL + "/nothing"}, "404 Not Found, not an OpenRPC document"},
	} {
		if _, err := invoke(t, append(c.args, "-ts", "-")...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v", c.args, err)
		}
	}
}

func TestMistakes(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad, []byte(`{"openrpc":"1.0.0","methods":[{}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	unwritten := filepath.Join(t.TempDir(), "client.ts")
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "-in says which document"},
		{[]string{"-in", "-"}, "say -ts, -go or -serve"},
		{[]string{"-in", "-", "-ts", "x", "y"}, `unexpected argument "y"`},
		{[]string{"-in", "-", "-ts", "x", "-package", "y"}, "-package is for -go"},
		{[]string{"-in", "-", "-ts", "-", "-go", "-"}, "both want standard output"},
		{[]string{"-in", "-", "-go", "-", "-package", "a b"}, "cannot be the name of a Go package"},
		{[]string{"-in", "nowhere.json", "-ts", "-"}, "nowhere.json"},
		{[]string{"-in", bad, "-ts", "-"}, bad + ": openrpc: #/methods/0 is a method without a name"},
		{[]string{"-in", "-", "-ts", unwritten, "-go", "-", "-package", "a b"}, "cannot be the name"},
		{[]string{"-in", bad, "-serve", "127.0.0.1:0"}, "without a name"},
	} {
		if _, err := invoke(t, c.args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want %s", c.args, err, c.want)
		}
	}
	if _, err := os.Stat(unwritten); err == nil {
		t.Error("one of two clients was written although the other cannot be made")
	}
	if _, err := invoke(t, "-h"); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h: %v", err)
	}
}

// -serve shows the page and the document until it is told to stop.
func TestServe(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	read, write := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"-in", "-", "-serve", "127.0.0.1:0"}, program{strings.NewReader(document), write, io.Discard, os.Getenv})
	}()
	line := make([]byte, 200)
	n, err := read.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	url := regexp.MustCompile(`http://\S+/`).FindString(string(line[:n]))
	for path, want := range map[string]string{"": "<!doctype html>", "openrpc.json": `"pets.list"`} {
		resp, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK || !bytes.Contains(bytes.ToLower(body), []byte(want)) {
			t.Errorf("%s%s: %s %v %.200s", url, path, resp.Status, err, body)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
