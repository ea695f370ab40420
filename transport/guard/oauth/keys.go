package oauth

import (
	"context"
	stderrors "errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/facet-rpc/facet/transport/guard"
	"github.com/go-jose/go-jose/v4"
)

const (
	// freshFor is the age at which the keys are read again, in the background.
	freshFor = 15 * time.Minute
	// usableFor is the age at which keys are not believed any more, when the
	// issuer has been down for so long.
	usableFor = 24 * time.Hour
	// pause is the least time between requests for the keys: a flood of
	// tokens with made-up key IDs costs the issuer one request per pause.
	pause = 5 * time.Second
	// maxKeys is how many keys of the issuer are used. A token without a key
	// ID is tried with each.
	maxKeys = 32
)

// keys are the public keys of the issuer.
type keys struct {
	web    *web
	issuer string

	mu    sync.Mutex
	url   string // of the set; empty until it was discovered
	set   []jose.JSONWebKey
	read  time.Time // when set was read; zero: never
	asked time.Time // when the last request ended
	err   error     // of the last request
	fly   *flight   // the request under way, if any
}

// find are the keys that may have signed with the key ID and the algorithm.
// An unknown ID makes it read the set again.
func (k *keys) find(ctx context.Context, id, algorithm string) ([]any, error) {
	found, fly, err := k.look(id, algorithm)
	if fly == nil {
		return found, err
	}
	if err := fly.wait(ctx); err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if found = k.fitting(id, algorithm); len(found) == 0 {
		return nil, errUnknownKey
	}
	return found, nil
}

var errUnknownKey = fmt.Errorf("%w: the issuer has no such key", guard.ErrToken)

// look finds keys in the set at hand; a flight when that must be waited for.
func (k *keys) look(id, algorithm string) ([]any, *flight, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := time.Now()
	age := now.Sub(k.read)
	usable := !k.read.IsZero() && age < usableFor
	var found []any
	if usable {
		found = k.fitting(id, algorithm)
	}
	due := k.asked.IsZero() || now.Sub(k.asked) >= pause
	if k.fly == nil && due && (len(found) == 0 || age >= freshFor) {
		k.fly = &flight{done: make(chan struct{})}
		go k.refresh(k.fly, k.url)
	}
	switch {
	case len(found) > 0:
		return found, nil, nil
	case k.fly != nil:
		return nil, k.fly, nil
	case k.err != nil:
		return nil, nil, k.err // the issuer is down: nobody knows about the key
	}
	return nil, nil, errUnknownKey
}

// fitting is called with the lock held.
func (k *keys) fitting(id, algorithm string) []any {
	var found []any
	for i := range k.set {
		key := &k.set[i]
		if (id == "" || key.KeyID == id) && (key.Algorithm == "" || key.Algorithm == algorithm) {
			found = append(found, key.Key)
		}
	}
	return found
}

// refresh reads the set, and where it is before the first time.
func (k *keys) refresh(fly *flight, url string) {
	var set []jose.JSONWebKey
	ctx, cancel := k.web.within()
	defer cancel()
	defer func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.asked = time.Now()
		if fly.err == nil {
			k.set, k.read, k.url = set, time.Now(), url
		}
		k.err, k.fly = fly.err, nil
		close(fly.done)
	}()
	if url == "" {
		if url, fly.err = k.discover(ctx); fly.err != nil {
			return
		}
	}
	set, fly.err = k.fetch(ctx, url)
}

// places are where an issuer describes itself: OpenID Connect Discovery, and
// RFC 8414 section 3.1, which puts the well-known part before the path.
func places(issuer string) []string {
	issuer = strings.TrimRight(issuer, "/")
	at := len(issuer)
	if from := strings.Index(issuer, "://") + 3; from >= 3 {
		if slash := strings.IndexByte(issuer[from:], '/'); slash >= 0 {
			at = from + slash
		}
	}
	return []string{
		issuer + "/.well-known/openid-configuration",
		issuer[:at] + "/.well-known/oauth-authorization-server" + issuer[at:],
	}
}

// discover is the URL of the key set. The document must be about the issuer
// that was asked for (RFC 8414 section 3.3).
func (k *keys) discover(ctx context.Context) (string, error) {
	var faults []error
	for _, place := range places(k.issuer) {
		var about struct {
			Issuer string `json:"issuer"`
			JWKS   string `json:"jwks_uri"`
		}
		if err := k.web.get(ctx, place, &about); err != nil {
			faults = append(faults, err)
			continue
		}
		var wrong error
		checkURL(func(format string, args ...any) { wrong = fmt.Errorf("oauth: "+format, args...) }, "jwks_uri", about.JWKS)
		switch {
		case about.Issuer != k.issuer:
			wrong = fmt.Errorf("oauth: %s describes another issuer; Options.Issuer must be written as the document has it", place)
		case about.JWKS == "":
			wrong = fmt.Errorf("oauth: %s names no jwks_uri; give Options.JWKSURL", place)
		}
		if wrong == nil {
			return about.JWKS, nil
		}
		faults = append(faults, wrong)
	}
	return "", stderrors.Join(faults...)
}

// fetch reads the set. Keys that are not for signatures, not public, or not
// understood are left out (RFC 7517 section 5).
func (k *keys) fetch(ctx context.Context, url string) ([]jose.JSONWebKey, error) {
	var set struct {
		Keys []raw `json:"keys"`
	}
	if err := k.web.get(ctx, url, &set); err != nil {
		return nil, err
	}
	var out []jose.JSONWebKey
	for _, text := range set.Keys {
		var key jose.JSONWebKey
		if key.UnmarshalJSON(text) != nil || !key.Valid() || !key.IsPublic() || key.Use != "" && key.Use != "sig" {
			continue
		}
		if out = append(out, key); len(out) == maxKeys {
			break
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("oauth: %s holds no key for signatures", url)
	}
	return out, nil
}
