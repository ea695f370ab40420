package guard

import (
	"net/http"
	"strings"
)

// origins judges the Origin header that browsers send (RFC 6454).
type origins struct {
	listed map[string]bool // canonical
	// PublicURL's parts, canonical; empty without one.
	publicScheme, publicAuthority string
}

// admitsOrigin reports whether a page of the request's origin may call. crossed
// is that origin when the answer must name it, because it is not the request's
// own.
func (g *gate) admitsOrigin(r *http.Request) (crossed string, ok bool) {
	values, o := r.Header["Origin"], &g.origins
	switch {
	case len(values) == 0:
		return "", true
	case len(values) > 1:
		return "", false
	case o.listed[values[0]]:
		return values[0], true
	}
	scheme, authority, ok := splitOrigin(values[0])
	switch {
	case !ok:
		return "", false // null among others
	case o.listed[scheme+"://"+authority]:
		return values[0], true
	}
	c := g.proxies.client(r)
	if c.host == "" {
		c.host = r.Host
	}
	return "", o.own(scheme, authority, c)
}

// own reports whether an origin is the request's own: the host that was
// addressed, and the scheme where it is known.
func (o *origins) own(scheme, authority string, c client) bool {
	host, ok := splitHost(c.host)
	if !ok || authority != host.canonical(scheme) {
		return false
	}
	switch {
	case c.scheme != "":
		return scheme == c.scheme
	case host.loopback():
		return scheme == "http"
	case o.publicScheme != "" && host.canonical(o.publicScheme) == o.publicAuthority:
		return scheme == o.publicScheme
	}
	return scheme == "http" || scheme == "https" // a proxy may have ended TLS, which the request does not show
}

// splitOrigin reads scheme://host[:port] into canonical parts.
func splitOrigin(s string) (scheme, authority string, ok bool) {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || !isScheme(scheme) {
		return "", "", false
	}
	scheme = strings.ToLower(scheme)
	host, ok := splitHost(rest)
	if !ok {
		return "", "", false
	}
	return scheme, host.canonical(scheme), true
}

// canonical is the authority in lower case without the scheme's own port.
func (h hostPort) canonical(scheme string) string {
	name := strings.ToLower(h.name)
	switch {
	case h.port == "", scheme == "http" && h.port == "80", scheme == "https" && h.port == "443":
		return name
	}
	return name + ":" + h.port
}

// isScheme is the grammar of RFC 3986 section 3.1.
func isScheme(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		letter := c >= 'a' && c <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(s[i]))) {
			return false
		}
	}
	return s != ""
}
