package guard

import (
	"context"
	"math"
	"net/http"
	"net/netip"
	"reflect"
	"strconv"
	"sync"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"go.uber.org/zap"
)

// Rate is how often one caller may call: a bucket of Burst calls that fills
// up with PerSecond calls a second. The zero Rate is no limit.
//
// Callers are told apart by [rpc.Caller].ID; those without one, as with Open,
// by their address (IPv6: its /64 network): that of the connection, or what
// [Policy.Proxies] say. All paths count together.
type Rate struct {
	// PerSecond may be less than 1: 0.1 is a call in ten seconds.
	PerSecond float64
	// Burst is also the most members of a batch; 0: PerSecond, rounded up.
	Burst int
	// Shared keeps the buckets for all processes together, as a
	// rediscache.Pool does; nil: each process counts for itself. While it
	// cannot be asked, the process's own buckets take over, so nobody is shut
	// out and nobody is without a limit: that is logged once, and when it is
	// over. Nodes then allow up to Burst and PerSecond each.
	Shared Buckets
}

const (
	// maxCallers are remembered at least, twice as many at most. Beyond, who
	// called least recently starts with a full bucket again.
	maxCallers = 1 << 16
	// longestFill is the most time in which a bucket may fill up.
	longestFill = 30 * 24 * time.Hour
)

// meter counts calls by caller. A bucket is one number, the time at which it
// will be full again: a call moves it by the time one call takes to come back.
type meter struct {
	burst int
	each  time.Duration // in which one call comes back
	fill  time.Duration // in which an empty bucket is full again
	start time.Time

	shared *sharedBuckets // nil: the process counts for itself

	mu sync.Mutex
	// young are the buckets written since turned, old those of the time before.
	// What stays in old for fill is full, which is as good as forgotten.
	young, old map[account]time.Duration // since start
	turned     time.Duration
}

// account is who pays for a call.
type account struct {
	id   string
	addr netip.Addr // without an id
}

// checkRate is nil without a limit.
func (p Policy) checkRate(log *zap.Logger, f *faults) *meter {
	rate := p.Rate
	if rate.PerSecond == 0 && rate.Burst == 0 && rate.Shared == nil {
		return nil
	}
	if !(rate.PerSecond > 0 && rate.PerSecond <= 1e6) || rate.Burst < 0 || rate.Burst > 1e6 {
		f.add("Rate is %v calls a second with a burst of %d; give a PerSecond above 0 and a Burst of 1 or more, both up to a million, or leave Rate out", rate.PerSecond, rate.Burst)
		return nil
	}
	if v := reflect.ValueOf(rate.Shared); v.Kind() == reflect.Pointer && v.IsNil() {
		f.add("Rate.Shared is a nil %T; make the pool first, or leave Shared out", rate.Shared)
		return nil
	}
	if rate.Burst == 0 {
		rate.Burst = int(math.Ceil(rate.PerSecond))
	}
	if seconds := float64(rate.Burst) / rate.PerSecond; seconds > longestFill.Seconds() {
		f.add("Rate lets a burst of %d come back in %.0f days; keep it within 30", rate.Burst, seconds/86400)
		return nil
	}
	each := time.Duration(float64(time.Second) / rate.PerSecond)
	m := &meter{
		burst: rate.Burst, each: each, fill: each * time.Duration(rate.Burst),
		start: time.Now(), young: map[account]time.Duration{},
	}
	if rate.Shared != nil {
		m.shared = newShared(rate, each, log)
	}
	return m
}

// account is whom the request is charged to.
func (g *gate) account(c *rpc.Caller, r *http.Request) account {
	if c.ID != "" {
		return account{id: c.ID}
	}
	addr := g.proxies.addr(r) // the zero Addr on a unix socket
	if addr.Is6() {
		if network, err := addr.Prefix(64); err == nil {
			addr = network.Addr()
		}
	}
	return account{addr: addr}
}

// take pays for n calls, at most burst, or for none and says after which time
// they will be there. What is paid to shared buckets is noted here, so that
// the process's own are not full when they have to take over.
func (m *meter) take(ctx context.Context, a account, n int) (wait time.Duration) {
	if m.shared == nil {
		return m.charge(a, n)
	}
	wait, ok := m.shared.take(ctx, a, n, m.burst, m.each)
	switch {
	case !ok:
		return m.charge(a, n)
	case wait == 0:
		m.spend(a, n, true)
	}
	return wait
}

// charge takes n calls, at most burst, or none and says after which time they
// will be there.
func (m *meter) charge(a account, n int) (wait time.Duration) { return m.spend(a, n, false) }

// spend is charge; with all it takes what is there when that is less than n.
func (m *meter) spend(a account, n int, all bool) (wait time.Duration) {
	now := time.Since(m.start)
	m.mu.Lock()
	defer m.mu.Unlock()
	if now-m.turned >= m.fill {
		m.turn(now)
	}
	full, known := m.young[a]
	if !known {
		full = m.old[a]
	}
	full = max(full, now) + time.Duration(n)*m.each
	switch wait = full - now - m.fill; {
	case wait > 0 && all:
		full -= wait
	case wait > 0:
		return wait
	}
	if !known && len(m.young) >= maxCallers {
		m.turn(now)
	}
	m.young[a] = full
	return 0
}

// turn forgets the buckets that have been full since the last turn or before.
func (m *meter) turn(now time.Duration) {
	m.old, m.young, m.turned = m.young, map[account]time.Duration{}, now
}

// pay charges a request before it is read.
func (g *gate) pay(c *rpc.Caller, r *http.Request) *refusal {
	if wait := g.meter.take(r.Context(), g.account(c, r), 1); wait > 0 {
		return tooOften(wait)
	}
	return nil
}

func tooOften(wait time.Duration) *refusal {
	return &refusal{status: http.StatusTooManyRequests, kind: rpcerrors.RateLimit,
		text: "Too many calls; wait as long as Retry-After says.", header: "Retry-After", value: seconds(wait)}
}

// seconds is the value of Retry-After (RFC 9110 section 10.2.3), rounded up.
func seconds(d time.Duration) []string {
	return []string{strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)}
}

// Charge pays for n more calls of the request, whose first was paid for at the
// door: the edge calls it for the other members of a batch, before any of them
// runs. When it reports false the answer has been written, 429, and nothing
// may run; the n are not paid then. Without [Policy.Rate] it does nothing.
func (v *Visit) Charge(w http.ResponseWriter, r *http.Request, n int) bool {
	m := v.door.gate.meter
	if m == nil || n <= 0 {
		return true
	}
	if n >= m.burst { // n+1 are never there at once: waiting does not help
		v.door.refuse(w, r, &refusal{status: http.StatusTooManyRequests, kind: rpcerrors.RateLimit,
			text: "Too many calls in one batch: " + strconv.Itoa(m.burst) + " at most."})
		return false
	}
	if wait := m.take(r.Context(), v.door.gate.account(v.Caller, r), n); wait > 0 {
		v.door.refuse(w, r, tooOften(wait+m.each)) // the next attempt pays at the door again
		return false
	}
	return true
}
