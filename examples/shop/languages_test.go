package main_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestLanguages: calls, the document and the tools follow Accept-Language, and
// tell which language they are in.
func TestLanguages(t *testing.T) { // R-I03 R-M03
	p := start(t, "-token", "secret")
	for accept, lang := range map[string]string{"uk": "uk", "en": "en", "de": "en", "uk-UA": "uk", "ru": "en", "*": "en", "": "en"} {
		words := map[string][3]string{
			"uk": {"Товару TEA-05 лишилося 2.", "Пошук товарів", "Шукає чай"},
			"en": {"Only 2 of TEA-05 left.", "Search products", "Finds teas"},
		}[lang]
		for _, c := range []struct{ path, body, want string }{
			{"/rpc", `{"jsonrpc":"2.0","id":1,"method":"Orders.create","params":{"customer":"c000001","lines":[{"sku":"TEA-05","quantity":3}]}}`, words[0]},
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
			r.Header.Set("Authorization", "Bearer secret")
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
