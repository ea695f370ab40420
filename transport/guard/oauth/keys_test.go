package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/guard/oauth"
	"github.com/go-jose/go-jose/v4"
)

// A key that the issuer took into use later is found; one that it withdrew is
// not believed any more.
func TestKeysAreReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := newIssuer(rsaKey())
		server := newServer(t, i.options())
		verify := func(s signer) error {
			_, err := server.Verify(t.Context(), s.sign(t, body(t, nil), nil))
			synctest.Wait()
			return err
		}
		if err := verify(rsaKey()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(6 * time.Second)
		i.set(func() { i.keys = []jose.JSONWebKey{nextRSA().public()} })
		if err := verify(nextRSA()); err != nil {
			t.Errorf("the new key: %v", err)
		}
		if err := verify(rsaKey()); !errors.Is(err, guard.ErrToken) {
			t.Errorf("the withdrawn key: %v", err)
		}
		if n := i.asked(jwks); n != 2 {
			t.Errorf("%d requests", n)
		}
		i.set(func() { i.keys = []jose.JSONWebKey{ecKey().public()} })
		time.Sleep(16 * time.Minute)
		if err := verify(nextRSA()); err != nil { // the set is read in the background
			t.Error(err)
		}
		if err := verify(nextRSA()); !errors.Is(err, guard.ErrToken) {
			t.Errorf("withdrawn, known by the age of the set: %v", err)
		}
		if n := i.asked(discovery); n != 1 {
			t.Errorf("%d discoveries", n)
		}
	})
}

// A flood of tokens with made-up key IDs costs the issuer one request per pause,
// and holds up nobody.
func TestFloodOfUnknownKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := newIssuer(rsaKey())
		server := newServer(t, i.options())
		good := rsaKey().sign(t, body(t, nil), nil)
		begin := time.Now()
		var wg sync.WaitGroup
		for n := range 50 {
			token := signer{ecKey().private, fmt.Sprint("made-up-", n), "ES256"}.sign(t, body(t, nil), nil)
			wg.Go(func() {
				if _, err := server.Verify(t.Context(), token); !errors.Is(err, guard.ErrToken) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if _, err := server.Verify(t.Context(), good); err != nil {
			t.Error(err)
		}
		if n := i.asked(jwks); n != 1 || time.Since(begin) != 0 {
			t.Errorf("%d requests in %v", n, time.Since(begin))
		}
	})
}

// The issuer is down: nobody knows whether the token is valid (503), and every
// answer comes in bounded time. Keys at hand go on for a day.
func TestIssuerDown(t *testing.T) {
	for name, down := range map[string]func(*issuer){
		"refuses": func(i *issuer) { i.down = true },
		"hangs":   func(i *issuer) { i.hang = true },
		"fails":   func(i *issuer) { i.answers[jwks] = status(500) },
		"is elsewhere": func(i *issuer) {
			i.answers[jwks] = func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "https://evil.example/", http.StatusFound)
			}
		},
		"no JSON":     func(i *issuer) { i.answers[jwks] = text("<html>") },
		"no keys":     func(i *issuer) { i.answers[jwks] = text(`{"keys":[]}`) },
		"a huge set":  func(i *issuer) { i.answers[jwks] = text(`{"keys":[` + strings.Repeat(" ", 1<<20) + `]}`) },
		"secret keys": func(i *issuer) { i.answers[jwks] = text(`{"keys":[{"kty":"oct","k":"AAAA","kid":"rsa-1"}]}`) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				i := newIssuer(rsaKey())
				server, cold := newServer(t, i.options()), newServer(t, i.options())
				token := func() string { return rsaKey().sign(t, body(t, nil), nil) }
				if _, err := server.Verify(t.Context(), token()); err != nil {
					t.Fatal(err)
				}
				i.set(func() { down(i) })
				begin := time.Now()
				for range 3 {
					if _, err := cold.Verify(t.Context(), token()); err == nil || errors.Is(err, guard.ErrToken) {
						t.Errorf("without keys: %v", err)
					}
				}
				if took := time.Since(begin); took > 5*time.Second {
					t.Errorf("took %v", took)
				}
				time.Sleep(23 * time.Hour)
				if _, err := server.Verify(t.Context(), token()); err != nil {
					t.Errorf("keys of yesterday: %v", err)
				}
				time.Sleep(2 * time.Hour)
				if _, err := server.Verify(t.Context(), token()); err == nil || errors.Is(err, guard.ErrToken) {
					t.Errorf("keys too old: %v", err)
				}
				i.set(func() { i.down, i.hang = false, false; clear(i.answers) })
				time.Sleep(time.Minute)
				if _, err := server.Verify(t.Context(), token()); err != nil {
					t.Errorf("when it is back: %v", err)
				}
			})
		})
	}
}

// A call that ends does not end the request that others wait for.
func TestOneCallerGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := newIssuer(rsaKey())
		held := make(chan struct{})
		i.answers[discovery] = func(w http.ResponseWriter, _ *http.Request) {
			<-held
			_, _ = io.WriteString(w, `{"issuer":"`+home+`","jwks_uri":"`+home+jwks+`"}`)
		}
		server := newServer(t, i.options())
		token := rsaKey().sign(t, body(t, nil), nil)
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := server.Verify(ctx, token); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		synctest.Wait()
		wg.Go(func() {
			if _, err := server.Verify(t.Context(), token); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		cancel()
		synctest.Wait()
		close(held)
		wg.Wait()
		if n := i.asked(jwks); n != 1 {
			t.Errorf("%d requests", n)
		}
	})
}

// RFC 8414: the second place where an issuer describes itself, and issuers
// that describe others.
func TestDiscovery(t *testing.T) {
	const path = "/.well-known/oauth-authorization-server/tenant"
	describe := func(issuer, keys string) http.HandlerFunc {
		return text(`{"issuer":"` + issuer + `","jwks_uri":"` + keys + `"}`)
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		ok     bool
	}{
		"RFC 8414":         {describe(home+"/tenant", home+jwks), true},
		"another issuer":   {describe("https://evil.example", home+jwks), false},
		"keys without TLS": {describe(home+"/tenant", "http://login.example/keys"), false},
		"no keys":          {text(`{"issuer":"` + home + `/tenant"}`), false},
	} {
		t.Run(name, func(t *testing.T) {
			i := newIssuer(rsaKey())
			i.answers[path] = c.answer
			o := i.options()
			o.Issuer = home + "/tenant"
			_, err := newServer(t, o).Verify(t.Context(), rsaKey().sign(t, body(t, map[string]any{"iss": o.Issuer}), nil))
			if c.ok != (err == nil) || errors.Is(err, guard.ErrToken) {
				t.Error(err)
			}
		})
	}
}

// With JWKSURL nothing is discovered.
func TestJWKSURL(t *testing.T) {
	i := newIssuer(rsaKey())
	o := i.options()
	o.JWKSURL = home + jwks
	if _, err := newServer(t, o).Verify(t.Context(), rsaKey().sign(t, body(t, nil), nil)); err != nil || i.asked(discovery) != 0 {
		t.Error(err, i.asked(discovery))
	}
}

// The context of New ends the requests.
func TestContextOfNew(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	server, err := oauth.New(ctx, newIssuer(rsaKey()).options())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.Verify(t.Context(), rsaKey().sign(t, body(t, nil), nil)); err == nil || errors.Is(err, guard.ErrToken) {
		t.Error(err)
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func text(s string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, s) }
}
