package tsclient_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/lock"
	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
)

const token = "secret"

// desk has what the shop has not.
type desk struct{}

type echoParams struct {
	Text string `json:"text"`
}

func (desk) Echo(p echoParams) string { return p.Text }

// Wait answers when the caller has left.
func (desk) Wait(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// bare serves the methods a and a.b.
func bare() rpc.Service {
	return rpc.Service{Methods: []rpc.Method{
		{Func: func() string { return "a" }, Name: "a"},
		{Func: func() string { return "a.b" }, Name: "a.b"},
	}, Bare: true}
}

// shopServer is the shop over HTTP.
type shopServer struct {
	*httptest.Server
	told chan string // what the page of the browser says
}

// serveShop serves the shop over HTTP, and the files of dir at /app.
func serveShop(t *testing.T, dir string) *shopServer {
	t.Helper()
	app := shop.App()
	services := append(shop.Services(shop.NewStore(nil)), rpc.Service{
		Name: "Desk", Methods: []rpc.Method{{Func: desk{}.Echo}, {Func: desk{}.Wait}},
	}, bare())
	registry, err := rpc.NewRegistry(app, services...)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := cache.NewMemory(8 << 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	exec, err := rpc.NewExecutor(registry, rpc.Options{Store: pool, Records: pool, Locker: new(lock.Local)})
	if err != nil {
		t.Fatal(err)
	}
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	policy := guard.Policy{Tokens: []guard.Token{{Secret: token, Caller: rpc.Caller{ID: "owner", Groups: []string{rpc.AnyGroup}}}}}
	if err := guard.Mount(engine, exec, policy, rpchttp.Edge{References: true}, openrpc.Edge{}); err != nil {
		t.Fatal(err)
	}
	engine.Static("/app", dir)
	told := make(chan string, 1)
	engine.POST("/told", func(c *gin.Context) {
		said, _ := io.ReadAll(c.Request.Body) // half of it says enough
		select {
		case told <- string(said):
		default: // nobody asked twice
		}
	})
	server := httptest.NewServer(engine)
	t.Cleanup(func() {
		server.Close()
		if err := exec.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return &shopServer{server, told}
}

// fetched is the document that the shop itself serves.
func fetched(t *testing.T, url string) []byte {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	doc, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v\n%s", resp.Status, err, doc)
	}
	return doc
}

// The client that is made from what the shop serves calls it, in Node and in a
// browser.
func TestRuns(t *testing.T) { // R-O05
	binary, modules := node(t)
	dir := project(t, modules, config(`"module":"esnext","moduleResolution":"bundler","lib":["ES2022","DOM"],"types":[]`),
		map[string]string{"run.ts": source(t, "testdata/run.ts"), "index.html": page})
	server := serveShop(t, dir)
	text := generate(t, fetched(t, server.URL+"/openrpc/v2"))
	if err := os.WriteFile(filepath.Join(dir, "client.ts"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	compile(t, binary, modules, dir)
	url := server.URL + "/rpc/v2"
	t.Run("Node", func(t *testing.T) {
		script := `import("./run.js").then((m) => m.main("` + url + `", "` + token + `")).then(console.log)`
		out, err := run(t, dir, binary, "--input-type=module", "-e", script)
		if err != nil || !strings.Contains(out, "all well") {
			t.Errorf("%s %v", out, err)
		}
	})
	t.Run("Chromium", func(t *testing.T) {
		open(t, server.URL+"/app/index.html#"+url)
		select {
		case said := <-server.told:
			if said != "all well" {
				t.Error(said)
			}
		case <-time.After(time.Minute):
			t.Error("the page said nothing within a minute")
		}
	})
}

// open shows a page in a browser without a window until the test ends.
func open(t *testing.T, url string) {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		unavailable(t, "chromium is not installed: "+err.Error())
	}
	cmd := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
		"--user-data-dir="+t.TempDir(), url)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // with the processes it started
		_ = cmd.Wait()
	})
}

// page runs the client in a browser.
const page = `<!doctype html><title>client</title><script type="module">
let said;
try {
	const { main } = await import("./run.js");
	said = await main(location.hash.slice(1), "` + token + `");
} catch (error) {
	said = String(error?.stack ?? error);
}
await fetch("/told", { method: "POST", body: said });
</script>`
