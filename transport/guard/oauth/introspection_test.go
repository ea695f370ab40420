package oauth_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/guard/oauth"
)

// introspecting takes opaque tokens only.
func (i *issuer) introspecting() oauth.Options {
	return oauth.Options{
		Audience: []string{audience}, Client: &http.Client{Transport: i},
		Introspection: &oauth.Introspection{URL: home + introspct, ClientID: "shop:1", Secret: "p%ss word"},
	}
}

// says is the answer of introspection.
func says(members string) http.HandlerFunc {
	return text(`{"active":true,"sub":"olena","aud":"` + audience + `","scope":"a b"` + members + `}`)
}

// R-S01: what introspection answers is judged as the claims of a JWT are.
func TestIntrospectedTokens(t *testing.T) {
	now := time.Now().Unix()
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   error // nil, guard.ErrToken, or errDown
	}{
		"active":           {says(fmt.Sprintf(`,"exp":%d,"iss":"%s","token_type":"Bearer","client_id":"c","ext":{}`, now+60, home)), nil},
		"no expiry":        {says(``), nil},
		"not active":       {text(`{"active":false}`), guard.ErrToken},
		"not active, says": {text(`{"active":false,"sub":"olena","aud":"` + audience + `"}`), guard.ErrToken},
		"activity unsaid":  {text(`{"sub":"olena","aud":"` + audience + `"}`), guard.ErrToken},
		"expired":          {says(fmt.Sprintf(`,"exp":%d`, now-60)), guard.ErrToken},
		"not yet":          {says(fmt.Sprintf(`,"nbf":%d`, now+60)), guard.ErrToken},
		"another audience": {text(`{"active":true,"sub":"olena","aud":"x"}`), guard.ErrToken},
		"no audience":      {text(`{"active":true,"sub":"olena"}`), guard.ErrToken},
		"no subject":       {text(`{"active":true,"aud":"` + audience + `"}`), guard.ErrToken},
		"bound to a key":   {says(`,"cnf":{"jkt":"x"}`), guard.ErrToken},
		"DPoP":             {says(`,"token_type":"DPoP"`), guard.ErrToken},
		"active twice":     {text(`{"active":false,"active":true,"sub":"olena","aud":"` + audience + `"}`), errDown},
		"active as text":   {text(`{"active":"true","sub":"olena","aud":"` + audience + `"}`), errDown},
		"wrong secret":     {status(401), errDown},
		"fails":            {status(500), errDown},
		"no JSON":          {text(`active`), errDown},
		"moved": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://evil.example/", http.StatusTemporaryRedirect)
		}, errDown},
	} {
		t.Run(name, func(t *testing.T) {
			i := newIssuer()
			i.answers[introspct] = c.answer
			caller, err := newServer(t, i.introspecting()).Verify(t.Context(), "opaque-secret")
			switch {
			case c.want == nil:
				if err != nil || caller.ID != "olena" || !slices.Equal(caller.Scopes, []string{"a", "b"}) {
					t.Errorf("%+v, %v", caller, err)
				}
			case err == nil || errors.Is(err, guard.ErrToken) != (c.want == guard.ErrToken):
				t.Errorf("%+v, %v", caller, err)
			case strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "olena"):
				t.Errorf("tells too much: %v", err)
			}
		})
	}
}

var errDown = errors.New("not to be judged")

// The server is asked as RFC 7662 section 2.1 and RFC 6749 section 2.3.1 have it.
func TestIntrospectionRequest(t *testing.T) {
	i := newIssuer()
	i.answers[introspct] = func(w http.ResponseWriter, r *http.Request) {
		id, secret, _ := r.BasicAuth()
		if r.Method != http.MethodPost || id != "shop%3A1" || secret != "p%25ss+word" || r.URL.RawQuery != "" {
			t.Errorf("%s %s, %q %q", r.Method, r.URL, id, secret)
		}
		if r.FormValue("token") != "a+b/c=" || r.FormValue("token_type_hint") != "access_token" {
			t.Errorf("%v", r.Form)
		}
		says("")(w, r)
	}
	if _, err := newServer(t, i.introspecting()).Verify(t.Context(), "a+b/c="); err != nil {
		t.Error(err)
	}
}

// An answer is used again for a short while, one request at a time; failures
// are not kept, and an expiry ends it early.
func TestAnswersAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := newIssuer()
		i.answers[introspct] = says(fmt.Sprintf(`,"exp":%d`, time.Now().Unix()+45))
		server := newServer(t, i.introspecting())
		verify := func() error { _, err := server.Verify(t.Context(), "opaque"); return err }
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if err := verify(); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		time.Sleep(29 * time.Second)
		if err := verify(); err != nil || i.asked(introspct) != 1 {
			t.Errorf("%v after %d requests", err, i.asked(introspct))
		}
		i.set(func() { i.answers[introspct] = text(`{"active":false}`) })
		time.Sleep(2 * time.Second)
		for range 2 {
			if err := verify(); !errors.Is(err, guard.ErrToken) || i.asked(introspct) != 2 {
				t.Errorf("revoked: %v after %d requests", err, i.asked(introspct))
			}
		}
		i.set(func() { i.down = true })
		time.Sleep(time.Minute)
		for n := range 2 {
			if err := verify(); err == nil || errors.Is(err, guard.ErrToken) || i.asked(introspct) != 3+n {
				t.Errorf("down: %v after %d requests", err, i.asked(introspct))
			}
		}
		i.set(func() { i.down, i.answers[introspct] = false, says(fmt.Sprintf(`,"exp":%d`, time.Now().Unix()-25)) })
		if err := verify(); err != nil {
			t.Errorf("back: %v", err)
		}
		time.Sleep(10 * time.Second)
		if err := verify(); !errors.Is(err, guard.ErrToken) {
			t.Errorf("expired while kept: %v", err)
		}
	})
}

// A flood of made-up tokens against a server that hangs ends in bounded time,
// asks about few at a time, and keeps a bounded number in mind.
func TestFloodOfOpaqueTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := newIssuer()
		i.hang = true
		server := newServer(t, i.introspecting())
		begin := time.Now()
		var wg sync.WaitGroup
		for n := range 12_000 {
			wg.Go(func() {
				if _, err := server.Verify(t.Context(), fmt.Sprint("token-", n)); err == nil || errors.Is(err, guard.ErrToken) {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if n := i.asked(introspct); n != 16 {
			t.Errorf("%d at once", n)
		}
		wg.Wait()
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
		i.set(func() { i.hang, i.answers[introspct] = false, text(`{"active":false}`) })
		for n := range 12_000 {
			if _, err := server.Verify(t.Context(), fmt.Sprint("token-", n)); !errors.Is(err, guard.ErrToken) {
				t.Fatal(n, err)
			}
		}
	})
}

// JWTs are verified here and other tokens are asked about.
func TestBothKindsOfTokens(t *testing.T) {
	i := newIssuer(rsaKey())
	i.answers[introspct] = says("")
	o := i.options()
	o.Introspection = i.introspecting().Introspection
	server := newServer(t, o)
	if _, err := server.Verify(t.Context(), rsaKey().sign(t, body(t, nil), nil)); err != nil || i.asked(introspct) != 0 {
		t.Error(err, i.asked(introspct))
	}
	if _, err := server.Verify(t.Context(), "opaque"); err != nil || i.asked(introspct) != 1 {
		t.Error(err, i.asked(introspct))
	}
	i.set(func() { i.answers[introspct] = says(`,"iss":"https://evil.example"`) })
	if _, err := server.Verify(t.Context(), "another"); !errors.Is(err, guard.ErrToken) {
		t.Error(err)
	}
	for _, token := range []string{"with space", "with\nline", "ключ", strings.Repeat("x", 16<<10+1)} {
		if _, err := server.Verify(t.Context(), token); !errors.Is(err, guard.ErrToken) || i.asked(introspct) != 2 {
			t.Errorf("%.20q: %v", token, err)
		}
	}
}
