// Package oauth lets callers in with the access tokens of an OAuth 2.1
// authorization server: JWTs that are verified here with the server's keys, or
// opaque tokens that the server is asked about (RFC 7662).
//
//	server, err := oauth.New(ctx, oauth.Options{
//		Issuer:   "https://login.shop.example",
//		Audience: []string{"https://shop.example/mcp"},
//	})
//	…
//	policy := guard.Policy{PublicURL: "https://shop.example", Verifier: server.Verify}
//
// [Metadata] is the document by which clients find the authorization server.
package oauth

import (
	"context"
	stderrors "errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
)

// Options say whose tokens are taken, and what they open.
type Options struct {
	// Issuer is the authorization server: the iss of its tokens, compared as
	// it is written. Its keys are found by discovery unless JWKSURL is given.
	// Empty: all tokens are introspected.
	Issuer string
	// Audience are the names this program goes by in tokens, such as
	// https://shop.example/mcp; the aud of a token must have one of them.
	Audience []string
	// JWKSURL is where the keys of the Issuer are.
	JWKSURL string
	// Introspection asks the server about tokens that are not JWTs; nil: such
	// tokens are not valid.
	Introspection *Introspection
	// Algorithms are the signatures that are taken; nil: RS256, ES256, PS256
	// and EdDSA. Those with a shared secret, and none, are refused.
	Algorithms []string
	// Groups are what scopes open: a scope's groups, [rpc.AnyGroup] for all.
	// A token with none of these scopes enters no group. nil: every valid
	// token enters [rpc.DefaultGroup].
	Groups map[string][]string
	// Leeway is how far the clocks may be apart; 0: 30 seconds, at most 5
	// minutes.
	Leeway time.Duration
	// Client makes the requests to the authorization server; nil: one with
	// http.DefaultTransport. Redirects are never followed.
	Client *http.Client
}

// Introspection is an endpoint of RFC 7662 and what this program is known by there.
type Introspection struct {
	URL string
	// ClientID and Secret go as HTTP Basic, as RFC 6749 section 2.3.1 has it.
	ClientID, Secret string
	// Keep is how long an answer is used again, never beyond the token's
	// expiry; a revoked token is valid for that long. 0: 30 seconds.
	Keep time.Duration
}

const (
	defaultLeeway = 30 * time.Second
	maxLeeway     = 5 * time.Minute
	defaultKeep   = 30 * time.Second
	// maxToken is the longest token that is looked at, in bytes.
	maxToken = 16 << 10
	// patience is how long the authorization server has to answer what a call
	// needs of it.
	patience = 5 * time.Second
)

// defaultAlgorithms have no shared secret; RFC 9068 requires the first.
var defaultAlgorithms = []string{"RS256", "ES256", "PS256", "EdDSA"}

// Server is an authorization server whose tokens are taken.
type Server struct {
	issuer        string
	leeway        time.Duration
	audience      []string
	groups        map[string][]string
	algorithms    []string
	keys          *keys         // nil: no JWTs
	introspection *introspector // nil: no opaque tokens
}

// New checks the options and returns all that is wrong with them. It asks the
// authorization server nothing: a program starts also when that is down. The
// requests made later end with ctx.
func New(ctx context.Context, o Options) (*Server, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &Server{
		issuer: o.Issuer, leeway: o.Leeway, algorithms: slices.Clone(o.Algorithms),
		audience: slices.Clone(o.Audience), groups: map[string][]string{},
	}
	if s.leeway == 0 {
		s.leeway = defaultLeeway
	}
	if s.algorithms == nil {
		s.algorithms = defaultAlgorithms
	}
	if o.Groups == nil {
		s.groups = nil
	}
	for scope, groups := range o.Groups {
		s.groups[scope] = slices.Clone(groups)
	}
	web := newWeb(ctx, o.Client)
	if o.Issuer != "" {
		s.keys = &keys{web: web, issuer: o.Issuer, url: o.JWKSURL}
	}
	if o.Introspection != nil {
		s.introspection = newIntrospector(web, *o.Introspection)
	}
	return s, nil
}

// Verify is the [guard.Verifier] of the server's tokens. The ID of the caller
// is the token's subject, so it stays when the token is renewed. An error
// that is not [guard.ErrToken] says that the authorization server could not
// be asked.
func (s *Server) Verify(ctx context.Context, token string) (*rpc.Caller, error) {
	if len(token) > maxToken {
		return nil, fmt.Errorf("%w: longer than %d bytes", guard.ErrToken, maxToken)
	}
	var c *claims
	var err error
	switch jwt := strings.Count(token, ".") == 2; {
	case s.keys != nil && (jwt || s.introspection == nil):
		c, err = s.verifyJWT(ctx, token)
	default:
		c, err = s.introspection.ask(ctx, token)
	}
	if err != nil {
		return nil, err
	}
	if err := s.checkClaims(c, time.Now()); err != nil {
		return nil, err
	}
	return &rpc.Caller{ID: c.Subject, Scopes: c.scopes(), Groups: s.groupsOf(c.scopes())}, nil
}

// noGroup is in place of no groups, which would mean the default one; no
// group has this name.
const noGroup = ""

// groupsOf is what the scopes open.
func (s *Server) groupsOf(scopes []string) []string {
	if s.groups == nil {
		return nil
	}
	groups := []string{noGroup}
	for _, scope := range scopes {
		for _, g := range s.groups[scope] {
			if !slices.Contains(groups, g) {
				groups = append(groups, g)
			}
		}
	}
	return groups
}

// ScopesFor are the scopes of [Options.Groups] that open the group, in order.
func (s *Server) ScopesFor(group string) []string {
	var scopes []string
	for scope, groups := range s.groups {
		if slices.Contains(groups, group) {
			scopes = append(scopes, scope)
		}
	}
	slices.Sort(scopes)
	return scopes
}

// check returns all faults at once.
func (o *Options) check() error {
	var faults []error
	add := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("oauth: "+format, args...))
	}
	if o.Issuer == "" && o.Introspection == nil {
		add("give the Issuer whose tokens are taken, or Introspection")
	}
	if o.Issuer == "" && o.JWKSURL != "" {
		add("JWKSURL needs the Issuer whose keys are there")
	}
	checkURL(add, "Issuer", o.Issuer)
	checkURL(add, "JWKSURL", o.JWKSURL)
	if len(o.Audience) == 0 || slices.Contains(o.Audience, "") {
		add("Audience must name this program as tokens do, or tokens for other programs would be taken; for MCP it is the URL of the endpoint, such as https://shop.example/mcp")
	}
	for i, a := range o.Algorithms {
		if !slices.Contains(asymmetric, a) {
			add("Algorithms[%d] is %q; take of %s", i, a, strings.Join(asymmetric, ", "))
		}
	}
	if o.Algorithms != nil && len(o.Algorithms) == 0 {
		add("Algorithms is an empty list, so no token could be valid; leave it out")
	}
	if o.Leeway < 0 || o.Leeway > maxLeeway {
		add("Leeway is %v; it is up to %v, 0 means %v", o.Leeway, maxLeeway, defaultLeeway)
	}
	if i := o.Introspection; i != nil {
		if i.URL == "" || i.ClientID == "" || i.Secret == "" {
			add("Introspection needs URL, ClientID and Secret; were the environment variables set?")
		}
		checkURL(add, "Introspection.URL", i.URL)
		if i.Keep < 0 || i.Keep > maxLeeway {
			add("Introspection.Keep is %v; it is up to %v, 0 means %v", i.Keep, maxLeeway, defaultKeep)
		}
	}
	return stderrors.Join(faults...)
}
