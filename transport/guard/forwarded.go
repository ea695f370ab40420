package guard

import (
	"net/http"
	"net/netip"
	"strings"
)

// element is what one proxy added to Forwarded.
type element struct{ node, proto, host string }

// forwarded is what the header Forwarded says (RFC 7239): scheme and host are
// those of the client's own element. A header that breaks the grammar says
// nothing.
func (p proxies) forwarded(h http.Header) (c client) {
	lines := h["Forwarded"]
	if len(lines) == 0 {
		return c
	}
	list, ok := elements(strings.Join(lines, ","))
	if !ok {
		return c
	}
	at := p.walk(len(list), func(i int) (netip.Addr, bool) { return node(list[i].node) })
	if at >= 0 {
		c.addr, _ = node(list[at].node)
	} else { // the nearest proxy hides the address, which it may
		at = len(list) - 1
	}
	c.scheme, c.host = scheme(list[at].proto), hostName(list[at].host)
	return c
}

// elements reads RFC 7239 section 4; ok is false when it cannot, or when a
// parameter is given twice.
func elements(s string) (list []element, ok bool) {
	if len(s) > mostForwarded {
		return nil, false
	}
	var e element
	for {
		name, value, rest, ok := pair(strings.TrimLeft(s, " \t"))
		if !ok {
			return nil, false
		}
		var field *string
		switch strings.ToLower(name) {
		case "for":
			field = &e.node
		case "proto":
			field = &e.proto
		case "host":
			field = &e.host
		}
		if field != nil {
			if *field != "" {
				return nil, false
			}
			*field = value
		}
		rest = strings.TrimLeft(rest, " \t")
		switch {
		case rest == "":
			return append(list, e), true
		case rest[0] == ',':
			list, e = append(list, e), element{}
		case rest[0] != ';':
			return nil, false
		}
		s = rest[1:]
	}
}

// pair reads name=value from the start of s; the value is a token or quoted.
func pair(s string) (name, value, rest string, ok bool) {
	name, s, ok = strings.Cut(s, "=")
	if !ok || !isToken(name) {
		return "", "", "", false
	}
	if !strings.HasPrefix(s, `"`) {
		end := 0
		for end < len(s) && isTokenChar(s[end]) {
			end++
		}
		return name, s[:end], s[end:], end > 0
	}
	var text strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return name, text.String(), s[i+1:], true
		case '\\':
			if i++; i == len(s) {
				return "", "", "", false
			}
		}
		text.WriteByte(s[i])
	}
	return "", "", "", false
}

func isToken(s string) bool {
	for i := range len(s) {
		if !isTokenChar(s[i]) {
			return false
		}
	}
	return s != ""
}
