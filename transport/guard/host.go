package guard

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
)

// hosts judges the Host header. It stops DNS rebinding: a page of evil.com
// whose name was pointed at 127.0.0.1 is same-origin to the browser, but
// still says Host: evil.com.
type hosts struct {
	listed map[string]bool // lower-case name or name:port; nil: by the connection
	public string          // the name in PublicURL, lower-case

	last atomic.Pointer[string] // the Host that was admitted last for its name alone
}

// admitsHost judges what the request addressed. A proxy that forwards another
// host is held to the same rules; on a loopback connection, where a page may
// have written the header of the proxy, the Host header has to fit as well.
func (g *gate) admitsHost(r *http.Request) bool {
	if len(g.proxies) == 0 {
		return g.hosts.admit(r.Host, r)
	}
	forwarded := g.proxies.client(r).host
	switch {
	case forwarded == "":
		return g.hosts.admit(r.Host, r)
	case !g.hosts.admit(forwarded, r):
		return false
	case !onLoopback(r):
		return true
	}
	host, ok := splitHost(r.Host)
	return ok && host.loopback() || g.hosts.admit(r.Host, r)
}

// admit reports whether the request r may address the host of that name.
func (h *hosts) admit(name string, r *http.Request) bool {
	if last := h.last.Load(); last != nil && *last == name {
		return true
	}
	host, ok := splitHost(name)
	switch {
	case ok && h.public != "" && strings.EqualFold(host.name, h.public):
	case h.listed != nil:
		if !ok || !h.lists(host) {
			return false
		}
	case ok && host.loopback():
	default:
		return !onLoopback(r)
	}
	admitted := name
	h.last.Store(&admitted)
	return true
}

func (h *hosts) lists(host hostPort) bool {
	name := strings.ToLower(host.name)
	return h.listed[name] || host.port != "" && h.listed[name+":"+host.port]
}

// onLoopback reports whether the connection came in at a loopback address.
// Without one, as on a unix socket or in a test, no name can be rebound to it.
func onLoopback(r *http.Request) bool {
	addr, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// hostPort is an authority: name[:port]. An IPv6 name keeps its brackets.
type hostPort struct{ name, port string }

// splitHost is strict: what it does not understand is nobody's name.
func splitHost(s string) (hostPort, bool) {
	end := 0
	if strings.HasPrefix(s, "[") {
		end = strings.IndexByte(s, ']') + 1
		if end == 0 || end == 2 {
			return hostPort{}, false
		}
	} else if end = strings.IndexByte(s, ':'); end < 0 {
		end = len(s)
	}
	name, rest := s[:end], s[end:]
	if name == "" || strings.ContainsAny(name, "/@?#\\ \t") {
		return hostPort{}, false
	}
	if rest == "" {
		return hostPort{name, ""}, true
	}
	port := rest[1:]
	if rest[0] != ':' || !isPort(port) {
		return hostPort{}, false
	}
	return hostPort{name, port}, true
}

func isPort(s string) bool {
	if len(s) == 0 || len(s) > 5 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// loopback reports whether the name can only mean this machine: localhost,
// 127.0.0.0/8 or [::1].
func (h hostPort) loopback() bool {
	switch {
	case h.name == "127.0.0.1":
		return true
	case h.name[0] == '[':
		addr, err := netip.ParseAddr(h.name[1 : len(h.name)-1])
		return err == nil && addr == netip.IPv6Loopback()
	case h.name[0] == '1':
		addr, err := netip.ParseAddr(h.name)
		return err == nil && addr.IsLoopback()
	}
	return strings.EqualFold(h.name, "localhost")
}
