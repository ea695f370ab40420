package mcp

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Profile bundles what a kind of client needs: how tools are named, how their
// schemas are written, and how wrong arguments are answered. A request asks
// for one with ?profile= in its URL, else the edge's own counts. [Clients]
// says which client needs which, and why.
type Profile string

// The profiles.
const (
	// Plain is the protocol and nothing else: names as declared, full
	// schemas, wrong arguments are errors of the protocol.
	Plain Profile = "plain"
	// Claude is for Claude Code and Claude Desktop: names without dots that
	// stay short behind the prefix of the client.
	Claude Profile = "claude"
	// OpenAI is for Codex and the OpenAI API: names without dots.
	OpenAI Profile = "openai"
	// Gemini is for the Gemini CLI and API: schemas without references.
	Gemini Profile = "gemini"
	// Strict is what every client takes; for those that let their users choose
	// the model.
	Strict Profile = "strict"
)

// Profiles are all profiles, in the order of their constants.
func Profiles() []Profile { return []Profile{Plain, Claude, OpenAI, Gemini, Strict} }

// traits are the options that a profile bundles.
type traits struct {
	names          Names
	schemas        Schemas
	argumentErrors ArgumentErrors
	longest        int    // characters of a tool's name with what the client puts in front; 0: no limit
	prefix         string // that, %s being the server's name
}

func (p Profile) traits() (traits, bool) {
	switch p {
	case Plain:
		return traits{AsDeclared, Full, AsError, 0, ""}, true
	case Claude:
		return traits{Underscored, Full, AsResult, 64, "mcp__%s__"}, true
	case OpenAI:
		return traits{Underscored, Full, AsResult, 64, ""}, true
	case Gemini:
		return traits{AsDeclared, Inline, AsResult, 63, "mcp_%s_"}, true
	case Strict:
		return traits{Underscored, Inline, AsResult, 60, "mcp__%s__"}, true
	}
	return traits{}, false
}

// shortest is what is left of a tool's name however long the server's is.
const shortest = 24

// room is how long a tool's name may be for a server of that name; 0: any.
func (t traits) room(server string) int {
	switch {
	case t.longest == 0:
		return 0
	case t.prefix == "":
		return t.longest
	}
	return max(shortest, t.longest-len(strings.Replace(t.prefix, "%s", server, 1)))
}

// traits are those of a profile, but where the edge says otherwise.
func (e Edge) traits(p Profile) traits {
	t, _ := p.traits()
	if e.Names != 0 {
		t.names = e.Names
	}
	if e.Schemas != 0 {
		t.schemas = e.Schemas
	}
	if e.ArgumentErrors != 0 {
		t.argumentErrors = e.ArgumentErrors
	}
	return t
}

// checkOptions finds values that are none.
func (e Edge) checkOptions() error {
	switch {
	case !slices.Contains(Profiles(), e.Profile):
		return fmt.Errorf("mcp: Edge.Profile is %q; the profiles are %s", e.Profile, profileList())
	case e.Names > Underscored:
		return fmt.Errorf("mcp: Edge.Names is %d; it is AsDeclared or Underscored, 0 means as the profile says", e.Names)
	case e.Schemas > Inline:
		return fmt.Errorf("mcp: Edge.Schemas is %d; it is Full or Inline, 0 means as the profile says", e.Schemas)
	case e.ArgumentErrors > AsResult:
		return fmt.Errorf("mcp: Edge.ArgumentErrors is %d; it is AsError or AsResult, 0 means as the profile says", e.ArgumentErrors)
	}
	return nil
}

// profile is what the URL asks for: own without ?profile=. Other parameters
// mean nothing here and are ignored; ok is false for a profile that is none,
// or two of them.
func profile(r *http.Request, own Profile) (p Profile, ok bool) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	asked := query["profile"]
	switch {
	case err != nil, len(asked) > 1:
		return "", false
	case len(asked) == 0:
		return own, true
	}
	p = Profile(asked[0])
	return p, slices.Contains(Profiles(), p)
}

func profileList() string {
	var names []string
	for _, p := range Profiles() {
		names = append(names, string(p))
	}
	return strings.Join(names, ", ")
}

// key is the server's name as clients take it for a key: letters, digits,
// dashes and underscores. Codex and Copilot CLI refuse others (openai/codex
// #5635, github/copilot-cli #119).
func (e Edge) key() string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '-'
	}, e.Name)
}
