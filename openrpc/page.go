package openrpc

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"

	"github.com/go-json-experiment/json"
)

// Page is one HTML page that shows OpenRPC documents to people and calls their
// methods: everything it needs is in the program, nothing comes from other
// hosts. Any OpenRPC 1.x document will do, also those without the extensions
// of this framework. The [Edge] serves one for its own documents.
//
//	page, err := openrpc.NewPage("Pets", openrpc.PageDocument{Name: "v1", URL: "petstore.json"})
//	http.Handle("/docs", page)
type Page struct {
	plain, zipped variant
	policy        string
}

// PageDocument is a document that a [Page] can show. URLs may be relative: to
// the address of the page.
type PageDocument struct {
	// Name is what readers choose it by, such as v1. It must be unique, and
	// stands in the addresses of the page.
	Name string `json:"name"`
	// URL is where the page fetches the document.
	URL string `json:"url"`
	// RPC is where the page sends calls; empty: to the server that the
	// document names. A browser lets the page call only its own origin and
	// those of URL and RPC.
	RPC string `json:"rpc,omitempty"`
	// Group and Version say which endpoint it describes; empty and 0 for a
	// document that is none of this framework's.
	Group   string `json:"group,omitempty"`
	Version int    `json:"version,omitzero"`
	// MCP is where methods are tools, by the group of methods served there.
	MCP map[string]string `json:"mcp,omitempty"`
	// Token: calls need a token, so the ones that readers copy have a place
	// for it, also while the page has none.
	Token bool `json:"token,omitzero"`
}

// NewPage makes a page for documents, the first of which is shown first. The
// title is for everybody who can open the page; documents are only for those
// to whom their URLs answer.
func NewPage(title string, documents ...PageDocument) (*Page, error) {
	if len(documents) == 0 {
		return nil, fmt.Errorf("openrpc: a page needs at least one document to show")
	}
	var origins []string
	names := map[string]bool{}
	for i, d := range documents {
		if d.Name == "" || names[d.Name] {
			return nil, fmt.Errorf("openrpc: document %d of the page is named %q; give each a name of its own", i+1, d.Name)
		}
		names[d.Name] = true
		if d.URL == "" {
			return nil, fmt.Errorf("openrpc: document %s of the page has no URL", d.Name)
		}
		for _, at := range []string{d.URL, d.RPC} {
			origin, err := originOf(at)
			if err != nil {
				return nil, fmt.Errorf("openrpc: document %s of the page: %w", d.Name, err)
			}
			if origin != "" && !slices.Contains(origins, origin) {
				origins = append(origins, origin)
			}
		}
	}
	settings, err := json.Marshal(struct {
		Title     string         `json:"title"`
		Documents []PageDocument `json:"documents"`
	}{title, documents}, deterministic)
	if err != nil {
		return nil, err
	}
	return assemble(title, settings, origins)
}

// host is what may stand in a policy: nothing that ends a directive there, or
// means more than one host.
var host = regexp.MustCompile(`^[A-Za-z0-9.:\[\]_-]+$`)

// originOf is the origin of an absolute URL, empty for a relative one.
func originOf(at string) (string, error) {
	u, err := url.Parse(at)
	switch {
	case err != nil:
		return "", err
	case u.Scheme == "" && u.Host == "":
		return "", nil
	case u.Scheme != "http" && u.Scheme != "https" || !host.MatchString(u.Host):
		return "", fmt.Errorf("%s is not an http or https URL", u.Redacted())
	}
	return u.Scheme + "://" + u.Host, nil
}

// ServeHTTP answers GET and HEAD with the page, at whatever path it is asked.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Use GET.", http.StatusMethodNotAllowed)
		return
	}
	p.answer(w, r)
}
