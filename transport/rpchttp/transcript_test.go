package rpchttp_test

import (
	"bufio"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the answers in testdata anew")

// shown are the headers that a transcript has.
var shown = []string{"Allow", "Content-Type", "Content-Length", "Cache-Control", "Content-Language", "Www-Authenticate", "X-Content-Type-Options"}

// TestTranscripts plays testdata/*.txtar: requests, and answers byte for byte.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(err, "no transcripts")
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			s := newStack(t, rpchttp.Edge{Batch: 3}, guard.Policy{
				MaxBody: 1000,
				Tokens: []guard.Token{
					{Secret: "secret", Caller: rpc.Caller{ID: "ann"}},
					{Secret: "elsewhere", Caller: rpc.Caller{ID: "bob", Groups: []string{"mcp"}}},
				},
			})
			for i := 0; i+1 < len(archive.Files); i += 2 {
				request, answer := archive.Files[i], &archive.Files[i+1]
				got := s.play(string(request.Data))
				if *update {
					answer.Data = []byte(got)
				}
				if want := string(answer.Data); got != want {
					t.Errorf("%s: got\n%s\nwant\n%s", request.Name, got, want)
				}
			}
			if *update {
				if err := os.WriteFile(name, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// play sends a request written as METHOD PATH, headers, an empty line and the
// body; a line break at the end is not part of it.
func (s *stack) play(request string) string {
	s.t.Helper()
	head, body, _ := strings.Cut(request, "\n\n")
	lines := bufio.NewScanner(strings.NewReader(head))
	lines.Scan()
	method, path, _ := strings.Cut(lines.Text(), " ")
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.http.URL+path, strings.NewReader(strings.TrimSuffix(body, "\n")))
	if err != nil {
		s.t.Fatal(err)
	}
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		req.Header.Set(name, value)
	}
	got := s.do(req)
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s\n", got.status, http.StatusText(got.status))
	for _, name := range shown {
		if v := got.header.Get(name); v != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, v)
		}
	}
	return b.String() + "\n" + got.body + "\n"
}
