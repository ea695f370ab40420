package main_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc/rpctest"
)

// program is the built shop, running.
type program struct {
	url string
	cmd *exec.Cmd
	out *bufio.Reader
	log bytes.Buffer
}

// binary is the built shop.
var binary string

func TestMain(m *testing.M) {
	os.Exit(build(m.Run))
}

// build builds the shop for run.
func build(run func() int) int {
	dir, err := os.MkdirTemp("", "shop")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "shop")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		panic(string(out))
	}
	return run()
}

// start starts the shop on a free port and reads its first line.
func start(t *testing.T, args ...string) *program {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel) // kills what has not ended
	cmd := exec.CommandContext(ctx, binary, append([]string{"-addr", "127.0.0.1:0"}, args...)...)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p := &program{cmd: cmd, out: bufio.NewReader(stdout)}
	cmd.Stderr = &p.log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	first, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatalf("the program printed nothing: %v", err)
	}
	if p.url = regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(first); p.url == "" {
		t.Fatalf("no address in the first line: %s", first)
	}
	return p
}

// stop interrupts the program and wants a clean end.
func (p *program) stop(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, p.out); err != nil {
		t.Error(err)
	}
	err := p.cmd.Wait()
	rpctest.WatchSecrets(t, "planted-token").Check("the log", p.log.String())
	if err != nil {
		t.Errorf("after Ctrl-C: %v, want exit status 0", err)
	}
}

// request is one line of the table below.
type request struct {
	name   string
	method string // POST without one
	path   string
	header http.Header // besides the token and the media type; an empty value removes one
	body   string
	status int
	want   []string // in the body
	// without: what the body does not have.
	without []string
}

func (p *program) do(t *testing.T, token string, r request) {
	t.Helper()
	method := r.method
	if method == "" {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(t.Context(), method, p.url+r.path, strings.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("RPC-Token", token)
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, values := range r.header {
		req.Header[name] = values
		if values[0] == "" {
			req.Header.Del(name)
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != r.status {
		t.Errorf("status %d, want %d\n%s", res.StatusCode, r.status, body)
	}
	if r.status == http.StatusNoContent && len(body) > 0 {
		t.Errorf("204 with a body: %s", body)
	}
	for _, want := range r.want {
		if !bytes.Contains(body, []byte(want)) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
	for _, not := range r.without {
		if bytes.Contains(body, []byte(not)) {
			t.Errorf("%s in\n%s", not, body)
		}
	}
}

// modern are the headers of a call in MCP 2026-07-28.
func modern(method, name string) http.Header {
	h := http.Header{"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {method}, "Accept": {"application/json, text/event-stream"}}
	if name != "" {
		h["Mcp-Name"] = []string{name}
	}
	return h
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

var requests = []request{
	{
		name: "single", path: "/rpc", body: `{"jsonrpc":"2.0","id":7,"method":"Catalog.search","params":{"query":"cup","limit":1}}`,
		status: 200, want: []string{`{"jsonrpc":"2.0","id":7,"result":{"products":[{"sku":"CUP-02"`, `"total":2`},
	},
	{
		name: "by position", path: "/rpc", body: `{"jsonrpc":"2.0","id":"a","method":"Catalog.product","params":["TEA-01"]}`,
		status: 200, want: []string{`"id":"a"`, `"name":"Sencha"`, `"price":{"amount":890,"currency":"EUR"}`},
	},
	{
		name: "batch", path: "/rpc", status: 200,
		body: `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"ping"},{"jsonrpc":"2.0","id":2,"method":"Catalog.nothing"}]`,
		want: []string{`[{"jsonrpc":"2.0","id":1,"result":"PONG"},{"jsonrpc":"2.0","id":2,"error":{"code":-32601,`},
	},
	{name: "notification", path: "/rpc", body: `{"jsonrpc":"2.0","method":"Catalog.categories"}`, status: 204},
	{
		name: "version 2", path: "/rpc/v2", body: `{"jsonrpc":"2.0","id":1,"method":"Catalog.find","params":{"sort":"cheapest","limit":1}}`,
		status: 200, want: []string{`"items":[{"sku":"TEA-07"`, `"total":12`, `"next":"TEA-07"`},
	},
	{
		name: "search has ended in version 2", path: "/rpc/v2", body: `{"jsonrpc":"2.0","id":1,"method":"Catalog.search","params":{"query":""}}`,
		status: 200, want: []string{`"code":-32601`, `"exception":"MethodNotFound"`},
	},
	{
		name: "all violations at once", path: "/rpc", status: 200,
		body: `{"jsonrpc":"2.0","id":1,"method":"Orders.create","params":{"customr":"c000001","lines":[{"sku":"tea","quantity":0}]}}`,
		want: []string{`"code":-32602`, `"/customr"`, `"/customer"`, `"/lines/0/sku"`, `"/lines/0/quantity"`},
	},
	{
		name: "an error of the application", path: "/rpc", status: 200,
		body: `{"jsonrpc":"2.0","id":1,"method":"Orders.create","params":{"customer":"c000001","lines":[{"sku":"TEA-07"}]}}`,
		want: []string{`{"code":1001,"message":"Only 0 of TEA-07 left.","data":{"exception":"OutOfStock","details":{"sku":"TEA-07","left":0}}}`},
	},
	{
		name: "unknown method", path: "/rpc", body: `{"jsonrpc":"2.0","id":1,"method":"Catalog.restock","params":["TEA-01",1]}`,
		status: 200, want: []string{`"code":-32601`},
	},
	{
		name: "internal group", path: "/rpc/internal", body: `{"jsonrpc":"2.0","id":1,"method":"Catalog.restock","params":["TEA-07",5]}`,
		status: 200, want: []string{`"stock":5`},
	},
	{
		name: "parse error", path: "/rpc", body: `{"jsonrpc":`, status: 400, want: []string{`"code":-32700`, `"id":null`},
	},
	{
		name: "401", path: "/rpc", header: http.Header{"Rpc-Token": {""}}, body: `{}`, status: 401, want: []string{`"code":-32401`},
	},
	{
		name: "403", path: "/rpc", header: http.Header{"Rpc-Token": {"wrong"}}, body: `{}`, status: 403, want: []string{`"code":-32403`},
		without: []string{"secret", "wrong"},
	},
	{name: "404", path: "/rpc/v9", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, status: 404},
	{name: "405", method: http.MethodGet, path: "/rpc", status: 405},
	{name: "413", path: "/rpc", body: `"` + strings.Repeat("x", 9<<20) + `"`, status: 413},
	{
		name: "415", path: "/rpc", header: http.Header{"Content-Type": {"text/plain"}}, body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, status: 415,
	},
	{
		name: "document", method: http.MethodGet, path: "/openrpc", status: 200,
		want:    []string{`"openrpc":"1.3.2"`, `"Catalog.search"`, `Search finds products by name.`, `"SKU is the stock keeping unit, the product's key."`, `"OutOfStock"`},
		without: []string{"Catalog.restock", "Customers.find"},
	},
	{
		name: "document of version 2", method: http.MethodGet, path: "/openrpc/v2", status: 200,
		want: []string{`"Catalog.find"`}, without: []string{`"Catalog.search"`},
	},
	{
		name: "tools", path: "/mcp", header: modern("tools/list", ""), body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`,
		status: 200, want: []string{`"name":"Catalog.search"`, `"readOnlyHint":true`, `"name":"Orders.get"`}, without: []string{"Orders.create", "Catalog.restock"},
	},
	{
		name: "a tool is called", path: "/mcp/v2", header: modern("tools/call", "Catalog.product"), status: 200,
		body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Catalog.product","arguments":{"sku":"TEA-01"},` + meta + `}}`,
		want: []string{`"isError":false`, `"structuredContent":{"result":{"sku":"TEA-01"`},
	},
	{
		name: "tools of the internal group", path: "/mcp/internal", header: modern("tools/list", ""), status: 200,
		body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`,
		want: []string{`"name":"Catalog.restock"`, `"name":"Orders.ship"`}, without: []string{"Catalog.search"},
	},
}

// TestProgram runs the shop as the README does and stops it with Ctrl-C.
func TestProgram(t *testing.T) {
	p := start(t, "-token", "secret")
	for _, r := range requests {
		t.Run(r.name, func(t *testing.T) { p.do(t, "secret", r) })
	}
	p.stop(t)
}

// needsCurl leaves a test out on a machine without curl, but not in .ci/run.
func needsCurl(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("curl"); err == nil {
		return
	}
	if os.Getenv("FACET_CI") != "" {
		t.Fatal("this test needs curl")
	}
	t.Skip("this test needs curl")
}

// TestGuide: the program makes a token, prints it, and every command it
// prints works as it stands.
func TestGuide(t *testing.T) {
	needsCurl(t)
	p := start(t)
	var commands []string
	export := ""
	for !strings.Contains(strings.Join(commands, "\n"), "tools/list") {
		line, err := p.out.ReadString('\n')
		if err != nil {
			t.Fatalf("the guide ended early: %v", err)
		}
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "export TOKEN="):
			export = line
		case strings.HasPrefix(line, "curl "):
			commands = append(commands, line)
		}
	}
	if export == "" {
		t.Fatal("no token was printed")
	}
	for _, c := range commands {
		out, err := exec.CommandContext(t.Context(), "sh", "-c", export+"; "+strings.Replace(c, "curl ", "curl -sSf ", 1)).CombinedOutput()
		if err != nil || !bytes.Contains(out, []byte(`"result"`)) || bytes.Contains(out, []byte(`"error":`)) {
			t.Errorf("%s\n%v %s", c, err, out)
		}
	}
	p.stop(t)
}

// TestReadme runs the commands of the README as they stand.
func TestReadme(t *testing.T) {
	needsCurl(t)
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```sh\n(export TOKEN=.*?)```").FindSubmatch(readme)
	if block == nil {
		t.Fatal("the README has no block that begins with export TOKEN=")
	}
	p := start(t, "-token", "secret")
	script := strings.NewReplacer("TOKEN=…", "TOKEN=secret", "127.0.0.1:8080", p.url).Replace(string(block[1]))
	out, err := exec.CommandContext(t.Context(), "sh", "-ec", script).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, want := range []string{
		`"name":"Clay cup"`, `"name":"Sencha"`, `"PONG"`, `"slug":"matcha"`, "204 No Content", `"sku":"TEA-06"`,
		`"total":{"amount":1780,"currency":"EUR"}`, `"exception":"OutOfStock"`, `"/customr"`, `"/lines/0/sku"`, `"/lines/0/quantity"`,
		`"openrpc":"1.3.2"`, `"tools":[`,
	} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("no %s in what the README's commands print:\n%.4000s", want, out)
		}
	}
	p.stop(t)
}

// TestOpen: with -open nobody needs a token.
func TestOpen(t *testing.T) {
	p := start(t, "-open")
	p.do(t, "", request{
		path: "/rpc", header: http.Header{"Rpc-Token": {""}}, body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		status: 200, want: []string{"PONG"},
	})
	p.stop(t)
}

// TestEnvironments: only dev and test show where an error is from. R-C04
func TestEnvironments(t *testing.T) {
	ask := request{path: "/rpc", body: `{"jsonrpc":"2.0","id":1,"method":"Orders.get","params":["nothing"]}`, status: 200}
	for env, shown := range map[string]bool{"dev": true, "test": true, "prod": false} {
		p := start(t, "-token", "secret", "-env", env)
		r := ask
		r.want = []string{`"code":-32404`, `"exception":"NotFound"`}
		if shown {
			r.want = append(r.want, `store.go`, `"trace":[`)
		} else {
			r.without = []string{"store.go", "trace"}
		}
		p.do(t, "secret", r)
		p.stop(t)
	}
}

// TestArguments: what does not fit is said, with exit status 1.
func TestArguments(t *testing.T) {
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"-env", "staging"}, "-env staging: it is dev, test or prod"},
		{[]string{"-open", "-token", "x"}, "keep one of the two"},
		{[]string{"extra"}, `unexpected argument "extra"`},
		{[]string{"-addr", "256.0.0.1:0"}, "shop: "},
		{[]string{"-addr", "127.0.0.1:0", "-redis", "redis://127.0.0.1:1"}, "shop: -redis: rediscache: connect to Redis"},
		{[]string{"-addr", "127.0.0.1:0", "-callbacks", "hooks.example", "-callback-secret", "short"}, "shop: -callbacks or -callback-secret: "},
	} {
		out, err := exec.CommandContext(t.Context(), binary, tc.args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), tc.want) {
			t.Errorf("shop %v: %v, %s; want %s", tc.args, err, out, tc.want)
		}
	}
}
