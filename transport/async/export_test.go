package async

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"syscall"
)

// DialWith connects deliveries by dial, without the check of addresses.
func (j *Jobs) DialWith(dial func(ctx context.Context, network, address string) (net.Conn, error)) {
	j.sender.client.Transport.(*http.Transport).DialContext = dial
}

// ResolveWith looks names up at r, and asks admitted about every address that
// the check let through.
func (j *Jobs) ResolveWith(r *net.Resolver, admitted func(address string) error) {
	d := &net.Dialer{Resolver: r}
	t := j.sender.transport(d)
	if check := d.Control; check != nil {
		d.Control = func(network, address string, c syscall.RawConn) error {
			if err := check(network, address, c); err != nil {
				return err
			}
			return admitted(address)
		}
	}
	j.sender.client.Transport = t
}

// Busy is how many hosts a delivery is on its way to.
func (j *Jobs) Busy() int {
	j.sender.places.mu.Lock()
	defer j.sender.places.mu.Unlock()
	return len(j.sender.places.hosts)
}

// Refuses says what is wrong with an address; empty: nothing.
func Refuses(a netip.Addr) string { return refuses(a) }

// HasProxy reports whether deliveries could go through a proxy.
func (j *Jobs) HasProxy() bool { return j.sender.client.Transport.(*http.Transport).Proxy != nil }

// SpecialAddresses is the table of addresses, as prefix and what it is.
func SpecialAddresses() (out [][2]string) {
	for _, s := range special {
		out = append(out, [2]string{s.prefix.String(), s.what})
	}
	return out
}
