package oauth_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/facet-rpc/facet/transport/guard/oauth"
	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json"
)

const (
	home     = "https://login.example"
	audience = "https://shop.example/mcp"
)

// signer is a private key of an issuer and its public half.
type signer struct {
	private   crypto.Signer
	id        string
	algorithm string
}

var (
	rsaKey   = sync.OnceValue(func() signer { return newRSA("rsa-1") })
	otherRSA = sync.OnceValue(func() signer { return newRSA("rsa-1") }) // a stranger's, under the same ID
	nextRSA  = sync.OnceValue(func() signer { return newRSA("rsa-2") })
	ecKey    = sync.OnceValue(func() signer {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			panic(err)
		}
		return signer{key, "ec-1", "ES256"}
	})
)

func newRSA(id string) signer {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return signer{key, id, "RS256"}
}

func (s signer) public() jose.JSONWebKey {
	return jose.JSONWebKey{Key: s.private.Public(), KeyID: s.id, Algorithm: s.algorithm, Use: "sig"}
}

// sign makes a token; its header has the members of extra besides.
func (s signer) sign(t testing.TB, payload string, extra map[string]any) string {
	t.Helper()
	options := &jose.SignerOptions{}
	for name, value := range extra {
		options = options.WithHeader(jose.HeaderKey(name), value)
	}
	return signed(t, jose.SigningKey{Algorithm: jose.SignatureAlgorithm(s.algorithm), Key: jose.JSONWebKey{Key: s.private, KeyID: s.id}}, payload, options)
}

func signed(t testing.TB, key jose.SigningKey, payload string, options *jose.SignerOptions) string {
	t.Helper()
	made, err := jose.NewSigner(key, options)
	if err != nil {
		t.Fatal(err)
	}
	object, err := made.Sign([]byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	token, err := object.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// body is a payload: the usual claims with changes; nil takes one away.
func body(t testing.TB, changes map[string]any) string {
	t.Helper()
	now := time.Now().Unix()
	all := map[string]any{
		"iss": home, "sub": "olena", "aud": audience, "scope": "shop:read shop:write",
		"iat": now, "exp": now + 300, "client_id": "agent",
	}
	for name, value := range changes {
		if all[name] = value; value == nil {
			delete(all, name)
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// issuer is an authorization server without a network: it answers the
// requests of a client in memory.
type issuer struct {
	mu       sync.Mutex
	keys     []jose.JSONWebKey
	down     bool
	hang     bool // requests end with their context only
	requests map[string]int
	answers  map[string]http.HandlerFunc // by path, in place of the usual ones
}

func newIssuer(keys ...signer) *issuer {
	i := &issuer{requests: map[string]int{}, answers: map[string]http.HandlerFunc{}}
	for _, k := range keys {
		i.keys = append(i.keys, k.public())
	}
	return i
}

func (i *issuer) set(change func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	change()
}

func (i *issuer) asked(path string) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.requests[path]
}

const (
	discovery = "/.well-known/openid-configuration"
	jwks      = "/keys"
	introspct = "/introspect"
)

// RoundTrip implements http.RoundTripper.
func (i *issuer) RoundTrip(r *http.Request) (*http.Response, error) {
	i.mu.Lock()
	i.requests[r.URL.Path]++
	down, hang, answer := i.down, i.hang, i.answers[r.URL.Path]
	set, err := json.Marshal(jose.JSONWebKeySet{Keys: i.keys})
	i.mu.Unlock()
	switch {
	case err != nil:
		return nil, err
	case r.Context().Err() != nil:
		return nil, r.Context().Err()
	case hang:
		<-r.Context().Done()
		return nil, r.Context().Err()
	case down:
		return nil, io.ErrUnexpectedEOF
	}
	w := httptest.NewRecorder()
	switch {
	case answer != nil:
		answer(w, r)
	case r.URL.Path == discovery:
		_, _ = io.WriteString(w, `{"issuer":"`+home+`","jwks_uri":"`+home+jwks+`"}`)
	case r.URL.Path == jwks:
		_, _ = w.Write(set)
	default:
		http.NotFound(w, r)
	}
	return w.Result(), nil
}

// options take the issuer's tokens.
func (i *issuer) options() oauth.Options {
	return oauth.Options{Issuer: home, Audience: []string{audience}, Client: &http.Client{Transport: i}}
}

func newServer(t testing.TB, o oauth.Options) *oauth.Server {
	t.Helper()
	s, err := oauth.New(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// spoil changes a character in the middle of the token's part.
func spoil(token string, part int) string {
	parts := strings.Split(token, ".")
	at := len(parts[part]) / 2
	c := byte('A')
	if parts[part][at] == c {
		c = 'B'
	}
	parts[part] = parts[part][:at] + string(c) + parts[part][at+1:]
	return strings.Join(parts, ".")
}
