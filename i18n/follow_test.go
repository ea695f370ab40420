package i18n_test

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/i18n"
	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/gin-gonic/gin"
)

// disk is a folder with texts, in which they are written again.
type disk struct {
	t   *testing.T
	dir string
}

func newDisk(t *testing.T, pairs ...string) *disk {
	d := &disk{t, t.TempDir()}
	for i := 0; i < len(pairs); i += 2 {
		d.write(pairs[i], pairs[i+1])
	}
	return d
}

func (d *disk) files() fs.FS { return os.DirFS(d.dir) }

func (d *disk) write(name, text string) {
	d.t.Helper()
	file := filepath.Join(d.dir, "translations", name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func (d *disk) remove(name string) {
	d.t.Helper()
	if err := os.Remove(filepath.Join(d.dir, "translations", name)); err != nil {
		d.t.Fatal(err)
	}
}

// R-I05: the texts follow their files; with a fault in them they stay as they
// were, and the fault is told once, with file and key.
func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDisk(t, "rpc.uk.yaml", "S.hello.title: Перше\n")
		var told []string
		texts, err := i18n.Load(d.files(), i18n.Follow(func(err error) { told = append(told, err.Error()) }))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := rpc.NewRegistry(app(texts), service()); err != nil {
			t.Fatal(err)
		}
		revision := texts.Revisions()
		step := func(lang, want, fault string) {
			t.Helper()
			before := revision()
			time.Sleep(time.Second)
			for range 3 {
				if got, _ := texts.Text(lang, "mcp", "S.hello.title"); got != want {
					t.Fatalf("%q, want %q", got, want)
				}
			}
			if fault == "" && (len(told) > 0 || revision() == before) {
				t.Fatalf("told %q, or the revision is still %d", told, before)
			}
			if fault != "" && (len(told) != 1 || !strings.Contains(told[0], fault) || revision() != before) {
				t.Fatalf("told %q, want %q once; revision %d, then %d", told, fault, before, revision())
			}
			told = nil
		}
		first := revision()
		d.write("rpc.uk.yaml", "S.hello.title: Друге\n")
		if got, _ := texts.Text("uk", "mcp", "S.hello.title"); got != "Перше" {
			t.Errorf("looked again at once: %q", got)
		}
		step("uk", "Друге", "")
		d.write("rpc.uk.yaml", "S.hello: [\n")
		step("uk", "Друге", "translations/rpc.uk.yaml: this file is not YAML")
		d.write("rpc.uk.yaml", "S.hello.title: Третє\nS.helo.title: x\n")
		step("uk", "Друге", "translations/rpc.uk.yaml:2: S.helo.title: no method is called S.helo")
		d.write("rpc.uk.yaml", "S.hello.title: Третє\n")
		step("uk", "Третє", "")
		d.write("rpc/mcp.de.yaml", "S.hello.title: Drei\n") // a new language
		if got := texts.Language("de"); got != "en" {
			t.Errorf("looked again at once: %s", got)
		}
		step("de", "Drei", "")
		if got := texts.Language("de"); got != "de" {
			t.Errorf("de is %s", got)
		}
		d.remove("rpc/mcp.de.yaml")
		step("de", "", "")
		if got := texts.Language("de"); got != "en" {
			t.Errorf("de is %s", got)
		}
		d.write("rpc.uk.yaml", "S.hello.title: Перше\n")
		step("uk", "Перше", "")
		if revision() != first {
			t.Error("the same files have another revision")
		}
		if err := os.RemoveAll(d.dir); err != nil {
			t.Fatal(err)
		}
		step("uk", "Перше", "translations: this folder cannot be read")
	})
}

// R-I03: what was rendered with old texts is not answered any more: results,
// documents and lists of tools.
func TestFollowedAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDisk(t, "rpc.uk.yaml", "S.hello.title: Перше\n")
		texts, err := i18n.Load(d.files(), i18n.Follow(func(err error) { t.Error(err) }))
		if err != nil {
			t.Fatal(err)
		}
		said := rpc.Service{Name: "T", Methods: []rpc.Method{{
			Name: "title", Cache: rpc.Cache{TTL: time.Hour, Shared: true},
			Func: func() string { title, _ := texts.Text("uk", "default", "S.hello.title"); return title },
		}}}
		p := rpctest.Start(t, app(texts), rpc.Options{}, service(), said)
		engine := gin.New()
		if err := guard.Mount(engine, p.Executor(), guard.Policy{Open: true}, openrpc.Edge{}, mcp.Edge{}); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"Перше", "Друге"} {
			for range 2 {
				if got, err := rpctest.Call[string](p.In("uk"), "T.title", nil); err != nil || got != want {
					t.Errorf("%q, %v; want %q", got, err, want)
				}
				for path, body := range map[string]string{"/openrpc": "", "/mcp": `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`} {
					if got := ask(t, engine, path, body, "uk"); !strings.Contains(got, `"`+want+`"`) {
						t.Errorf("%s: %s; want %s", path, got, want)
					}
				}
			}
			d.write("rpc.uk.yaml", "S.hello.title: Друге\n")
			time.Sleep(time.Second)
		}
	})
}

// ask is the answer to a GET, or to a POST of a body, in a language.
func ask(t *testing.T, h http.Handler, path, body, lang string) string {
	t.Helper()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	r := httptest.NewRequestWithContext(t.Context(), method, "http://localhost"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Accept-Language", lang)
	r.Header.Set("MCP-Protocol-Version", "2026-07-28")
	r.Header.Set("Mcp-Method", "tools/list")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Body.String()
}

// Texts that never change have no revisions to ask for.
func TestNotFollowed(t *testing.T) {
	if load(t, files("rpc.uk.yaml", title)).Revisions() != nil {
		t.Error("embedded texts have revisions")
	}
	texts, err := i18n.Load(nil, i18n.Follow(func(error) {}))
	if err != nil || texts.Revisions() != nil {
		t.Errorf("no files have revisions, %v", err)
	}
	if _, err := i18n.Load(newDisk(t, "rpc.uk.yaml", "x").files(), i18n.Follow(func(error) {})); err == nil {
		t.Error("a broken file at the start is an error")
	}
}

// Many goroutines ask while the files change.
func TestFollowInParallel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDisk(t, "rpc.uk.yaml", "S.hello.title: a\n")
		texts, err := i18n.Load(d.files(), i18n.Follow(func(err error) { t.Error(err) }))
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 50 {
					time.Sleep(100 * time.Millisecond)
					lang := texts.Language("uk-UA, de;q=0.5")
					if got, ok := texts.Text(lang, "default", "S.hello.title"); !ok || len(got) != 1 {
						t.Errorf("%s: %q", lang, got)
					}
				}
			})
		}
		for _, text := range []string{"b", "c", "d"} {
			time.Sleep(1234 * time.Millisecond)
			d.write("rpc.uk.yaml", "S.hello.title: "+text+"\n")
		}
		all.Wait()
		if got, _ := texts.Text("uk", "default", "S.hello.title"); got != "d" {
			t.Errorf("in the end %q", got)
		}
	})
}
