package mcp

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp/manifest"
)

// documents are the routes below the endpoints: server.json, the manifests
// and their index. They hold no secrets and are public.
func (e Edge) documents(site *guard.Site) ([]guard.Route, error) {
	m, err := newManifests(e, site)
	if err != nil {
		return nil, err
	}
	if err := e.checkListing(site); err != nil {
		return nil, err
	}
	below := func(path string, handler func(*guard.Door) guard.Handler) guard.Route {
		return guard.Route{
			Edge: "mcp", Path: e.Path, Below: path, Group: e.Group, NoID: true, Public: true,
			Methods: []string{http.MethodGet}, Handler: handler,
		}
	}
	return []guard.Route{
		below("/server.json", m.listing), below("/manifest", m.index), below("/manifest/:name", m.serve),
	}, nil
}

// listing answers server.json.
func (m *manifests) listing(d *guard.Door) guard.Handler {
	return func(w http.ResponseWriter, r *http.Request, _ *guard.Visit) {
		l := m.edge.listing(m.base(r, d), d.Endpoint().Version, m.site.NeedsToken())
		serveDocument(w, r, "application/json", l.JSON())
	}
}

// listing is an endpoint as server.json tells of it. Without a RegistryName it
// is not for publishing, and what the registry would refuse is made to fit,
// so that the document is valid all the same.
func (e Edge) listing(address string, version int, token bool) manifest.Listing {
	l := manifest.Listing{
		Name: e.RegistryName, Title: e.Title, Description: e.Description, Version: e.Version, Website: e.Website,
		URL: address, Token: token,
	}
	if l.Name == "" {
		l.Name = reversed(address) + "/" + e.key()
		l.Title, l.Description = fit(l.Title), fit(l.Description)
		if l.Description == "" {
			l.Description = fit("Tools of " + e.Name + ".")
		}
		if u, err := url.Parse(l.Website); err != nil || u.Scheme != "https" {
			l.Website = ""
		}
	}
	if version > 1 {
		l.Name += "-v" + strconv.Itoa(version) // each name is published with its own versions
	}
	return l
}

// checkListing holds what would be published against the rules of the
// registry.
func (e Edge) checkListing(site *guard.Site) error {
	if e.RegistryName == "" {
		return nil
	}
	versions := site.Registry().Versions(e.Group)
	if len(versions) == 0 {
		return nil // said by Mount
	}
	address := site.PublicURL(nil) + e.Path
	err := e.listing(address, 1, false).Check()
	if err == nil {
		err = e.listing(address, slices.Max(versions), false).Check() // whose name is longer
	}
	if err != nil {
		return fmt.Errorf("mcp: server.json of %s cannot be published: %w", e.RegistryName, inOneLine{err})
	}
	return nil
}

// inOneLine is several faults behind each other.
type inOneLine struct{ error }

func (e inOneLine) Error() string { return strings.ReplaceAll(e.error.Error(), "\n", "; ") }

// fit shortens a text to 100 characters.
func fit(s string) string {
	const most = 100
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	cut := string([]rune(s)[:most-1])
	if at := strings.LastIndexByte(cut, ' '); at > most/2 {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, " ,;:") + "…"
}

var domain = regexp.MustCompile(`^[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)*\.[a-zA-Z][a-zA-Z0-9-]*$`)

// reversed is the host of a URL from its last label on, as names of the
// registry begin: shop.example is example.shop. What is no domain is local.
func reversed(address string) string {
	u, err := url.Parse(address)
	if err != nil || !domain.MatchString(u.Hostname()) {
		return "local"
	}
	labels := strings.Split(u.Hostname(), ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".")
}

// serverName is the key of a version in the configuration of a client.
func (e Edge) serverName(version int) string {
	if version == 1 {
		return e.key()
	}
	return e.key() + "-v" + strconv.Itoa(version)
}

// variable is the environment variable in which clients find the token.
func (e Edge) variable() string {
	name := strings.ToUpper(strings.ReplaceAll(e.key(), "-", "_")) + "_TOKEN"
	if name[0] >= '0' && name[0] <= '9' {
		name = "MCP_" + name
	}
	return name
}

// serveDocument answers a document with its ETag.
func serveDocument(w http.ResponseWriter, r *http.Request, mediaType string, doc []byte) {
	sum := sha256.Sum256(doc)
	h := w.Header()
	h.Set("Content-Type", cmp.Or(mediaType, "application/json"))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("ETag", `"`+hex.EncodeToString(sum[:16])+`"`)
	h.Set("Cache-Control", "no-cache") // it names the host that was asked
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(doc))
}
