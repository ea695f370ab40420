package manifest

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Schema is the version of server.json that is written.
const Schema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

// Listing is a server as the MCP Registry lists it.
type Listing struct {
	// Name is a reversed domain of the owner and a name of the server, such as
	// example.shop/tea or io.github.acme/tea.
	Name string
	// Title is the name that people read, at most 100 characters; may be empty.
	Title string
	// Description has 1 to 100 characters.
	Description string
	// Version is one version, such as 1.4.0, no range; each is published once.
	Version string
	// Website is an https URL; may be empty.
	Website string
	// URL is where the server takes messages.
	URL string
	// Token reports whether the client must send one.
	Token bool
}

// JSON is the document server.json.
func (l Listing) JSON() []byte {
	type input struct {
		Description string `json:"description"`
		Required    bool   `json:"isRequired"`
		Secret      bool   `json:"isSecret"`
	}
	type header struct {
		Name        string           `json:"name"`
		Description string           `json:"description"`
		Value       string           `json:"value"`
		Required    bool             `json:"isRequired"`
		Secret      bool             `json:"isSecret"`
		Variables   map[string]input `json:"variables"`
	}
	type transport struct {
		Type    string   `json:"type"`
		URL     string   `json:"url"`
		Headers []header `json:"headers,omitempty"`
	}
	doc := struct {
		Schema      string      `json:"$schema"`
		Name        string      `json:"name"`
		Title       string      `json:"title,omitempty"`
		Description string      `json:"description"`
		Version     string      `json:"version"`
		Website     string      `json:"websiteUrl,omitempty"`
		Remotes     []transport `json:"remotes"`
	}{Schema, l.Name, l.Title, l.Description, l.Version, l.Website, []transport{{Type: "streamable-http", URL: l.URL}}}
	if l.Token {
		doc.Remotes[0].Headers = []header{{
			Name: "Authorization", Description: "The token of the caller.", Value: "Bearer {token}", Required: true, Secret: true,
			Variables: map[string]input{"token": {"The token of the caller.", true, true}},
		}}
	}
	return pretty(doc)
}

// longest is how many characters, not bytes, a title or description may have.
const longest = 100

var (
	listedName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9-]*(\.[a-zA-Z0-9-]+)*\.[a-zA-Z0-9-]*[a-zA-Z0-9]/[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$`)
	// A range: a comparison, a list, an interval or a wildcard.
	versionRange = regexp.MustCompile(`^[\^~<>=]|\|\||\s-\s|(^|\.)[xX*](\.|-|$)`)
)

// Check holds a listing against the rules of the registry that its schema
// states, and those that publishing adds. Each fault names the field and how
// to mend it.
func (l Listing) Check() error {
	var faults []error
	add := func(field, format string, args ...any) {
		faults = append(faults, fmt.Errorf("%s: "+format, append([]any{field}, args...)...))
	}
	switch n := len(l.Name); {
	case !listedName.MatchString(l.Name):
		add("name", "%q is not a reversed domain, one slash and a name; write it like io.github.acme/tea or example.shop/tea", l.Name)
	case n > 200:
		add("name", "has %d characters; shorten it to 200", n)
	}
	if n := utf8.RuneCountInString(l.Title); n > longest {
		add("title", "has %d characters; shorten it to %d", n, longest)
	} else if l.Title != "" && strings.TrimSpace(l.Title) == "" {
		add("title", "is blank; write one or leave it out")
	}
	switch n := utf8.RuneCountInString(l.Description); {
	case n == 0:
		add("description", "is empty; write a sentence of at most %d characters", longest)
	case n > longest:
		add("description", "has %d characters; shorten it to %d", n, longest)
	}
	switch n := utf8.RuneCountInString(l.Version); {
	case n == 0:
		add("version", "is empty; write one such as 1.4.0")
	case n > 255:
		add("version", "has %d characters; shorten it to 255", n)
	case l.Version == "latest" || versionRange.MatchString(strings.TrimSpace(l.Version)):
		add("version", "%q is not one version; write one such as 1.4.0", l.Version)
	}
	if u, err := url.Parse(l.Website); l.Website != "" && (err != nil || u.Scheme != "https" || u.Host == "") {
		add("websiteUrl", "%q is not an https URL; write one or leave it out", l.Website)
	}
	if u, err := url.Parse(l.URL); err != nil || u.Scheme != "https" || u.Host == "" || loopback(u.Hostname()) {
		add("remotes[0].url", "%q is not an https URL that others reach; set Policy.PublicURL to one", l.URL)
	}
	return errors.Join(faults...)
}
