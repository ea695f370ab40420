package async

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/facet-rpc/facet/rpc"
)

// Webhooks says where answers are posted to, and how.
type Webhooks struct {
	// Hosts are those that a callback may name: hooks.example, *.example for
	// all names below it, an address, or "*" for any name. A port other than
	// the scheme's own stands behind it: hooks.example:8443. Required.
	Hosts []string
	// Secrets sign every webhook: whsec_ and base64, see [NewSecret]. The first
	// is the newest; to change it, give both for as long as receivers need to
	// learn the new one.
	Secrets []string
	// SecretsOf gives the secrets of one caller, by [rpc.Caller].ID, in place
	// of Secrets: who can verify a webhook can also forge one, so receivers
	// that do not trust each other have secrets of their own. Nothing is
	// posted for a caller without.
	SecretsOf func(caller string) []string
	// Plain allows http beside https.
	Plain bool
	// Private allows every address, for development and tests: private ones,
	// loopback, link-local and all that is refused otherwise.
	Private bool
	// Timeout is for one attempt, from DNS to the end of the answer; 0: 15
	// seconds.
	Timeout time.Duration
	// Attempts is how often an answer is posted until it is given up; 0: 10,
	// which takes about a day.
	Attempts int
	// PerHost is how many webhooks one host gets at a time, from one process;
	// 0: 4.
	PerHost int
}

// sender posts answers.
type sender struct {
	options Webhooks
	hosts   []pattern
	keys    [][]byte
	client  http.Client
	places  places
}

func newSender(o Webhooks) (*sender, error) {
	s := &sender{options: o}
	var faults []error
	var err error
	if s.hosts, err = readPatterns(o.Hosts); err != nil {
		faults = append(faults, err)
	}
	if o.SecretsOf == nil {
		if s.keys, err = keysOf(o.Secrets); err != nil {
			faults = append(faults, err)
		}
	} else if len(o.Secrets) > 0 {
		faults = append(faults, errors.New("async: Webhooks has Secrets and SecretsOf; keep one of them"))
	}
	if o.Timeout < 0 || o.Attempts < 0 || o.PerHost < 0 {
		faults = append(faults, errors.New("async: Webhooks has a Timeout, Attempts or PerHost below 0; 0 means the default"))
	}
	s.options.Timeout, s.options.Attempts, s.options.PerHost = cmp.Or(o.Timeout, 15*time.Second), cmp.Or(o.Attempts, 10), cmp.Or(o.PerHost, 4)
	s.places = places{most: s.options.PerHost, hosts: map[string]*place{}}
	s.client = http.Client{
		Transport:     s.transport(&net.Dialer{}),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return s, errors.Join(faults...)
}

// How much of a receiver's answer is read, in bytes. Nobody needs it: the
// status says all.
const (
	maxAnswer       = 64 << 10
	maxAnswerHeader = 64 << 10
)

// transport connects to public addresses only, and knows no proxy: it would
// connect to any.
func (s *sender) transport(d *net.Dialer) *http.Transport {
	if !s.options.Private {
		d.Control = publicOnly
	}
	return &http.Transport{
		DialContext: d.DialContext, DisableCompression: true, MaxResponseHeaderBytes: maxAnswerHeader,
		TLSHandshakeTimeout: s.options.Timeout, IdleConnTimeout: 30 * time.Second, MaxIdleConns: 100, MaxIdleConnsPerHost: s.options.PerHost,
	}
}

// permit says why a callback cannot be used; empty: it can.
func (s *sender) permit(text string) (c callback, problem string) {
	c, problem = readCallback(text)
	switch {
	case problem != "":
		return c, problem
	case c.url.Scheme == "http" && !s.options.Plain:
		return c, "must be an https URL"
	case !slices.ContainsFunc(s.hosts, func(p pattern) bool { return p.matches(&c) }):
		return c, "must name a host and port that are allowed here"
	}
	return c, ""
}

// keysFor are the keys that sign for a caller.
func (s *sender) keysFor(caller string) ([][]byte, error) {
	if s.options.SecretsOf == nil {
		return s.keys, nil
	}
	keys, err := keysOf(s.options.SecretsOf(caller))
	if err != nil {
		return nil, fmt.Errorf("Webhooks.SecretsOf(%q): %w", caller, err)
	}
	return keys, nil
}

// post posts an answer once. nil: it is delivered.
func (s *sender) post(ctx context.Context, d *rpc.Deferred, body []byte) error {
	c, problem := s.permit(d.Callback)
	if problem != "" { // it could be used when the call came
		return &Final{errors.New("the callback " + problem)}
	}
	keys, err := s.keysFor(d.Caller.ID)
	if err != nil {
		return &refused{"the caller has no secret", err}
	}
	host := net.JoinHostPort(c.name, c.port)
	if err := s.places.enter(ctx, host); err != nil {
		return err
	}
	defer s.places.leave(host)
	ctx, cancel := context.WithTimeout(ctx, s.options.Timeout)
	defer cancel()
	r, err := newRequest(ctx, d, keys, body)
	if err != nil {
		return &Final{err}
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return unreached(err)
	}
	defer answer.Body.Close()
	drain(answer.Body)
	return verdict(answer)
}
