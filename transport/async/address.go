package async

import (
	"errors"
	"net/netip"
	"syscall"
)

// special are the addresses that no webhook is posted to, with what they are.
// IPv6 has no others than those of global unicast, 2000::/3. See the registries
// of special purpose addresses of IANA (RFC 6890).
var special = []struct {
	prefix netip.Prefix
	what   string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "this host"},
	{netip.MustParsePrefix("10.0.0.0/8"), "private"},
	{netip.MustParsePrefix("100.64.0.0/10"), "shared by carriers (CGNAT)"},
	{netip.MustParsePrefix("127.0.0.0/8"), "loopback"},
	{netip.MustParsePrefix("168.63.129.16/32"), "metadata (Azure)"},
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local, metadata"},
	{netip.MustParsePrefix("172.16.0.0/12"), "private"},
	{netip.MustParsePrefix("192.0.0.0/24"), "protocols"},
	{netip.MustParsePrefix("192.0.2.0/24"), "documentation"},
	{netip.MustParsePrefix("192.88.99.0/24"), "6to4 relays"},
	{netip.MustParsePrefix("192.168.0.0/16"), "private"},
	{netip.MustParsePrefix("198.18.0.0/15"), "benchmarks"},
	{netip.MustParsePrefix("198.51.100.0/24"), "documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "documentation"},
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast"},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved, broadcast"},
	{netip.MustParsePrefix("::/128"), "unspecified"},
	{netip.MustParsePrefix("::1/128"), "loopback"},
	{netip.MustParsePrefix("64:ff9b::/96"), "NAT64"},
	{netip.MustParsePrefix("64:ff9b:1::/48"), "NAT64, local"},
	{netip.MustParsePrefix("2001::/23"), "protocols, Teredo"},
	{netip.MustParsePrefix("2001:db8::/32"), "documentation"},
	{netip.MustParsePrefix("2002::/16"), "6to4"},
	{netip.MustParsePrefix("3fff::/20"), "documentation"},
	{netip.MustParsePrefix("fc00::/7"), "unique local, metadata"},
	{netip.MustParsePrefix("fe80::/10"), "link-local"},
	{netip.MustParsePrefix("fec0::/10"), "site-local"},
	{netip.MustParsePrefix("ff00::/8"), "multicast"},
}

var globalUnicast = netip.MustParsePrefix("2000::/3")

// refuses says what is wrong with an address; empty: it is public. An IPv4
// address in an IPv6 one (RFC 4291, section 2.5.5.2) is what it is as IPv4.
func refuses(a netip.Addr) (what string) {
	if a.Zone() != "" {
		return "with a zone"
	}
	a = a.Unmap()
	for _, s := range special {
		if s.prefix.Contains(a) {
			return s.what
		}
	}
	if a.Is6() && !globalUnicast.Contains(a) {
		return "not global"
	}
	return ""
}

// errAddress: the host has an address that is not public. The text does not
// tell which, because callers may see it.
var errAddress = errors.New("the address of the host is not public")

// publicOnly is the Control of a [net.Dialer]: it sees the address that is
// connected to, after DNS, so that no second answer of DNS can be another one.
func publicOnly(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || refuses(at.Addr()) != "" {
		return errAddress
	}
	return nil
}
