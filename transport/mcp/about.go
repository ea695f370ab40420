package mcp

import (
	"fmt"

	"github.com/go-json-experiment/json"
)

// lifetime is how long clients may keep lists and descriptions, in
// milliseconds: they change only with the program. What a caller sees may
// depend on the token and the language, which are not in the key of a shared
// cache, so the scope is private (2026-07-28, utilities, caching).
const (
	lifetime = 5 * 60 * 1000
	scope    = "private"
)

// about is what the server says of itself, as ready JSON.
type about struct {
	initialize [v20260728][]byte // results of initialize, by version
	discover   []byte            // the result of server/discover
	server     []byte            // the member _meta with the server's name
	close      []byte            // what ends a result of the new era
}

// implementation names a program (schema, Implementation).
type implementation struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Version     string `json:"version"`
	Description string `json:"description,omitempty"`
	Website     string `json:"websiteUrl,omitempty"`
}

func describe(e Edge) (about, error) {
	info := implementation{Name: e.Name, Title: e.Title, Version: e.Version}
	full := info
	full.Description, full.Website = e.Description, e.Website

	var a about
	server, err := encode(info)
	a.server = append(append([]byte(`,"_meta":{"`+keyServer+`":`), server...), '}')
	a.close = append(append([]byte{}, a.server...), "}}"...)
	for v := v20241105; v <= newestLegacy && err == nil; v++ {
		a.initialize[v], err = initializeResult(v, e.Instructions, info, full)
	}
	if err == nil {
		a.discover, err = discoverResult(e.Instructions, full)
	}
	if err != nil {
		return a, fmt.Errorf("mcp: the description of the program cannot be written as JSON: %w", err)
	}
	return a, nil
}

// initializeResult has what its version knows of an Implementation.
func initializeResult(v version, instructions string, info, full implementation) ([]byte, error) {
	switch {
	case v >= v20251125:
		info = full
	case v < v20250618:
		info.Title = ""
	}
	return encode(struct {
		Version      string         `json:"protocolVersion"`
		Capabilities capabilities   `json:"capabilities"`
		Server       implementation `json:"serverInfo"`
		Instructions string         `json:"instructions,omitempty"`
	}{v.String(), capabilities{}, info, instructions})
}

func discoverResult(instructions string, info implementation) ([]byte, error) {
	return encode(struct {
		Type         string                    `json:"resultType"`
		Versions     []string                  `json:"supportedVersions"`
		Capabilities capabilities              `json:"capabilities"`
		Instructions string                    `json:"instructions,omitempty"`
		Lifetime     int                       `json:"ttlMs"`
		Scope        string                    `json:"cacheScope"`
		Meta         map[string]implementation `json:"_meta"`
	}{
		"complete", supportedVersions(), capabilities{}, instructions, lifetime, scope,
		map[string]implementation{keyServer: info},
	})
}

// capabilities are those that are served: tools, whose list does not change.
type capabilities struct {
	Tools struct{} `json:"tools"`
}

func encode(v any) ([]byte, error) { return json.Marshal(v, json.Deterministic(true)) }
