package openrpc

import (
	"cmp"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"sync"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/transport/guard"
)

// pageRoute serves the page of an edge at Path/ui, to everybody: it holds the
// program's title and the paths that are mounted, which are public.
func pageRoute(site *guard.Site, path, group string) guard.Route {
	at := path + "/ui"
	app := site.Registry().App()
	current := &currentPage{title: cmp.Or(app.Title, app.Name)}
	return guard.Route{
		Edge: "openrpc.ui", Path: at, Document: true, Group: group, Public: true,
		Methods: []string{http.MethodGet},
		Handler: func(*guard.Door) guard.Handler {
			return func(w http.ResponseWriter, r *http.Request, _ *guard.Visit) {
				page, err := current.of(served(site, at, group))
				if err != nil {
					guard.Refuse(w, r, http.StatusInternalServerError, rpcerrors.From(err))
					return
				}
				page.answer(w, r)
			}
		},
	}
}

// currentPage is the page of the documents that are served now: some may be
// turned off and on while the program runs.
type currentPage struct {
	title string

	mu   sync.Mutex
	list []PageDocument
	page *Page
}

// of is the page of these documents, made when they change.
func (c *currentPage) of(list []PageDocument) (*Page, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.page != nil && reflect.DeepEqual(list, c.list) {
		return c.page, nil
	}
	page, err := NewPage(c.title, list...)
	if err != nil {
		return nil, err
	}
	c.list, c.page = list, page
	return page, nil
}

// served lists the documents that are served now: those of the page's own group
// first, the oldest version first.
func served(site *guard.Site, at, group string) []PageDocument {
	registry := site.Registry()
	groups := []string{group}
	for _, g := range registry.Groups() {
		if g != group {
			groups = append(groups, g)
		}
	}
	var list []PageDocument
	for _, g := range groups {
		for _, version := range registry.Versions(g) {
			path := site.Path("openrpc", g, version)
			if path == "" {
				continue
			}
			d := PageDocument{Name: "v" + strconv.Itoa(version), URL: relative(at, path), Group: g, Version: version, Token: site.NeedsToken()}
			if g != group {
				d.Name = g + "." + d.Name
			}
			if rpc := site.Path("rpc", g, version); rpc != "" {
				d.RPC = relative(at, rpc)
			}
			d.MCP = tools(site, at, registry.Groups(), version)
			list = append(list, d)
		}
	}
	return list
}

// tools is where methods of a version are served as tools, by their groups.
func tools(site *guard.Site, at string, groups []string, version int) map[string]string {
	found := map[string]string{}
	for _, g := range groups {
		if path := site.Path("mcp", g, version); path != "" {
			found[g] = relative(at, path)
		}
	}
	return found
}

// relative is the address of path as seen from the page: a proxy may serve
// both under a prefix that the program does not know.
func relative(page, path string) string {
	return strings.Repeat("../", strings.Count(page, "/")-1) + strings.TrimPrefix(path, "/")
}
