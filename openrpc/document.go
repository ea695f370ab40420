package openrpc

import (
	"cmp"
	"fmt"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// specification is the version of OpenRPC that documents follow.
const specification = "1.3.2"

var deterministic = json.Deterministic(true)

// Options says what a document shows. The zero Options lists every method,
// in English as declared, and names no server.
type Options struct {
	// Language is the language of titles and descriptions; empty: as declared.
	Language string
	// Visible says which methods are listed; nil: all.
	Visible func(*rpc.Spec) bool
	// ServerURL is where calls go to, an absolute URL such as
	// https://shop.example/rpc; empty: the document names no server.
	ServerURL string
}

// document is the OpenRPC Object.
type document struct {
	OpenRPC      string        `json:"openrpc"`
	Info         info          `json:"info"`
	ExternalDocs *externalDocs `json:"externalDocs,omitzero"`
	Servers      []server      `json:"servers,omitempty"`
	Methods      []method      `json:"methods,omitzero"`
	Components   *components   `json:"components,omitzero"`
	Control      *control      `json:"x-rpc,omitzero"`
}

// info is the Info Object, and which endpoint the document is of.
type info struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Description string `json:"description,omitempty"`
	Group       string `json:"x-group"`
	Endpoint    int    `json:"x-version"`
}

type externalDocs struct {
	URL string `json:"url"`
}

// docs is where people read more; nil for nowhere.
func docs(url string) *externalDocs {
	if url == "" {
		return nil
	}
	return &externalDocs{url}
}

type server struct {
	URL string `json:"url"`
}

// components holds only what the methods of the document reach, so that it
// tells nothing of methods that are not in it.
type components struct {
	Schemas map[string]jsontext.Value `json:"schemas,omitempty"`
	Errors  map[string]jsontext.Value `json:"errors,omitempty"`
}

// Document writes the OpenRPC document of an endpoint, the same that the
// [Edge] serves. The same program writes the same bytes in every run.
//
//	endpoint := registry.Endpoint(rpc.DefaultGroup, 1)
//	doc, err := openrpc.Document(registry, endpoint, openrpc.Options{})
func Document(registry *rpc.Registry, endpoint *rpc.Endpoint, options Options) ([]byte, error) {
	if endpoint == nil {
		return nil, fmt.Errorf("openrpc: there is no such endpoint: " +
			"Registry.Endpoint returns nil for a group or version that has no methods")
	}
	doc := head(registry.App(), endpoint, options.ServerURL)
	w := newWriter(registry, endpoint, options.Language)
	doc.Methods = []method{}
	for _, s := range endpoint.Specs() {
		if options.Visible != nil && !options.Visible(s) {
			continue
		}
		m, err := w.method(s)
		if err != nil {
			return nil, fmt.Errorf("openrpc: %s: %w", s.Name(), err)
		}
		doc.Methods = append(doc.Methods, m)
	}
	doc.Control = settings()
	doc.Components = &components{w.schemas.definitions, w.errors.entries}
	return json.Marshal(doc, deterministic)
}

// head is the document without methods and components.
func head(app rpc.App, endpoint *rpc.Endpoint, serverURL string) document {
	doc := document{OpenRPC: specification, Info: info{
		Title: cmp.Or(app.Title, app.Name), Version: app.Version, Description: app.Description,
		Group: endpoint.Group, Endpoint: endpoint.Version,
	}}
	doc.ExternalDocs = docs(app.Website)
	if serverURL != "" {
		doc.Servers = []server{{serverURL}}
	}
	return doc
}

// writer writes the methods of one endpoint and collects what they refer to.
type writer struct {
	endpoint *rpc.Endpoint
	language string
	schemas  *schemas
	errors   *errorBook
}

func newWriter(registry *rpc.Registry, endpoint *rpc.Endpoint, language string) *writer {
	s := &schemas{model: registry.Model(), definitions: map[string]jsontext.Value{}}
	return &writer{
		endpoint: endpoint, language: language, schemas: s,
		errors: &errorBook{
			schemas: s, entries: map[string]jsontext.Value{},
			text: func(d rpcerrors.Declared) string { return endpoint.ErrorText(d, language) },
		},
	}
}
