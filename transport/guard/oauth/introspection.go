package oauth

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/facet-rpc/facet/transport/guard"
)

const (
	// maxKept is how many answers are kept.
	maxKept = 10_000
	// parallel is how many tokens are asked about at a time; others wait, for
	// patience at most.
	parallel = 16
)

type digest = [sha256.Size]byte

// introspector asks the authorization server about tokens (RFC 7662).
type introspector struct {
	web  *web
	at   Introspection
	slot chan struct{} // one for each request under way

	mu   sync.Mutex
	kept map[digest]*answer // by the token's digest, never by the token
}

// answer is what the server said of a token, or is about to say. Its fields
// are set once done is closed.
type answer struct {
	flight
	claims *claims // nil: not active
	until  time.Time
}

func newIntrospector(w *web, at Introspection) *introspector {
	if at.Keep == 0 {
		at.Keep = defaultKeep
	}
	return &introspector{web: w, at: at, slot: make(chan struct{}, parallel), kept: map[digest]*answer{}}
}

// ask is the claims of the token. The same token is asked about once at a time.
func (i *introspector) ask(ctx context.Context, token string) (*claims, error) {
	if !visible(token) {
		return nil, fmt.Errorf("%w: a character that no token has", guard.ErrToken)
	}
	a, err := i.answer(sha256.Sum256([]byte(token)), token)
	if err != nil {
		return nil, err
	}
	if err := a.wait(ctx); err != nil {
		return nil, err
	}
	if a.claims == nil {
		return nil, fmt.Errorf("%w: the authorization server says so", guard.ErrToken)
	}
	return a.claims, nil
}

// errBusy: more tokens are being asked about than can be kept in mind.
var errBusy = fmt.Errorf("oauth: %d tokens are being introspected already", maxKept)

// answer is the one at hand, or one that is under way now.
func (i *introspector) answer(key digest, token string) (*answer, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if a := i.kept[key]; a != nil && (!a.ended() || time.Now().Before(a.until)) {
		return a, nil
	}
	if len(i.kept) >= maxKept && !i.makeRoom() {
		return nil, errBusy
	}
	a := &answer{flight: flight{done: make(chan struct{})}}
	i.kept[key] = a
	go i.run(a, key, token)
	return a, nil
}

// makeRoom drops a few answers, old ones or any: the order of a map is random.
func (i *introspector) makeRoom() bool {
	looked, now, room := 0, time.Now(), false
	for key, a := range i.kept {
		if a.ended() && (!room || now.After(a.until)) {
			delete(i.kept, key)
			room = true
		}
		if looked++; looked >= 100 && room {
			break
		}
	}
	return room
}

// run asks the server. A failure is told to those who wait and not kept.
func (i *introspector) run(a *answer, key digest, token string) {
	defer func() {
		i.mu.Lock()
		if a.err != nil && i.kept[key] == a {
			delete(i.kept, key)
		}
		i.mu.Unlock()
		close(a.done)
	}()
	ctx, cancel := i.web.within()
	defer cancel()
	select {
	case i.slot <- struct{}{}:
		defer func() { <-i.slot }()
	case <-ctx.Done():
		a.err = fmt.Errorf("oauth: too many tokens to introspect: %w", ctx.Err())
		return
	}
	var told struct {
		claims
		Active    bool   `json:"active"`
		TokenType string `json:"token_type"`
	}
	if a.err = i.post(ctx, token, &told); a.err != nil {
		return
	}
	a.until = time.Now().Add(i.at.Keep)
	if told.Active && bearer(told.TokenType) {
		a.claims = &told.claims // its expiry is checked at every use
	}
}

// bearer reports whether the token needs no proof besides itself. Some servers
// write what the token is for in place of its type.
func bearer(kind string) bool {
	return kind == "" || strings.EqualFold(kind, "Bearer") || kind == "access_token"
}

func (i *introspector) post(ctx context.Context, token string, v any) error {
	form := url.Values{"token": {token}, "token_type_hint": {"access_token"}}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, i.at.URL, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetBasicAuth(url.QueryEscape(i.at.ClientID), url.QueryEscape(i.at.Secret))
	return i.web.do(r, v)
}

// ended reports whether the answer is there.
func (a *answer) ended() bool {
	select {
	case <-a.done:
		return true
	default:
		return false
	}
}

// visible reports whether s is visible ASCII without spaces.
func visible(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f }) < 0
}
