package async

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// maxCallback is the longest callback, in bytes.
const maxCallback = 2048

// callback is a URL that was read strictly: no other reader sees another host
// in it.
type callback struct {
	url     *url.URL
	name    string // of the host, in lower case; an address in its usual form
	port    string
	address bool // name is an address
}

// readCallback reads a callback, or says what is wrong with it.
func readCallback(text string) (c callback, problem string) {
	if len(text) > maxCallback {
		return c, "must have at most " + strconv.Itoa(maxCallback) + " bytes"
	}
	for i := range len(text) {
		if text[i] <= ' ' || text[i] >= 0x7f || text[i] == '\\' {
			return c, "must be written in ASCII without spaces and backslashes, a host of other letters as punycode"
		}
	}
	u, err := url.Parse(text)
	if err != nil || u.Opaque != "" || u.Scheme != "http" && u.Scheme != "https" {
		return c, "must be an http or https URL"
	}
	if u.User != nil {
		return c, "must not hold a user or a password"
	}
	if strings.Contains(text, "#") {
		return c, "must not have a fragment"
	}
	c = callback{url: u, name: strings.ToLower(u.Hostname()), port: u.Port()}
	if problem := c.readHost(); problem != "" {
		return c, problem
	}
	if c.port == "" {
		if strings.HasSuffix(u.Host, ":") {
			return c, "must have a port after the colon"
		}
		c.port = c.defaultPort()
	}
	if !isPort(c.port) {
		return c, "must have a port from 1 to 65535"
	}
	return c, ""
}

func isPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n > 0 && strconv.FormatUint(n, 10) == text
}

func (c *callback) defaultPort() string {
	if c.url.Scheme == "https" {
		return "443"
	}
	return "80"
}

// readHost takes names of DNS and addresses in their usual form. Decimal,
// octal, hexadecimal and short forms of IPv4 addresses are refused: resolvers
// do not agree on what they mean.
func (c *callback) readHost() (problem string) {
	if a, err := netip.ParseAddr(c.name); err == nil {
		if a.Zone() != "" || a.Is4In6() {
			return "must not name an address with a zone, nor one of IPv4 within IPv6"
		}
		c.name, c.address = a.String(), true
		return ""
	}
	if strings.Contains(c.url.Host, "[") || !isName(c.name) {
		return "must have a host that is a name, or an address in its usual form"
	}
	return ""
}

// isName reports whether s, in lower case, is a name of DNS whose last label
// cannot be read as a number.
func isName(s string) bool {
	if s == "" || len(s) > 253 {
		return false
	}
	labels := strings.Split(s, ".")
	for _, l := range labels {
		if l == "" || len(l) > 63 || strings.Trim(l, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	last := labels[len(labels)-1]
	return last[0] < '0' || last[0] > '9'
}

// pattern is an entry of [Webhooks].Hosts.
type pattern struct {
	name   string // empty: any name with a dot in it
	suffix bool   // name begins with a dot and stands for all below it
	port   string // empty: the scheme's own
}

func (p *pattern) matches(c *callback) bool {
	switch {
	case p.port == "" && c.port != c.defaultPort(), p.port != "" && c.port != p.port:
		return false
	case p.name == "":
		return !c.address && strings.Contains(c.name, ".")
	case p.suffix:
		return !c.address && strings.HasSuffix(c.name, p.name) && len(c.name) > len(p.name)
	}
	return c.name == p.name
}

// readPatterns reads [Webhooks].Hosts.
func readPatterns(hosts []string) ([]pattern, error) {
	if len(hosts) == 0 {
		return nil, errors.New(`async: Webhooks.Hosts is empty, so no callback could be used; list hosts, such as hooks.example or *.partner.example, or "*" for any public one`)
	}
	out := make([]pattern, len(hosts))
	for i, h := range hosts {
		p := &out[i]
		p.name = strings.ToLower(h)
		if name, port, err := net.SplitHostPort(p.name); err == nil && isPort(port) {
			p.name, p.port = name, port
		}
		p.name = strings.TrimSuffix(strings.TrimPrefix(p.name, "["), "]")
		if a, err := netip.ParseAddr(p.name); err == nil {
			p.name = a.String()
			continue
		}
		rest, wild := strings.CutPrefix(p.name, "*")
		switch {
		case !wild && isName(p.name):
		case wild && rest == "":
			p.name = ""
		case wild && rest[0] == '.' && isName(rest[1:]):
			p.name, p.suffix = rest, true
		default:
			return nil, fmt.Errorf(`async: Webhooks.Hosts[%d] is %q; write a name, *.name for all names below it, or "*", with a port if it is not the scheme's own`, i, h)
		}
	}
	return out, nil
}
