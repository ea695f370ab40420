package mcp_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/transport/mcp"
)

// FuzzProfile: whatever a stranger writes behind the path, the list is that of
// a profile or the request is refused; the one profile that is named counts.
func FuzzProfile(f *testing.F) {
	for _, seed := range []string{"", "profile=claude", "profile=", "profile=x", "profile=claude&profile=plain", "a=b;c", "%", "profile=%63laude", "&&", "PROFILE=strict"} {
		f.Add(seed)
	}
	p := mount(f, setup{})
	body, headers := modern("tools/list", "")
	f.Fuzz(func(t *testing.T, query string) {
		r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
		r.URL.RawQuery = query
		for _, line := range headers {
			name, value, _ := strings.Cut(line, ": ")
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		values, err := url.ParseQuery(query)
		asked := values["profile"]
		ok := query == "" || err == nil && (len(asked) == 0 || len(asked) == 1 && slices.Contains(mcp.Profiles(), mcp.Profile(asked[0])))
		if ok != (w.Code == http.StatusOK) || !ok && w.Code != http.StatusBadRequest {
			t.Fatalf("%q: %d %s", query, w.Code, w.Body)
		}
		if !ok {
			return
		}
		dots := len(asked) == 0 || asked[0] == "plain" || asked[0] == "gemini"
		if dots != strings.Contains(w.Body.String(), `"Depot.find"`) {
			t.Errorf("%q: %.200s", query, w.Body)
		}
	})
}
