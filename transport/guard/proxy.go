package guard

import (
	"net/http"
	"net/netip"
	"strings"
)

// proxies are the networks of [Policy.Proxies]; without any, nothing that a
// request says about proxies is read.
type proxies []netip.Prefix

// client is who asks and what was addressed, as far as it is known.
type client struct {
	addr   netip.Addr // without a zone; the zero Addr on a unix socket, or without proxies
	scheme string     // http or https; empty: nobody said
	host   string     // empty: nobody said, so it is the Host header
}

// checkProxies reads addresses and networks.
func (p Policy) checkProxies(f *faults) proxies {
	var list proxies
	for i, s := range p.Proxies {
		prefix, err := netip.ParsePrefix(s)
		if addr, bad := netip.ParseAddr(s); bad == nil && addr.Zone() == "" {
			prefix, err = netip.PrefixFrom(addr.Unmap(), addr.Unmap().BitLen()), nil
		}
		switch {
		case err != nil || prefix.Addr().Is4In6():
			f.add("Proxies[%d] is %q; write an address or a network, such as 10.0.0.0/8 or 127.0.0.1", i, s)
		case prefix.Bits() == 0:
			f.add("Proxies[%d] is %q, which is everybody: each caller could say that it is another; write the addresses of your proxies", i, s)
		default:
			list = append(list, prefix.Masked())
		}
	}
	return list
}

func (p proxies) trust(addr netip.Addr) bool {
	for _, prefix := range p {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

// client is the connection's other side, or whom trusted proxies name. Where
// X-Forwarded-* and Forwarded contradict each other neither is believed: one
// of them is from the client.
func (p proxies) client(r *http.Request) (c client) {
	if r.TLS != nil {
		c.scheme = "https"
	}
	if len(p) == 0 {
		return c
	}
	if c.addr = remote(r); !p.trust(c.addr) {
		return c
	}
	a, b := p.listed(r.Header), p.forwarded(r.Header)
	if addr, said := agreed(a.addr, b.addr); said {
		c.addr = addr
	}
	if scheme, said := agreed(a.scheme, b.scheme); said {
		c.scheme = scheme
	}
	if host, said := agreed(a.host, b.host); said {
		c.host = host
	}
	return c
}

// addr is the address of the client.
func (p proxies) addr(r *http.Request) netip.Addr {
	if len(p) == 0 {
		return remote(r)
	}
	return p.client(r).addr
}

// agreed is what one of two says, or both; not said when they differ.
func agreed[T comparable](a, b T) (value T, said bool) {
	var none T
	switch {
	case a == none:
		return b, b != none
	case b == none, a == b:
		return a, true
	}
	return none, false
}

// remote is the address of the connection.
func remote(r *http.Request) netip.Addr {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{} // a unix socket
	}
	return at.Addr().Unmap().WithZone("")
}

// mostForwarded is the most bytes of a header that are read; what is longer
// says nothing.
const mostForwarded = 4096

// listed is what X-Forwarded-For, -Proto and -Host say. Each proxy either adds
// itself to a list or leaves one value, so the one that belongs to the client
// is as far from the end as its address is.
func (p proxies) listed(h http.Header) (c client) {
	nodes := values(h["X-Forwarded-For"])
	at := p.walk(len(nodes), func(i int) (netip.Addr, bool) { return node(nodes[i]) })
	back := 0 // from the end
	if at >= 0 {
		c.addr, _ = node(nodes[at])
		back = len(nodes) - 1 - at
	}
	c.scheme = scheme(nth(values(h["X-Forwarded-Proto"]), back))
	c.host = hostName(nth(values(h["X-Forwarded-Host"]), back))
	return c
}

// walk goes back from the last of n addresses, which the nearest proxy added,
// to the first that is no proxy of ours, or to where it is not understood: what
// stands before that anybody may have written. It is -1 without any.
func (p proxies) walk(n int, addr func(i int) (netip.Addr, bool)) (at int) {
	at = -1
	for i := n - 1; i >= 0; i-- {
		a, ok := addr(i)
		if !ok {
			return at
		}
		if at = i; !p.trust(a) {
			return at
		}
	}
	return at
}

// values are the members of a list header, over all its lines.
func values(lines []string) (list []string) {
	size := 0
	for _, line := range lines {
		if size += len(line); size > mostForwarded {
			return nil
		}
		for v := range strings.SplitSeq(line, ",") {
			list = append(list, strings.Trim(v, " \t"))
		}
	}
	return list
}

// nth is the value that is back from the end, or the first.
func nth(list []string, back int) string {
	if len(list) == 0 {
		return ""
	}
	return list[max(0, len(list)-1-back)]
}

// node reads an address with or without a port; IPv6 with a port has brackets.
// A zone is somebody else's (RFC 4007 section 6).
func node(s string) (netip.Addr, bool) {
	if inner, ok := strings.CutPrefix(s, "["); ok && strings.HasSuffix(s, "]") {
		s = inner[:len(inner)-1]
	}
	addr, err := netip.ParseAddr(s)
	if err != nil {
		var at netip.AddrPort
		if at, err = netip.ParseAddrPort(s); err != nil {
			return netip.Addr{}, false
		}
		addr = at.Addr()
	}
	return addr.Unmap(), addr.Zone() == ""
}

// scheme is http, https or nothing.
func scheme(s string) string {
	switch {
	case strings.EqualFold(s, "https"):
		return "https"
	case strings.EqualFold(s, "http"):
		return "http"
	}
	return ""
}

// hostName is s when it can stand in a URL as it is, else nothing.
func hostName(s string) string {
	host, ok := splitHost(s)
	if !ok || len(s) > 255 {
		return ""
	}
	if inner, ok := strings.CutPrefix(host.name, "["); ok {
		addr, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		if err != nil || !addr.Is6() || addr.Zone() != "" {
			return ""
		}
		return s
	}
	for i := range len(host.name) {
		if c := host.name[i]; c != '-' && c != '.' && c != '_' && !isAlphanumeric(c) {
			return ""
		}
	}
	return s
}
