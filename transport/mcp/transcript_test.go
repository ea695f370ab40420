package mcp_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestTranscripts replays the conversations in testdata: each file holds
// requests and the answers to them, headers that matter and all. With -update
// the answers are written anew.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p := mount(t, setup{services: []any{&Depot{}, workshop()}})
			session := ""
			out := &txtar.Archive{Comment: archive.Comment}
			for i := 0; i < len(archive.Files); i++ {
				request := archive.Files[i]
				got := replay(t, p, request.Data, &session)
				out.Files = append(out.Files, request, txtar.File{Name: "answer", Data: got})
				if i+1 == len(archive.Files) || archive.Files[i+1].Name != "answer" {
					continue
				}
				i++
				if want := archive.Files[i].Data; !*update && !bytes.Equal(got, want) {
					t.Errorf("%s\ngot\n%s\nwant\n%s", request.Name, got, want)
				}
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(out), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if len(out.Files) != len(archive.Files) {
				t.Error("a request has no answer yet; run the test with -update and read what it wrote")
			}
		})
	}
}

// replay sends a request that is written as on the wire, without
// Content-Length. {session} stands for the id that was given out last.
func replay(t *testing.T, p *program, text []byte, session *string) []byte {
	t.Helper()
	head, body, _ := strings.Cut(strings.ReplaceAll(string(text), "{session}", *session), "\n\n")
	body = strings.TrimSuffix(body, "\n")
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(strings.ReplaceAll(head, "\n", "\r\n") + "\r\n\r\n")))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	if id := w.Header().Get("Mcp-Session-Id"); id != "" {
		*session = id
		w.Header().Set("Mcp-Session-Id", "{session}")
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "%d\n", w.Code)
	for _, name := range []string{"Content-Type", "Allow", "Mcp-Session-Id"} {
		if value := w.Header().Get(name); value != "" {
			fmt.Fprintf(&out, "%s: %s\n", name, value)
		}
	}
	fmt.Fprintf(&out, "\n%s\n", bytes.TrimSuffix(w.Body.Bytes(), []byte("\n\n")))
	return out.Bytes()
}
