package openrpc

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// library renders and keeps the documents of one edge.
type library struct {
	site  *guard.Site
	cache *cache
}

// reader is who asks for a document.
type reader struct {
	endpoint *rpc.Endpoint
	caller   *rpc.Caller
	language string
	server   string
}

// handler serves the document of the endpoint behind the door.
func (l *library) handler(door *guard.Door) guard.Handler {
	return func(w http.ResponseWriter, r *http.Request, v *guard.Visit) {
		query := r.URL.Query()
		p, err := l.page(reader{
			endpoint: door.Endpoint(), caller: v.Caller, language: v.Language,
			server: l.server(r, door.Endpoint()),
		}, form{info: query.Has("info"), pretty: query.Has("pretty")})
		if err != nil {
			guard.Refuse(w, r, http.StatusInternalServerError, v.Translate(rpcerrors.From(err)))
			return
		}
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("ETag", p.etag)
		// What a caller may see is not for caches that others share, and a
		// token or a release may change it at any time.
		h.Set("Cache-Control", "private, no-cache")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(p.bytes))
	}
}

// discover is rpc.discover: the document of the endpoint that is called.
func (l *library) discover(ctx context.Context) (jsontext.Value, error) {
	call := rpc.CallFrom(ctx)
	p, err := l.page(reader{
		endpoint: call.Endpoint, caller: call.Caller, language: call.Language,
		server: l.server(nil, call.Endpoint),
	}, form{})
	if err != nil {
		return nil, err
	}
	return p.bytes, nil
}

// server is where the endpoint takes calls; empty when no JSON-RPC edge serves
// it, or nothing says where the program is reached: rpc.discover has no
// request to ask, so r is nil there.
func (l *library) server(r *http.Request, e *rpc.Endpoint) string {
	url, path := l.site.PublicURL(r), l.site.Path("rpc", e.Group, e.Version)
	if url == "" || path == "" {
		return ""
	}
	return url + path
}

// page is the document for a reader, rendered once for all who see the same.
func (l *library) page(to reader, f form) (*page, error) {
	specs := to.endpoint.Specs()
	bits := make([]byte, (len(specs)+7)/8)
	for i, s := range specs {
		if l.site.Visible(to.caller, s) {
			bits[i/8] |= 1 << (i % 8)
		}
	}
	if f.info {
		clear(bits) // no methods are shown
	}
	k := key{to.endpoint, to.language, to.endpoint.TextRevision(), to.server, string(bits), f}
	return l.cache.page(k, func() (*page, error) { return l.render(to, f) })
}

func (l *library) render(to reader, f form) (*page, error) {
	registry := l.site.Registry()
	var doc jsontext.Value
	var err error
	if f.info {
		doc, err = json.Marshal(head(registry.App(), to.endpoint, to.server), deterministic)
	} else {
		doc, err = Document(registry, to.endpoint, Options{
			Language: to.language, ServerURL: to.server,
			Visible: func(s *rpc.Spec) bool { return l.site.Visible(to.caller, s) },
		})
	}
	if err == nil && f.pretty {
		err = doc.Indent()
	}
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(doc)
	return &page{doc, `"` + hex.EncodeToString(sum[:16]) + `"`}, nil
}
