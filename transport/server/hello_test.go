package server_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/server"
)

// Hello greets.
type Hello struct{}

func (Hello) Greet(p struct {
	Name string `json:"name"`
}) string {
	return "Hello, " + p.Name + "!"
}

func (Hello) Hi() string { return "Hi!" }

// Wiper has no method that is safe to try, and begins with version 2.
type Wiper struct{}

func (Wiper) Wipe() {}

func (w Wiper) RPC() rpc.Service {
	return rpc.Service{Since: 2, Methods: []rpc.Method{{Func: w.Wipe, Hints: rpc.Hints{Destructive: rpc.Yes}}}}
}

// The first line has the address; each command that is printed works.
func TestHello(t *testing.T) {
	for _, c := range []struct {
		name           string
		service        any
		addr, path     string
		rpc, doc, tool string // in the answers
	}{
		{"hello", Hello{}, "127.0.0.1:0", "", `"result":"Hello, world!"`, `"name": "Hello.greet"`, `"name":"Hello.hi"`},
		{"nothing to try", Wiper{}, "localhost:0", "/v2", `"result":"PONG"`, `"name": "Wiper.wipe"`, `"name":"Wiper.wipe"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			out, in := io.Pipe()
			served := make(chan error, 1)
			go func() {
				err := server.HelloTo(ctx, in, c.addr, c.service)
				in.CloseWithError(err)
				served <- err
			}()
			lines := bufio.NewReader(out)
			first, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			url := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(first)
			if !strings.HasPrefix(first, "Hello serves ") || url == "" {
				t.Errorf("first line %q", first)
			}
			for range 2 {
				lines.ReadString('\n') // the methods, and an empty line
			}
			for _, want := range []struct{ path, text string }{{"/rpc", c.rpc}, {"/openrpc", c.doc}, {"/mcp", c.tool}} {
				text, err := lines.ReadString('\n')
				if err != nil || !strings.Contains(text, url+want.path+c.path) {
					t.Errorf("line %q, %v; want %s", text, err, url+want.path+c.path)
				}
				if answer := curl(t, text); !strings.Contains(answer, want.text) {
					t.Errorf("%s answers\n%s\nwant %s", text, answer, want.text)
				}
			}
			line, err := lines.ReadString('\n')
			if page := strings.TrimSpace(strings.TrimPrefix(line, "Page ")); err != nil || page != url+"/openrpc/ui" || !strings.Contains(curl(t, "curl -s "+page), "<html") {
				t.Errorf("line %q, %v; want the page", line, err)
			}
			if got := status(t, url+"/rpc/"); got != http.StatusNotFound { // not a redirect that no policy has seen
				t.Errorf("/rpc/: status %d, want 404", got)
			}
			cancel()
			if err := <-served; err != nil {
				t.Error(err)
			}
		})
	}
}

// curl does what the printed command does.
func curl(t *testing.T, text string) string {
	t.Helper()
	parts := regexp.MustCompile(`curl -s '?([^'\s]+)'?(?: -H 'Content-Type: application/json' -d '(.*)')?`).FindStringSubmatch(text)
	if parts == nil {
		t.Fatalf("no command in %q", text)
	}
	method, body := http.MethodGet, io.Reader(nil)
	if parts[2] != "" {
		method, body = http.MethodPost, strings.NewReader(parts[2])
	}
	r, err := http.NewRequestWithContext(t.Context(), method, parts[1], body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "*/*")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	transport := new(http.Transport)
	defer transport.CloseIdleConnections()
	w, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	b, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// status of a POST, redirects not followed.
func status(t *testing.T, url string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	transport := new(http.Transport)
	defer transport.CloseIdleConnections()
	w, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	w.Body.Close()
	return w.StatusCode
}

// R-S02: what is open is not open to the network.
func TestHelloRefusesOtherAddresses(t *testing.T) {
	for _, addr := range []string{":8080", "0.0.0.0:8080", "[::]:8080", "192.168.0.1:80", "shop.example:80", "8080", "127.0.0.1"} {
		err := server.HelloTo(t.Context(), io.Discard, addr, Hello{})
		if err == nil || !strings.Contains(err.Error(), "127.0.0.1:8080") {
			t.Errorf("%s: %v", addr, err)
		}
	}
}

// Faults of the services end it before anything is printed.
func TestHelloTellsFaults(t *testing.T) {
	var out strings.Builder
	for _, services := range [][]any{{}, {func(int, int) {}}, {Hello{}, Hello{}}} {
		if err := server.HelloTo(t.Context(), &out, "127.0.0.1:0", services...); err == nil || out.Len() > 0 {
			t.Errorf("%v: %v, printed %q", services, err, out.String())
		}
	}
}
