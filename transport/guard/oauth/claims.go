package oauth

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/facet-rpc/facet/transport/guard"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// claims are what a token says (RFC 9068 section 2.2) and what introspection
// answers (RFC 7662 section 2.2): the names are the same.
type claims struct {
	Issuer    string   `json:"iss"`
	Subject   string   `json:"sub"`
	Audience  list     `json:"aud"`
	Expiry    *float64 `json:"exp"` // seconds since 1970, with a fraction perhaps
	NotBefore *float64 `json:"nbf"`
	Scope     words    `json:"scope"`
	Scp       words    `json:"scp"` // of issuers older than RFC 9068
	// Confirmation binds the token to a key of its holder (RFC 7800).
	Confirmation raw `json:"cnf"`
}

// maxSubject is the longest subject, in bytes: it goes into logs and keys.
const maxSubject = 512

// checkClaims holds the claims against the options.
func (s *Server) checkClaims(c *claims, now time.Time) error {
	seconds := float64(now.UnixMilli()) / 1000
	leeway := s.leeway.Seconds()
	wrong := ""
	switch {
	case s.issuer != "" && c.Issuer != "" && c.Issuer != s.issuer:
		wrong = "of another issuer"
	case !slices.ContainsFunc(c.Audience, func(a string) bool { return slices.Contains(s.audience, a) }):
		wrong = "for another audience"
	case c.Expiry != nil && seconds >= *c.Expiry+leeway:
		wrong = "expired"
	case c.NotBefore != nil && seconds < *c.NotBefore-leeway:
		wrong = "not valid yet"
	case c.Subject == "" || len(c.Subject) > maxSubject:
		wrong = "without a subject, or with a very long one"
	case len(c.Confirmation) > 0 && string(c.Confirmation) != "null":
		// Whoever sends it would have to prove the key, which is not asked
		// for: a stolen token must not be worth more here.
		wrong = "bound to a key"
	default:
		return nil
	}
	return fmt.Errorf("%w: %s", guard.ErrToken, wrong)
}

// scopes are each of the token's scopes once.
func (c *claims) scopes() []string {
	var all []string
	for _, s := range slices.Concat(c.Scope, c.Scp) {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// list is a string or several.
type list []string

// UnmarshalJSONFrom reads either.
func (l *list) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() == '"' {
		*l = make(list, 1)
		return json.UnmarshalDecode(d, &(*l)[0])
	}
	return json.UnmarshalDecode(d, (*[]string)(l))
}

// words are a string with spaces between them (RFC 6749 section 3.3), or
// several strings.
type words []string

// UnmarshalJSONFrom reads either.
func (w *words) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var l list
	if err := l.UnmarshalJSONFrom(d); err != nil {
		return err
	}
	*w = nil
	for _, s := range l {
		*w = append(*w, strings.Fields(s)...)
	}
	return nil
}
