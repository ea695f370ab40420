package main_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLanguages: calls, the document and the tools follow Accept-Language, and
// tell which language they are in.
func TestLanguages(t *testing.T) { // R-I03 R-M03
	p := start(t, "-token", "planted-token")
	for accept, lang := range map[string]string{"uk": "uk", "en": "en", "de": "en", "uk-UA": "uk", "ru": "en", "*": "en", "": "en"} {
		words := map[string][5]string{
			"uk": {"Товару TEA-05 лишилося 2.", "Пошук товарів", "Шукає чай", "Неправильні параметри: /limit має бути не менше 1.", "Такої версії тут немає; є: v1"},
			"en": {"Only 2 of TEA-05 left.", "Search products", "Finds teas", "Invalid params: /limit must be at least 1.", "There is no such version here; served: v1"},
		}[lang]
		for _, c := range []struct{ path, body, want string }{
			{"/rpc", `{"jsonrpc":"2.0","id":1,"method":"Orders.create","params":{"customer":"c000001","lines":[{"sku":"TEA-05","quantity":3}]}}`, words[0]},
			{"/rpc", `{"jsonrpc":"2.0","id":1,"method":"Catalog.search","params":{"query":"tea","limit":0}}`, words[3]},
			{"/rpc/v7", `{}`, words[4]},
			{"/openrpc", "", words[1]},
			{"/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`, words[2]},
		} {
			method := http.MethodPost
			if c.body == "" {
				method = http.MethodGet
			}
			r, err := http.NewRequestWithContext(t.Context(), method, p.url+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header = modern("tools/list", "") // which /mcp reads
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer planted-token")
			if accept != "" {
				r.Header.Set("Accept-Language", accept)
			}
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || !strings.Contains(string(body), c.want) {
				t.Errorf("%q %s: %.300s, %v; want %s", accept, c.path, body, err, c.want)
			}
			if got := resp.Header.Get("Content-Language"); got != lang || !strings.Contains(resp.Header.Get("Vary"), "Accept-Language") {
				t.Errorf("%q %s: Content-Language %s, Vary %s; want %s", accept, c.path, got, resp.Header.Get("Vary"), lang)
			}
		}
	}
	p.stop(t)
}

// TestTexts: with -texts the shop follows the files of a folder.
func TestTexts(t *testing.T) { // R-I03
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("shop")); err != nil {
		t.Fatal(err)
	}
	p := start(t, "-token", "planted-token", "-texts", dir)
	title := func() string {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/openrpc", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer planted-token")
		r.Header.Set("Accept-Language", "uk")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	if body := title(); !strings.Contains(body, "Пошук товарів") {
		t.Fatalf("%.300s", body)
	}
	file := filepath.Join(dir, "translations", "rpc.uk.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(text), "Пошук товарів", "Шукання чаю")), 0o644); err != nil {
		t.Fatal(err)
	}
	for begin := time.Now(); !strings.Contains(title(), "Шукання чаю"); {
		if time.Since(begin) > 10*time.Second {
			t.Fatal("the shop has the old text after ten seconds")
		}
	}
	p.stop(t)
}
