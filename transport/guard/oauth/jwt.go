package oauth

import (
	"context"
	"crypto"
	"fmt"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json"
)

// asymmetric are the signatures whose key may be public.
var asymmetric = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512,
	oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA,
}

// verifyJWT is the claims of a token that the issuer signed. Which algorithm
// a token may have is said by the options and by the key, never by the token.
func (s *Server) verifyJWT(ctx context.Context, token string) (*claims, error) {
	head, err := s.header(token)
	if err != nil {
		return nil, err
	}
	found, err := s.keys.find(ctx, head.KeyID, head.Algorithm)
	if err != nil {
		return nil, err
	}
	set := &oidc.StaticKeySet{}
	for _, key := range found {
		set.PublicKeys = append(set.PublicKeys, crypto.PublicKey(key))
	}
	// The audience and the times are checked by checkClaims, as those of
	// introspected tokens.
	verified, err := oidc.NewVerifier(s.issuer, set, &oidc.Config{
		SupportedSigningAlgs: []string{head.Algorithm}, SkipClientIDCheck: true, SkipExpiryCheck: true,
	}).Verify(ctx, token)
	if err != nil {
		return nil, fmt.Errorf("%w: the signature or the issuer is wrong", guard.ErrToken)
	}
	var text raw
	if err := verified.Claims(&text); err != nil {
		return nil, fmt.Errorf("%w: no claims", guard.ErrToken)
	}
	c := &claims{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("%w: the claims are not those of RFC 9068", guard.ErrToken)
	}
	if c.Issuer != s.issuer || c.Expiry == nil {
		return nil, fmt.Errorf("%w: no issuer or no expiry", guard.ErrToken)
	}
	return c, nil
}

// header is what the token says of its signature, before that is verified.
func (s *Server) header(token string) (*jose.Header, error) {
	allowed := make([]jose.SignatureAlgorithm, len(s.algorithms))
	for i, a := range s.algorithms {
		allowed[i] = jose.SignatureAlgorithm(a)
	}
	parsed, err := jose.ParseSignedCompact(token, allowed)
	if err != nil || len(parsed.Signatures) != 1 {
		return nil, fmt.Errorf("%w: not a JWT that is signed as the options allow", guard.ErrToken)
	}
	head := parsed.Signatures[0].Protected
	// Other kinds of JWT by the same issuer, such as logout tokens, are no
	// access tokens (RFC 8725 section 3.11). Many issuers write JWT or nothing.
	kind, _ := head.ExtraHeaders[jose.HeaderType].(string)
	switch strings.TrimPrefix(strings.ToLower(kind), "application/") {
	case "", "jwt", "at+jwt":
		return &head, nil
	}
	return nil, fmt.Errorf("%w: its typ is of another kind of JWT", guard.ErrToken)
}
