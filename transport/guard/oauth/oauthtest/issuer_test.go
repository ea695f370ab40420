package oauthtest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

const (
	agentSecret = "agent-secret"
	asker       = "facet" // who may introspect
	askerSecret = "facet secret: 100%"
)

// issuer is a real OpenID provider on a loopback port. Its client "agent" gets
// JWTs, its client "opaque" opaque tokens, for the resource.
type issuer struct {
	*httptest.Server
	store *store
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	i := &issuer{Server: httptest.NewUnstartedServer(nil)}
	url := "http://" + i.Listener.Addr().String()
	i.store = &store{Storage: storage.NewStorage(storage.NewUserStore(url)), scopes: map[string][]string{}}
	config := &op.Config{
		CryptoKey: sha256.Sum256([]byte(rand.Text())), CryptoKeyId: "test", AuthMethodPost: true, CodeMethodS256: true,
		SupportedScopes: []string{"depot:use", "depot:wipe"},
	}
	provider, err := op.NewProvider(config, i.store, op.StaticIssuer(url), op.WithAllowInsecure())
	if err != nil {
		t.Fatal(err)
	}
	i.Config.Handler = provider
	i.Start()
	t.Cleanup(i.Close)
	return i
}

// token is a new access token of the client, with the scopes.
func (i *issuer) token(t *testing.T, client string, scopes ...string) string {
	t.Helper()
	form := url.Values{"grant_type": {"client_credentials"}, "scope": {strings.Join(scopes, " ")}}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, i.URL+"/oauth/token", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetBasicAuth(client, agentSecret)
	answer, err := i.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var got struct {
		AccessToken string `json:"access_token"`
	}
	if err := json.UnmarshalRead(answer.Body, &got); err != nil || got.AccessToken == "" {
		t.Fatalf("%d: no token: %v", answer.StatusCode, err)
	}
	return got.AccessToken
}

// store is the provider's storage: the example's, with the clients and the
// audience of the test.
type store struct {
	*storage.Storage
	audience string
	life     time.Duration // of new tokens; 0: five minutes

	mu      sync.Mutex
	scopes  map[string][]string // by token ID
	revoked bool
}

// client gets tokens by its own credentials.
type client struct {
	op.Client
	id   string
	kind op.AccessTokenType
}

func (c *client) GetID() string               { return c.id }
func (c *client) AuthMethod() oidc.AuthMethod { return oidc.AuthMethodBasic }
func (c *client) GrantTypes() []oidc.GrantType {
	return []oidc.GrantType{oidc.GrantTypeClientCredentials}
}
func (c *client) AccessTokenType() op.AccessTokenType { return c.kind }
func (c *client) ClockSkew() time.Duration            { return 0 }
func (c *client) RestrictAdditionalAccessTokenScopes() func([]string) []string {
	return func(scopes []string) []string { return scopes }
}

var errClient = errors.New("wrong client or secret")

// ClientCredentials implements op.ClientCredentialsStorage.
func (s *store) ClientCredentials(_ context.Context, id, secret string) (op.Client, error) {
	switch {
	case secret != agentSecret:
		return nil, errClient
	case id == "agent":
		return &client{id: id, kind: op.AccessTokenTypeJWT}, nil
	case id == "opaque":
		return &client{id: id, kind: op.AccessTokenTypeBearer}, nil
	}
	return nil, errClient
}

// ClientCredentialsTokenRequest implements op.ClientCredentialsStorage.
func (s *store) ClientCredentialsTokenRequest(_ context.Context, id string, scopes []string) (op.TokenRequest, error) {
	return &oidc.JWTTokenRequest{Subject: id, Audience: []string{s.audience}, Scopes: scopes}, nil
}

// CreateAccessToken implements op.AuthStorage.
func (s *store) CreateAccessToken(ctx context.Context, r op.TokenRequest) (string, time.Time, error) {
	id, until, err := s.Storage.CreateAccessToken(ctx, r)
	if s.life != 0 {
		until = time.Now().Add(s.life)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scopes[id] = r.GetScopes()
	return id, until, err
}

// GetPrivateClaimsFromScopes puts the scopes into JWTs, as RFC 9068 has it.
func (s *store) GetPrivateClaimsFromScopes(_ context.Context, _, _ string, scopes []string) (map[string]any, error) {
	return map[string]any{"scope": strings.Join(scopes, " ")}, nil
}

// AuthorizeClientIDSecret implements op.OPStorage.
func (s *store) AuthorizeClientIDSecret(_ context.Context, id, secret string) error {
	if id == asker && secret == askerSecret {
		return nil
	}
	return errClient
}

// SetIntrospectionFromToken implements op.OPStorage.
func (s *store) SetIntrospectionFromToken(_ context.Context, answer *oidc.IntrospectionResponse, id, subject, _ string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.revoked {
		return errors.New("revoked")
	}
	answer.Subject, answer.Audience = subject, oidc.Audience{s.audience}
	answer.Scope = s.scopes[id]
	answer.Expiration = oidc.FromTime(time.Now().Add(time.Minute))
	return nil
}
