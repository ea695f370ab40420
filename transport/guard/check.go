package guard

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/facet-rpc/facet/rpc"
)

// largestBody is the most that [Policy.MaxBody] may be: 2 GiB.
const largestBody = 1<<31 - 1

// gate makes the policy ready and finds what is wrong with it.
func (p Policy) gate(exec *rpc.Executor, f *faults) *gate {
	g := &gate{documents: p.Documents, maxBody: p.MaxBody}
	if exec != nil {
		g.texts = exec.Registry().App().Texts
		g.tokens.log = exec.Logger()
	}
	if p.MaxBody == 0 {
		g.maxBody = defaultBody
	}
	if p.MaxBody < 0 || p.MaxBody > largestBody {
		f.add("MaxBody is %d; it is a number of bytes up to 2 GiB, 0 means 8 MiB", p.MaxBody)
	}
	if g.gzip, g.encoding = p.Gzip, &wrongEncoding; p.Gzip {
		g.encoding = &onlyGzip
	}
	g.meter, g.onRefuse = p.checkRate(g.tokens.log, f), p.OnRefuse
	g.available, g.allow = p.Available, p.Allow
	g.proxies = p.checkProxies(f)
	if g.slots.most = int64(p.Concurrent); p.Concurrent < 0 {
		f.add("Concurrent is %d; it is a number of requests, 0 means no limit", p.Concurrent)
	}
	p.checkEntry(f)
	g.tokens.header = p.checkHeader(f)
	g.tokens.secrets = checkTokens(p.Tokens, func(i int) string { return fmt.Sprintf("Tokens[%d]", i) }, f)
	if len(p.Tokens) == 0 {
		g.tokens.secrets, g.tokens.file = p.checkSource(g.tokens.log, f)
	}
	g.tokens.verify = p.Verifier
	if p.Open {
		g.open = &rpc.Caller{Groups: []string{rpc.AnyGroup}}
	}
	public := p.checkPublicURL(f)
	if public != nil {
		g.publicURL = strings.TrimRight(p.PublicURL, "/")
		host, _ := splitHost(public.Host)
		g.hosts.public = strings.ToLower(host.name)
	}
	g.hosts.listed = p.checkHosts(public, f)
	g.origins.listed = p.checkOrigins(public, f)
	if public != nil {
		g.origins.publicScheme, g.origins.publicAuthority, _ = splitOrigin(public.Scheme + "://" + public.Host)
	}
	switch crossed := len(g.origins.listed) > 0; {
	case g.texts != nil && crossed:
		g.vary = varyBoth
	case g.texts != nil:
		g.vary = varyLanguage
	case crossed:
		g.vary = varyOrigin
	}
	return g
}

// checkEntry: one of Tokens, TokenSource, Verifier and Open, and no more.
func (p Policy) checkEntry(f *faults) {
	var ways []string
	if len(p.Tokens) > 0 {
		ways = append(ways, "Tokens")
	}
	if p.TokenSource != (TokenSource{}) {
		ways = append(ways, "TokenSource")
	}
	if p.Verifier != nil {
		ways = append(ways, "Verifier")
	}
	if p.Open {
		ways = append(ways, "Open")
	}
	switch {
	case len(ways) == 0:
		f.add("the policy lets nobody in; give Tokens, a TokenSource or a Verifier, or say Open: true if everybody may call")
	case len(ways) > 1:
		f.add("the policy has %s; keep one of them", strings.Join(ways, " and "))
	}
	switch {
	case p.Documents > ByToken:
		f.add("Documents is %d; it is ByRoute, ForAll or ByToken", p.Documents)
	case p.Documents == ByToken && p.Open:
		f.add("Documents is ByToken, but an Open policy has no tokens; leave Documents out")
	}
}

// checkHeader is the canonical name of the header that may carry the token.
func (p Policy) checkHeader(f *faults) string {
	if p.Header == "" {
		return http.CanonicalHeaderKey("RPC-Token")
	}
	for i := range len(p.Header) {
		if !isTokenChar(p.Header[i]) {
			f.add("Header %q is not a header's name; take one such as RPC-Token", p.Header)
			return ""
		}
	}
	name := http.CanonicalHeaderKey(p.Header)
	switch name {
	case "Authorization", "Host", "Origin", "Content-Type", "Content-Length", "Content-Encoding", "Cookie":
		f.add("Header is %s, which has a meaning of its own; take one such as RPC-Token (Authorization: Bearer always works)", name)
	}
	return name
}

// checkTokens never tells a secret, only where it stands: name is of token i.
func checkTokens(tokens []Token, name func(i int) string, f *faults) []secret {
	var made []secret
	for i, t := range tokens {
		switch {
		case strings.TrimSpace(t.Secret) == "":
			f.add("%s.Secret is empty; was its environment variable set?", name(i))
			continue
		case !visible(t.Secret):
			f.add("%s.Secret has a space or a character that a header cannot carry; use letters and digits", name(i))
		}
		digest := digestOf(t.Secret)
		if at := slices.IndexFunc(made, func(s secret) bool { return s.digest == digest }); at >= 0 {
			f.add("%s.Secret was given to another token already; give each caller a secret of its own", name(i))
		}
		if len(tokens) > 1 && t.Caller.ID == "" {
			f.add("%s.Caller has no ID; with several tokens each caller needs one, or they share cached results and sessions", name(i))
		}
		caller := t.Caller
		caller.Groups, caller.Scopes = slices.Clone(caller.Groups), slices.Clone(caller.Scopes)
		made = append(made, secret{digest, &caller})
	}
	return made
}

// visible reports whether s is visible ASCII without spaces.
func visible(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

func (p Policy) checkPublicURL(f *faults) *url.URL {
	if p.PublicURL == "" {
		return nil
	}
	u, err := url.Parse(p.PublicURL)
	if err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.User == nil && u.RawQuery == "" && u.Fragment == "" {
		if _, ok := splitHost(u.Host); ok {
			return u
		}
	}
	f.add("PublicURL must be an http or https URL without query, such as https://shop.example") // it may hold a password: not repeated
	return nil
}

// checkHosts is the set of Hosts, nil without a list.
func (p Policy) checkHosts(public *url.URL, f *faults) map[string]bool {
	if p.Hosts == nil {
		return nil
	}
	if len(p.Hosts) == 0 && public == nil {
		f.add("Hosts is an empty list, so no request could come in; leave it out or list the names")
	}
	listed := map[string]bool{}
	for i, s := range p.Hosts {
		host, ok := splitHost(s)
		if !ok || strings.Contains(s, "*") {
			f.add("Hosts[%d] is %q; write a name, with a port if only that one is meant: shop.example or shop.example:8443", i, s)
			continue
		}
		name := strings.ToLower(host.name)
		if host.port != "" {
			name += ":" + host.port
		}
		listed[name] = true
	}
	return listed
}

// checkOrigins is the set of canonical Origins, PublicURL's among them.
func (p Policy) checkOrigins(public *url.URL, f *faults) map[string]bool {
	listed := map[string]bool{}
	if public != nil {
		scheme, authority, _ := splitOrigin(public.Scheme + "://" + public.Host)
		listed[scheme+"://"+authority] = true
	}
	for i, s := range p.Origins {
		if strings.Contains(s, "*") {
			f.add("Origins[%d] is %q; a wildcard would let any page call with its visitor's rights: list each origin, such as https://app.example", i, s)
			continue
		}
		scheme, authority, ok := splitOrigin(s)
		if !ok {
			f.add("Origins[%d] is %q; write scheme://host or scheme://host:port and nothing more, such as https://app.example", i, s)
			continue
		}
		listed[scheme+"://"+authority] = true
	}
	return listed
}
