package oauth_test

import (
	"errors"
	"testing"

	"github.com/facet-rpc/facet/transport/guard"
)

// Whatever a stranger sends, it is judged without a panic, and only what the
// issuer signed gets in.
func FuzzToken(f *testing.F) {
	i := newIssuer(rsaKey(), ecKey())
	i.answers[introspct] = text(`{"active":false}`)
	o := i.options()
	o.Introspection = i.introspecting().Introspection
	server := newServer(f, o)
	good := rsaKey().sign(f, body(f, nil), nil)
	for _, token := range refused(f) {
		f.Add(token)
	}
	f.Add(good)
	f.Add("")
	f.Add("e30.e30.e30")
	f.Fuzz(func(t *testing.T, token string) {
		caller, err := server.Verify(t.Context(), token)
		switch {
		case err == nil && caller.ID != "olena":
			t.Errorf("%q is %+v", token, caller)
		case err != nil && !errors.Is(err, guard.ErrToken):
			t.Errorf("%q: %v", token, err)
		}
	})
}
