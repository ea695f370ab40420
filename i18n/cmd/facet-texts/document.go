package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/facet-rpc/facet/i18n"
	"github.com/go-json-experiment/json"
)

// library is what the documents say: the texts that can be translated, in the
// order of the documents.
type library struct {
	keys   []string
	texts  map[string]string   // by key; empty: nothing is said there
	groups map[string][]string // of the method of a key; nil for errors
	any    map[string]bool     // every group

	builtin *i18n.Texts // what Facet itself has
}

// document is what is read of an OpenRPC document.
type document struct {
	OpenRPC string `json:"openrpc"`
	Methods []struct {
		Name        string   `json:"name"`
		Summary     string   `json:"summary"`
		Description string   `json:"description"`
		Groups      []string `json:"x-groups"`
		Params      []struct {
			Name        string `json:"name"`
			Description string `json:"description"`
		} `json:"params"`
	} `json:"methods"`
	Components struct {
		Errors map[string]struct {
			Message string `json:"message"`
			Data    struct {
				Properties struct {
					Exception struct {
						Const string `json:"const"`
					} `json:"exception"`
				} `json:"properties"`
			} `json:"data"`
		} `json:"errors"`
	} `json:"components"`
}

func readDocuments(files []string) (*library, error) {
	builtin, err := i18n.Load(nil)
	if err != nil {
		return nil, err
	}
	l := &library{texts: map[string]string{}, groups: map[string][]string{}, any: map[string]bool{}, builtin: builtin}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var doc document
		if err := json.Unmarshal(text, &doc); err != nil {
			return nil, fmt.Errorf("%s is no OpenRPC document: %w", file, err)
		}
		if doc.OpenRPC == "" {
			return nil, fmt.Errorf("%s is no OpenRPC document: it has no member openrpc", file)
		}
		l.take(&doc)
	}
	return l, nil
}

// take adds what a document says.
func (l *library) take(doc *document) {
	for _, m := range doc.Methods {
		title := m.Summary
		if title == m.Name {
			title = "" // the name stands in for one
		}
		l.add(m.Name+".title", title, m.Groups)
		l.add(m.Name+".description", undeprecated(m.Description), m.Groups)
		for _, p := range m.Params {
			l.add(m.Name+".params."+p.Name, undeprecated(p.Description), m.Groups)
		}
	}
	for _, name := range sorted(doc.Components.Errors) {
		e := doc.Components.Errors[name]
		kind := e.Data.Properties.Exception.Const
		if kind == "" {
			kind = name
		}
		l.add("errors."+kind, e.Message, nil)
	}
}

func (l *library) add(key, text string, groups []string) {
	if _, ok := l.texts[key]; !ok {
		l.keys = append(l.keys, key)
		l.texts[key] = text
		l.groups[key] = groups
	}
	for _, g := range groups {
		l.any[g] = true
	}
}

// undeprecated is a text without its last paragraph, which the document adds
// to every language.
func undeprecated(text string) string {
	if strings.HasPrefix(text, "Deprecated: ") {
		return ""
	}
	if i := strings.LastIndex(text, "\n\nDeprecated: "); i >= 0 {
		return text[:i]
	}
	return text
}
