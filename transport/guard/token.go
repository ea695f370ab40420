package guard

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	stderrors "errors"
	"net/http"
	"strings"

	"github.com/facet-rpc/facet/rpc"
	"go.uber.org/zap"
)

// tokens finds out who calls.
type tokens struct {
	header  string // the header besides Authorization, canonical
	secrets []secret
	file    *tokenFile // replaces secrets; nil without one
	verify  Verifier
	log     *zap.Logger
}

// secret is a token that is known only by its digest.
type secret struct {
	digest [sha256.Size]byte
	caller *rpc.Caller
}

// caller is whom the request's token stands for. Without a token it is nil,
// without a refusal too.
func (t *tokens) caller(r *http.Request) (*rpc.Caller, *refusal) {
	token, ok := t.read(r.Header)
	switch {
	case !ok:
		return nil, &twoTokens
	case token == "":
		return nil, nil
	case t.verify != nil:
		return t.ask(r.Context(), token)
	}
	if c := t.find(token); c != nil {
		return c, nil
	}
	return nil, &wrongToken
}

// read finds the token, empty without one. ok is false when there are several
// that differ: nobody knows which of them a proxy on the way has checked.
func (t *tokens) read(h http.Header) (token string, ok bool) {
	for _, value := range h["Authorization"] {
		if s := bearerToken(value); s != "" {
			if token != "" && token != s {
				return "", false
			}
			token = s
		}
	}
	for _, value := range h[t.header] {
		if s := strings.TrimSpace(value); s != "" {
			if token != "" && token != s {
				return "", false
			}
			token = s
		}
	}
	return token, true
}

// bearerToken is the token of RFC 6750 section 2.1; the scheme's case does not
// matter (RFC 9110 section 11.1).
func bearerToken(value string) string {
	const scheme = "Bearer "
	if len(value) <= len(scheme) || !strings.EqualFold(value[:len(scheme)], scheme) {
		return ""
	}
	return strings.TrimSpace(value[len(scheme):])
}

// find compares digests, all of them, so that the time tells neither a shared
// prefix nor a length nor which secret it was.
func (t *tokens) find(token string) *rpc.Caller {
	if token == "" {
		return nil
	}
	secrets := t.secrets
	if t.file != nil {
		secrets = t.file.current()
	}
	digest := digestOf(token)
	at := 0
	for i := range secrets {
		same := subtle.ConstantTimeCompare(digest[:], secrets[i].digest[:])
		at = subtle.ConstantTimeSelect(same, i+1, at)
	}
	if at == 0 {
		return nil
	}
	return secrets[at-1].caller
}

// digestOf copies to the stack: a token of usual length costs no allocation.
func digestOf(token string) [sha256.Size]byte {
	var short [256]byte
	if len(token) > len(short) {
		return sha256.Sum256([]byte(token))
	}
	return sha256.Sum256(short[:copy(short[:], token)])
}

// ask is the application's own check.
func (t *tokens) ask(ctx context.Context, token string) (*rpc.Caller, *refusal) {
	caller, err := t.verify(ctx, token)
	switch {
	case err == nil && caller != nil:
		return caller, nil
	case stderrors.Is(err, ErrToken):
		return nil, &wrongToken
	case err == nil:
		err = stderrors.New("the Verifier returned neither a caller nor an error")
	}
	t.log.Error("a token could not be verified", zap.Error(err))
	return nil, &noVerification
}
