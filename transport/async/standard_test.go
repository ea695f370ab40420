package async_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/async"
	"github.com/go-json-experiment/json"
)

// reference is the library of the authors of Standard Webhooks, at the version
// the tests were written with.
const reference = "standardwebhooks@1.0.0"

// node runs a script of Node beside the reference library.
func node(t *testing.T, script string, env ...string) *exec.Cmd {
	t.Helper()
	name := "node"
	if home, err := os.UserHomeDir(); err == nil {
		if newer := filepath.Join(home, ".cache/facet-ci/node_modules/node/bin/node"); exists(newer) {
			name = newer
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		unavailable(t, err)
	}
	dir, err := library(t)
	if err != nil {
		unavailable(t, err)
	}
	cmd := exec.CommandContext(t.Context(), path, script)
	cmd.Env = append(append(os.Environ(), "NODE_PATH="+filepath.Join(dir, "node_modules")), env...)
	return cmd
}

// unavailable skips the test on a machine without Node; where everything must
// be checked (FACET_CI=1) that is a failure.
func unavailable(t *testing.T, why error) {
	t.Helper()
	if os.Getenv("FACET_CI") == "1" {
		t.Fatalf("the reference library of Standard Webhooks did not run: %v", why)
	}
	t.Skipf("the reference library of Standard Webhooks did not run: %v", why)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// library is the folder with the reference library, installed once per
// machine: beside, and renamed, so that no other test sees half of it.
func library(t *testing.T) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "facet", "standardwebhooks-1.0.0")
	module := filepath.Join(dir, "node_modules", "standardwebhooks", "package.json")
	if exists(module) {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "installing")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	cmd := exec.CommandContext(t.Context(), "npm", "install", "--prefix", fresh, "--no-audit", "--no-fund", "--ignore-scripts", reference)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.Join(err, errors.New(string(out)))
	}
	if err := os.Rename(fresh, dir); err != nil && !exists(module) {
		return "", err
	}
	return dir, nil
}

// R-S06: the reference library verifies what a program posts, refuses what was
// changed, and what it signs Verify takes.
func TestReferenceLibrary(t *testing.T) {
	r := receive(t, nil)
	p := start(t, setup{async: async.Options{Webhooks: r.local()}}, rpc.Method{Name: "run", Func: func() string { return "дякую" }})
	id := p.submit("run", "{}", r.URL)
	h := r.next(t)
	header := map[string]string{}
	for name := range h.header {
		header[name] = h.header.Get(name)
	}
	in, err := json.Marshal(map[string]any{"secret": secret, "header": header, "body": h.body, "id": id})
	if err != nil {
		t.Fatal(err)
	}
	cmd := node(t, "testdata/reference.cjs")
	cmd.Stdin = bytes.NewReader(in)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var theirs struct{ Verified, Refused, ID, Stamp, Signature, Body string }
	if err := json.Unmarshal(out, &theirs); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if theirs.Verified != `{"jsonrpc":"2.0","id":1,"result":"дякую"}` || theirs.Refused == "" {
		t.Errorf("the library says %+v", theirs)
	}
	if got, err := async.Verify(headers(theirs.ID, theirs.Stamp, theirs.Signature), []byte(theirs.Body), secret); err != nil || got != theirs.ID {
		t.Errorf("Verify of theirs: %q, %v", got, err)
	}
	if _, err := async.Verify(headers(theirs.ID, theirs.Stamp, theirs.Signature), []byte(theirs.Body+" "), secret); err == nil {
		t.Error("Verify took a changed body of theirs")
	}
}

// R-S06: the receiver of the page in Go takes a webhook once and refuses what
// is not signed.
func TestReceiverInGo(t *testing.T) {
	var done []string
	server := httptest.NewServer(hookReceiver([]string{secret}, func(id string, response []byte) error {
		if done = append(done, id+" "+string(response)); len(done) == 1 {
			return errors.New("not now")
		}
		return nil
	}))
	t.Cleanup(server.Close)
	tryReceiver(t, server.URL)
	if len(done) != 2 || done[0] != done[1] {
		t.Errorf("done %v", done)
	}
}

// R-S06: so does the one in Node.
func TestReceiverInNode(t *testing.T) {
	cmd := node(t, "testdata/receiver.cjs", "PORT=0", "WEBHOOK_SECRET="+secret, "FAIL_FIRST=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line := make([]byte, 100)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	tryReceiver(t, strings.TrimSpace(string(line[:n])))
}

// tryReceiver posts to a receiver that fails at the first webhook.
func tryReceiver(t *testing.T, url string) {
	t.Helper()
	const body = `{"jsonrpc":"2.0","id":1,"result":7}`
	post := func(signature string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/hook", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = headers("job1", strconv.FormatInt(time.Now().Unix(), 10), signature)
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return answer.StatusCode
	}
	if got := post("v1,AAAA"); got != 401 {
		t.Errorf("a forged webhook: %d", got)
	}
	for i, want := range []int{500, 204, 204} {
		if got := post(sign(t, secret, "job1", time.Now(), body)); got != want {
			t.Errorf("webhook %d: %d, want %d", i+1, got, want)
		}
	}
}
