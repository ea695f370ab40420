package oauth_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/transport/guard/oauth"
)

// Each option that cannot be meant is told, and how to mend it; no secret is.
func TestOptions(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*oauth.Options)
		want   string // nothing: no fault
	}{
		"as they are":       {func(*oauth.Options) {}, ""},
		"loopback":          {func(o *oauth.Options) { o.Issuer = "http://127.0.0.1:9998/" }, ""},
		"localhost":         {func(o *oauth.Options) { o.Issuer = "http://localhost:9998" }, ""},
		"no issuer":         {func(o *oauth.Options) { o.Issuer = "" }, "give the Issuer"},
		"keys of nobody":    {func(o *oauth.Options) { o.Issuer, o.JWKSURL = "", home }, "needs the Issuer"},
		"no TLS":            {func(o *oauth.Options) { o.Issuer = "http://login.example" }, "Issuer must begin with https"},
		"no TLS for keys":   {func(o *oauth.Options) { o.JWKSURL = "http://127.0.0.1.evil.example" }, "JWKSURL must begin with https"},
		"no URL":            {func(o *oauth.Options) { o.Issuer = "login.example" }, "Issuer must be a URL"},
		"a password":        {func(o *oauth.Options) { o.Issuer = "https://u:secret@login.example" }, "Issuer must be a URL"},
		"no audience":       {func(o *oauth.Options) { o.Audience = nil }, "Audience must name"},
		"an empty audience": {func(o *oauth.Options) { o.Audience = []string{"a", ""} }, "Audience must name"},
		"HS256":             {func(o *oauth.Options) { o.Algorithms = []string{"RS256", "HS256"} }, `Algorithms[1] is "HS256"`},
		"none":              {func(o *oauth.Options) { o.Algorithms = []string{"none"} }, `Algorithms[0] is "none"`},
		"no algorithms":     {func(o *oauth.Options) { o.Algorithms = []string{} }, "empty list"},
		"leeway":            {func(o *oauth.Options) { o.Leeway = time.Hour }, "Leeway is 1h0m0s"},
		"negative leeway":   {func(o *oauth.Options) { o.Leeway = -1 }, "Leeway is"},
		"introspection": {func(o *oauth.Options) {
			o.Introspection = &oauth.Introspection{URL: home, ClientID: "c", Secret: "secret"}
		}, ""},
		"no secret": {func(o *oauth.Options) { o.Introspection = &oauth.Introspection{URL: home, ClientID: "c"} }, "needs URL, ClientID and Secret"},
		"introspection open": {func(o *oauth.Options) {
			o.Introspection = &oauth.Introspection{URL: "http://x.example", ClientID: "c", Secret: "secret"}
		}, "Introspection.URL must begin"},
		"kept too long": {func(o *oauth.Options) {
			o.Introspection = &oauth.Introspection{URL: home, ClientID: "c", Secret: "secret", Keep: time.Hour}
		}, "Keep is 1h0m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			o := oauth.Options{Issuer: home, Audience: []string{audience}}
			c.change(&o)
			_, err := oauth.New(context.Background(), o)
			switch {
			case c.want == "":
				if err != nil {
					t.Error(err)
				}
			case err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret"):
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	if _, err := oauth.New(context.Background(), oauth.Options{Leeway: -1}); err == nil || strings.Count(err.Error(), "oauth: ") != 3 {
		t.Errorf("not all faults: %v", err)
	}
}
