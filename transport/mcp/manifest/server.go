// Package manifest writes the configurations with which MCP clients reach a
// server over Streamable HTTP, and its server.json for the MCP Registry.
//
// A configuration never holds a secret. It names the environment variable
// that has the token where the client reads one, else it has a placeholder.
package manifest

import (
	"net"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Server is what a client has to know of a server.
type Server struct {
	// Name is the key of the server in the client's configuration: letters,
	// digits, dashes and underscores.
	Name string
	// Title is the name that people read.
	Title string
	// Description says in a sentence what the server offers; may be empty.
	Description string
	// URL is where the server takes messages, such as
	// https://shop.example/mcp?profile=claude.
	URL string
	// Token is the environment variable that has the token, such as
	// SHOP_TOKEN; empty: the server needs none, or the client gets one by
	// OAuth.
	Token string
}

// placeholder stands where a client reads no environment variable.
func (s Server) placeholder() string { return "YOUR_" + s.Token }

// headers are the headers of every request, around the client's own way to
// name the environment variable; nil when no token is sent.
func (s Server) headers(before, after string) map[string]string {
	if s.Token == "" {
		return nil
	}
	return map[string]string{"Authorization": "Bearer " + before + s.Token + after}
}

// plain reports whether messages go over the network unencrypted.
func (s Server) plain() bool {
	u, err := url.Parse(s.URL)
	if err != nil || u.Scheme != "http" {
		return false
	}
	return !loopback(u.Hostname())
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// pretty is v as JSON for people.
func pretty(v any) []byte {
	// It cannot fail: there are but texts in structs and maps.
	out, _ := json.Marshal(v, json.Deterministic(true), jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true))
	return append(out, '\n')
}
