package async_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/async"
)

// names is a DNS server in memory: each lookup of a name gets the next of its
// sets of addresses, the last one for ever.
type names struct {
	mu    sync.Mutex
	sets  map[string][][]string
	asked map[string]int
}

// resolver asks n.
func (n *names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go n.serve(there)
		return here, nil
	}}
}

// serve answers the questions of one connection, as over TCP (RFC 1035, 4.2.2).
func (n *names) serve(conn net.Conn) {
	defer conn.Close()
	for {
		var size [2]byte
		if _, err := readFull(conn, size[:]); err != nil {
			return
		}
		q := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := readFull(conn, q); err != nil {
			return
		}
		a := n.answer(q)
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(a))), a...)); err != nil {
			return
		}
	}
}

func readFull(conn net.Conn, b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var m int
		m, err = conn.Read(b[n:])
		n += m
	}
	return n, err
}

// answer makes a response to a question for A or AAAA.
func (n *names) answer(q []byte) []byte {
	var labels []string
	at := 12
	for q[at] != 0 {
		labels = append(labels, string(q[at+1:at+1+int(q[at])]))
		at += 1 + int(q[at])
	}
	kind := binary.BigEndian.Uint16(q[at+1:])
	question := q[12 : at+5]
	var records []byte
	count := 0
	for _, text := range n.next(strings.Join(labels, "."), kind) {
		a := netip.MustParseAddr(text)
		if raw := a.AsSlice(); a.Is4() == (kind == 1) {
			records = append(records, 0xc0, 12, 0, byte(kind), 0, 1, 0, 0, 0, 0, 0, byte(len(raw)))
			records = append(records, raw...)
			count++
		}
	}
	out := append([]byte{q[0], q[1], 0x81, 0x80, 0, 1, 0, byte(count), 0, 0, 0, 0}, question...)
	return append(out, records...)
}

// next are the addresses of a name; a lookup asks for A and AAAA.
func (n *names) next(name string, kind uint16) []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	sets := n.sets[name]
	if len(sets) == 0 {
		return nil
	}
	key := fmt.Sprint(name, kind)
	set := sets[min(n.asked[key], len(sets)-1)]
	n.asked[key]++
	return set
}

// errAdmitted ends a connection that the check let through, before it is made.
var errAdmitted = errors.New("admitted")

// gate is a program whose deliveries ask n and never leave the machine.
type gate struct {
	*program
	names    *names
	outputs  <-chan rpc.AsyncOutput
	mu       sync.Mutex
	admitted []string
}

func gated(t *testing.T, attempts int, sets map[string][][]string) *gate {
	g := &gate{names: &names{sets: sets, asked: map[string]int{}}}
	g.program = start(t, setup{
		async: async.Options{Webhooks: async.Webhooks{Hosts: []string{"*"}, Attempts: attempts}},
		rest: func(j *async.Jobs) {
			j.ResolveWith(g.names.resolver(), func(address string) error {
				g.mu.Lock()
				defer g.mu.Unlock()
				g.admitted = append(g.admitted, address)
				return errAdmitted
			})
		},
	}, rpc.Method{Name: "run", Func: func() {}})
	g.outputs = g.program.outputs()
	return g
}

// addresses are some of each kind that no webhook goes to.
var addresses = []string{
	"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254", "168.63.129.16",
	"169.254.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1",
	"198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
	"::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "2001::1",
	"2001:db8::1", "2002:7f00:1::1", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1",
}

// R-S06: a name that leads to an address of this machine or its networks is
// refused when the connection is made, whatever else it leads to.
func TestNamesOfPrivateAddresses(t *testing.T) {
	sets := map[string][][]string{}
	for i, a := range addresses {
		sets[fmt.Sprintf("h%d.example", i)] = [][]string{{a}}
		sets[fmt.Sprintf("m%d.example", i)] = [][]string{{a, "8.8.8.8"}}
	}
	g := gated(t, 1, sets)
	for i, a := range addresses {
		id := g.submit("run", "{}", fmt.Sprintf("https://h%d.example/hook", i))
		o := end(t, g.outputs)
		if o.Err == nil || !strings.Contains(o.Err.Error(), "not public") || len(g.admitted) != 0 {
			t.Errorf("%s: %v, admitted %v", a, o.Err, g.admitted)
		}
		if job := g.job(id); job.State != async.GivenUp || job.Problem != "the host cannot be reached" {
			t.Errorf("%s: the caller sees %+v", a, job)
		}
		g.submit("run", "{}", fmt.Sprintf("https://m%d.example/hook", i))
		end(t, g.outputs)
		for _, to := range g.admitted {
			if to != "8.8.8.8:443" {
				t.Errorf("%s beside a public one: connects to %s", a, to)
			}
		}
		g.admitted = nil
	}
}

// R-S06: names of public addresses pass, in both families.
func TestNamesOfPublicAddresses(t *testing.T) {
	for _, a := range []string{"8.8.8.8", "1.1.1.1", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1", "192.0.1.1", "198.17.0.1", "198.20.0.1", "223.255.255.255", "2606:4700::1111", "2a00::1", "2001:4860:4860::8888"} {
		g := gated(t, 1, map[string][][]string{"h.example": {{a}}})
		g.submit("run", "{}", "https://h.example")
		end(t, g.outputs)
		if want := net.JoinHostPort(a, "443"); len(g.admitted) != 1 || g.admitted[0] != want {
			t.Errorf("%s: admitted %v", a, g.admitted)
		}
		g.stop()
	}
}

// R-S06: there is no time between the check and the connection in which a name
// could lead elsewhere: nobody asks DNS before, and each connection is judged
// by the address that it goes to.
func TestRebinding(t *testing.T) {
	g := gated(t, 1, map[string][][]string{"h.example": {{"8.8.8.8"}, {"127.0.0.1"}}})
	for range 10 { // refused at once, after the callback was looked at
		g.post(`{"jsonrpc":"2.0","id":1,"method":"run","params":{"x":1,"$rpc":{"callback":"https://h.example"}}}`)
	}
	if len(g.names.asked) != 0 {
		t.Errorf("DNS was asked before: %v", g.names.asked)
	}
	g.submit("run", "{}", "https://h.example")
	if o := end(t, g.outputs); strings.Join(g.admitted, " ") != "8.8.8.8:443" || !errors.Is(o.Err, errAdmitted) {
		t.Errorf("connected to %v: %v", g.admitted, o.Err)
	}
	g.submit("run", "{}", "https://h.example")
	if o := end(t, g.outputs); len(g.admitted) != 1 || !strings.Contains(o.Err.Error(), "not public") {
		t.Errorf("connected to %v: %v", g.admitted, o.Err)
	}
}

// forms are callbacks that are refused at once, by their host alone.
var forms = []struct{ url, why string }{
	{"https://2130706433/", "a decimal address"},
	{"https://0x7f000001/", "a hexadecimal address"},
	{"https://0x7f.0.0.1/", "a hexadecimal part"},
	{"https://0177.0.0.1/", "an octal part"},
	{"https://017700000001/", "an octal address"},
	{"https://127.1/", "a short address"},
	{"https://127.0.1/", "a short address"},
	{"https://127.0.0.01/", "a leading zero"},
	{"https://127.0.0.1./", "a dot at the end"},
	{"https://0/", "a number"},
	{"https://a.0x1/", "a last label that is a number"},
	{"https://[::ffff:127.0.0.1]/", "IPv4 mapped into IPv6"},
	{"https://[::ffff:7f00:1]/", "IPv4 mapped into IPv6"},
	{"https://[fe80::1%25eth0]/", "a zone"},
	{"https://[127.0.0.1]/", "IPv4 in brackets"},
	{"https://１２７.0.0.1/", "wide digits"},
	{"https://127。0。0。1/", "wide dots"},
	{"https://%31%32%37.0.0.1/", "percent-encoding"},
	{"https://user@hooks.example/", "a user"},
	{"https://hooks.example@127.0.0.1/", "a user that looks like a host"},
	{"https://hooks.example\\\\@127.0.0.1/", "a backslash"},
	{"https://hooks.example#@127.0.0.1/", "a fragment"},
	{"https://hooks.example:0/", "port 0"},
	{"https://hooks.example:65536/", "port 65536"},
	{"https://hooks.example:/", "no port after the colon"},
	{"https://localhost/", "a name without a dot"},
	{"https://hooks..example/", "an empty label"},
	{"https://hooks.example ./", "a space"},
	{"https://hooks.example\\t/", "a tab"},
	{"https://8.8.8.8/", "an address, if it is not listed itself"},
	{"https://[2606:4700::1111]/", "an address, if it is not listed itself"},
	{"http://hooks.example/", "http without Plain"},
	{"ftp://hooks.example/", "another scheme"},
	{"//hooks.example/", "no scheme"},
	{"https:hooks.example", "no host"},
	{"https:///hook", "no host"},
	{"file:///etc/passwd", "a file"},
	{"gopher://127.0.0.1:6379/", "another scheme"},
}

// R-S06: hosts that readers of URLs do not agree about are refused at once.
func TestFormsOfHosts(t *testing.T) {
	g := gated(t, 1, nil)
	for _, tt := range forms {
		got := g.post(`{"jsonrpc":"2.0","id":1,"method":"run","params":{"$rpc":{"callback":"` + tt.url + `"}}}`)
		if !strings.Contains(got, `"pointer":"/$rpc/callback"`) || strings.Contains(got, "jobId") {
			t.Errorf("%s (%s): %s", tt.url, tt.why, got)
		}
	}
	if len(g.admitted) != 0 || len(g.names.asked) != 0 {
		t.Errorf("connected to %v, asked for %v", g.admitted, g.names.asked)
	}
}

// R-S06: an address that is listed is still refused when it is not public.
func TestListedPrivateAddress(t *testing.T) {
	r := receive(t, nil)
	w := r.local()
	w.Private, w.Attempts = false, 1
	p := start(t, setup{async: async.Options{Webhooks: w}}, rpc.Method{Name: "run", Func: func() {}})
	outputs := p.outputs()
	p.submit("run", "{}", r.URL)
	if o := end(t, outputs); o.Err == nil || !strings.Contains(o.Err.Error(), "not public") || len(r.hooks) != 0 {
		t.Errorf("got %v, %d webhooks", o.Err, len(r.hooks))
	}
}

// The environment's proxy would connect to anything: it is not used.
func TestNoProxy(t *testing.T) { // R-S06
	j, err := jobsFor(t, async.Webhooks{Hosts: []string{"*"}, Secrets: []string{secret}})
	if err != nil || j.HasProxy() {
		t.Errorf("a proxy: %t, %v", j.HasProxy(), err)
	}
}

// R-S06: the check alone, also for the forms that the dialer writes otherwise.
func TestAddresses(t *testing.T) {
	for _, a := range append([]string{"fe80::1%eth0", "8.8.8.8%eth0", "::ffff:0:127.0.0.1"}, addresses...) {
		if parsed, err := netip.ParseAddr(a); err == nil && async.Refuses(parsed) == "" {
			t.Errorf("%s passes", a)
		}
	}
	for _, a := range []string{"8.8.8.8", "::ffff:8.8.8.8", "2606:4700::1111"} {
		if what := async.Refuses(netip.MustParseAddr(a)); what != "" {
			t.Errorf("%s is called %s", a, what)
		}
	}
}

// TestTables holds the tables of docs/webhooks.md against the data here.
func TestTables(t *testing.T) {
	const page = "../../docs/webhooks.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| addresses | what they are | tested with |\n|---|---|---|\n")
	for _, row := range async.SpecialAddresses() {
		prefix := netip.MustParsePrefix(row[0])
		var of []string
		for _, a := range addresses {
			if prefix.Contains(netip.MustParseAddr(a).Unmap()) {
				of = append(of, "`"+a+"`")
			}
		}
		if len(of) == 0 {
			t.Errorf("no test has an address of %s", row[0])
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", row[0], row[1], strings.Join(of, ", "))
	}
	got := fill(t, string(text), "addresses", b.String())
	b.Reset()
	b.WriteString("| callback | what is wrong with it |\n|---|---|\n")
	for _, f := range forms {
		fmt.Fprintf(&b, "| `%s` | %s |\n", f.url, f.why)
	}
	got = fill(t, got, "callbacks", b.String())
	script, err := os.ReadFile("testdata/receiver.cjs")
	if err != nil {
		t.Fatal(err)
	}
	got = fill(t, got, "receiver.cjs", "```js\n"+string(script)+"```\n")
	if got == string(text) {
		return
	}
	if !*update {
		t.Fatal("the tables are not what is tested; run go test ./transport/async -run TestTables -update")
	}
	if err := os.WriteFile(page, []byte(got), 0o644); err != nil {
		t.Fatal(err)
	}
}

// fill puts a table between its marks.
func fill(t *testing.T, page, name, table string) string {
	t.Helper()
	begin, end := "<!-- table of "+name+" -->\n", "<!-- end of "+name+" -->\n"
	before, rest, ok := strings.Cut(page, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("docs/webhooks.md has no place for the table of %s", name)
	}
	return before + begin + table + end + after
}
