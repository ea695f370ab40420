package oauth_test

import (
	"crypto/x509"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/guard/oauth"
	"github.com/go-jose/go-jose/v4"
)

// refused are tokens that are not valid, each for one reason.
func refused(t testing.TB) map[string]string {
	key, now := rsaKey(), time.Now().Unix()
	good := key.sign(t, body(t, nil), nil)
	with := func(name string, value any) string { return key.sign(t, body(t, map[string]any{name: value}), nil) }
	parts := strings.Split(good, ".")
	encode := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	der, err := x509.MarshalPKIXPublicKey(key.private.Public())
	if err != nil {
		t.Fatal(err)
	}
	confused := func(secret []byte) string {
		return signed(t, jose.SigningKey{Algorithm: jose.HS256, Key: jose.JSONWebKey{Key: secret, KeyID: key.id}}, body(t, nil), nil)
	}
	stranger := newRSA("stranger")
	own := signed(t, jose.SigningKey{Algorithm: jose.RS256, Key: stranger.private}, body(t, nil), &jose.SignerOptions{EmbedJWK: true})
	return map[string]string{
		"no JWT":                 "opaque",
		"empty parts":            "..",
		"alg none":               encode(`{"alg":"none","kid":"rsa-1"}`) + "." + parts[1] + ".",
		"alg None":               encode(`{"alg":"None"}`) + "." + parts[1] + "." + parts[2],
		"no alg":                 encode(`{"kid":"rsa-1"}`) + "." + parts[1] + "." + parts[2],
		"HS256, public key DER":  confused(der),
		"HS256, public key JSON": confused(must(key.public().MarshalJSON())),
		"RS512, not allowed":     signer{key.private, key.id, "RS512"}.sign(t, body(t, nil), nil),
		"PS256, key for RS256":   signer{key.private, key.id, "PS256"}.sign(t, body(t, nil), nil),
		"ES256 by an RSA key ID": signer{ecKey().private, key.id, "ES256"}.sign(t, body(t, nil), nil),
		"key of its own, jwk":    own,
		"key of its own, jku":    stranger.sign(t, body(t, nil), map[string]any{"jku": "https://evil.example/keys"}),
		"a stranger's signature": otherRSA().sign(t, body(t, nil), nil),
		"no signature":           parts[0] + "." + parts[1] + ".",
		"spoiled signature":      spoil(good, 2),
		"spoiled payload":        spoil(good, 1),
		"crit":                   key.sign(t, body(t, nil), map[string]any{"crit": []string{"x"}, "x": 1}),
		"typ of logout":          key.sign(t, body(t, nil), map[string]any{"typ": "logout+jwt"}),
		"not an object":          key.sign(t, `"olena"`, nil),
		"a member twice":         key.sign(t, strings.Replace(body(t, nil), `"sub":`, `"sub":"eve","sub":`, 1), nil),
		"iss in another case":    key.sign(t, strings.Replace(body(t, nil), `"iss":`, `"ISS":`, 1), nil),
		"another issuer":         with("iss", "https://evil.example"),
		"issuer with a slash":    with("iss", home+"/"),
		"no issuer":              with("iss", nil),
		"another audience":       with("aud", "https://other.example"),
		"audience, a prefix":     with("aud", "https://shop.example/mcp/"),
		"no audience":            with("aud", nil),
		"empty audience":         with("aud", []string{}),
		"expired":                with("exp", now-31),
		"expired long ago":       with("exp", 1),
		"expiry is no number":    with("exp", "soon"),
		"no expiry":              with("exp", nil),
		"expiry null":            key.sign(t, strings.Replace(body(t, nil), `"exp":`, `"exp":null,"was":`, 1), nil),
		"not yet valid":          with("nbf", now+60),
		"no subject":             with("sub", nil),
		"empty subject":          with("sub", ""),
		"very long subject":      with("sub", strings.Repeat("s", 513)),
		"bound to a key":         with("cnf", map[string]any{"jkt": "x"}),
		"scope is a number":      with("scope", 7),
		"very long":              with("scope", strings.Repeat("x ", 10_000)),
		"unknown key":            signer{key.private, "rsa-9", "RS256"}.sign(t, body(t, nil), nil),
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// R-S01: what is no valid token of the issuer for this program is refused, and
// says so: it is not the issuer that failed.
func TestRefusedTokens(t *testing.T) {
	server := newServer(t, newIssuer(rsaKey(), ecKey()).options())
	for name, token := range refused(t) {
		t.Run(name, func(t *testing.T) {
			caller, err := server.Verify(t.Context(), token)
			if caller != nil || !errors.Is(err, guard.ErrToken) {
				t.Fatalf("%+v, %v", caller, err)
			}
			if text := err.Error(); strings.Contains(text, "olena") || len(text) > 150 {
				t.Errorf("tells too much: %s", text)
			}
		})
	}
}

// R-S01: the subject is the caller, scopes are its scopes.
func TestAcceptedTokens(t *testing.T) {
	key, now := rsaKey(), time.Now().Unix()
	for name, c := range map[string]struct {
		signer  signer
		changes map[string]any
		header  map[string]any
		scopes  []string
	}{
		"plain":                {key, nil, nil, []string{"shop:read", "shop:write"}},
		"EC":                   {ecKey(), nil, nil, []string{"shop:read", "shop:write"}},
		"no key ID":            {signer{key.private, "", "RS256"}, nil, nil, []string{"shop:read", "shop:write"}},
		"at+jwt":               {key, nil, map[string]any{"typ": "at+jwt"}, []string{"shop:read", "shop:write"}},
		"application/at+jwt":   {key, nil, map[string]any{"typ": "application/AT+jwt"}, []string{"shop:read", "shop:write"}},
		"JWT":                  {key, nil, map[string]any{"typ": "JWT"}, []string{"shop:read", "shop:write"}},
		"one audience of two":  {key, map[string]any{"aud": []string{"x", audience}}, nil, []string{"shop:read", "shop:write"}},
		"no scope":             {key, map[string]any{"scope": nil}, nil, nil},
		"scopes in an array":   {key, map[string]any{"scope": []string{"a", "b"}}, nil, []string{"a", "b"}},
		"scp":                  {key, map[string]any{"scope": nil, "scp": "a b a"}, nil, []string{"a", "b"}},
		"expired, in leeway":   {key, map[string]any{"exp": now - 10, "scope": "a"}, nil, []string{"a"}},
		"not yet, in leeway":   {key, map[string]any{"nbf": now + 10, "scope": "a"}, nil, []string{"a"}},
		"expiry with fraction": {key, map[string]any{"exp": float64(now) + 0.5, "scope": "a"}, nil, []string{"a"}},
	} {
		t.Run(name, func(t *testing.T) {
			server := newServer(t, newIssuer(key, ecKey()).options())
			caller, err := server.Verify(t.Context(), c.signer.sign(t, body(t, c.changes), c.header))
			if err != nil {
				t.Fatal(err)
			}
			if caller.ID != "olena" || !slices.Equal(caller.Scopes, c.scopes) || caller.Groups != nil {
				t.Errorf("%+v", caller)
			}
		})
	}
}

// R-S01: a renewed token is the same caller.
func TestRenewedTokenKeepsTheCaller(t *testing.T) {
	server := newServer(t, newIssuer(rsaKey(), nextRSA()).options())
	var ids []string
	for _, token := range []string{
		rsaKey().sign(t, body(t, map[string]any{"jti": "1"}), nil),
		nextRSA().sign(t, body(t, map[string]any{"jti": "2", "scope": "other"}), nil),
	} {
		caller, err := server.Verify(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, caller.ID)
	}
	if ids[0] != ids[1] {
		t.Errorf("%q", ids)
	}
}

// R-S01: scopes open groups; without one of them a token opens none.
func TestGroupsOfScopes(t *testing.T) {
	o := newIssuer(rsaKey()).options()
	o.Groups = map[string][]string{"shop:read": {rpc.DefaultGroup, "mcp"}, "shop:admin": {rpc.AnyGroup}}
	server := newServer(t, o)
	for _, c := range []struct {
		scope              string
		calls, tools, rest bool
	}{
		{"shop:read", true, true, false},
		{"shop:admin", true, true, true},
		{"shop:read shop:admin", true, true, true},
		{"shop:READ", false, false, false},
		{"other", false, false, false},
		{"", false, false, false},
	} {
		caller, err := server.Verify(t.Context(), rsaKey().sign(t, body(t, map[string]any{"scope": c.scope}), nil))
		if err != nil {
			t.Fatal(err)
		}
		for group, want := range map[string]bool{rpc.DefaultGroup: c.calls, "mcp": c.tools, "internal": c.rest} {
			if caller.MayEnter(group) != want {
				t.Errorf("%q enters %s: %v", c.scope, group, !want)
			}
		}
	}
	if got := server.ScopesFor("mcp"); !slices.Equal(got, []string{"shop:read"}) {
		t.Errorf("%q open mcp", got)
	}
	if got := newServer(t, newIssuer().options()).ScopesFor("mcp"); got != nil {
		t.Errorf("%q", got)
	}
}

// The algorithms are the program's choice.
func TestAlgorithms(t *testing.T) {
	o := newIssuer(rsaKey(), ecKey()).options()
	o.Algorithms = []string{"ES256"}
	server := newServer(t, o)
	if _, err := server.Verify(t.Context(), ecKey().sign(t, body(t, nil), nil)); err != nil {
		t.Error(err)
	}
	if _, err := server.Verify(t.Context(), rsaKey().sign(t, body(t, nil), nil)); !errors.Is(err, guard.ErrToken) {
		t.Error(err)
	}
}

func BenchmarkVerify(b *testing.B) {
	for name, key := range map[string]signer{"RS256": rsaKey(), "ES256": ecKey()} {
		b.Run(name, func(b *testing.B) {
			server := newServer(b, newIssuer(rsaKey(), ecKey()).options())
			token := key.sign(b, body(b, nil), nil)
			for b.Loop() {
				if _, err := server.Verify(b.Context(), token); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

var _ guard.Verifier = (&oauth.Server{}).Verify
