package mcp

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"hash/maphash"
	"net/http"
	"sync/atomic"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
)

// defaultSessionTTL is [Edge.SessionTTL] when that is 0.
const defaultSessionTTL = time.Hour

// sessions are those of one endpoint, kept in the program's records, where
// all its processes find them (2025-11-25, transports, "Session Management").
//
// A record's key holds the session's id, the endpoint and the caller, so that
// a session of another endpoint or caller is one that is not there. Its value
// is the version that was agreed on.
type sessions struct {
	records rpc.Records
	ttl     time.Duration
	door    string // in the keys

	start    time.Time
	seed     maphash.Seed
	prolongs [1 << 10]atomic.Uint64 // by hash: the rest of it, and the period it was prolonged in
}

// keepsSessions: see [Edge.SessionTTL].
func (e Edge) keepsSessions(records rpc.Records) bool { return records != nil && e.SessionTTL >= 0 }

// newSessions is nil when there are no records to keep sessions in, or none
// are wanted.
func newSessions(e Edge, records rpc.Records, door string) *sessions {
	if !e.keepsSessions(records) {
		return nil
	}
	return &sessions{records: records, ttl: cmp.Or(e.SessionTTL, defaultSessionTTL), door: short(door), start: time.Now(), seed: maphash.MakeSeed()}
}

// sessionLength is that of an id, [rand.Text]: 130 random bits as letters and
// digits.
const sessionLength = 26

// key is that of a session's record. Ids have one length and doors no slash,
// so no two sessions share one.
func (s *sessions) key(id string, caller *rpc.Caller) string {
	return "mcp.session:" + id + ":" + s.door + "/" + short(caller.ID)
}

// short is s, or its hash where s would make keys long.
func short(s string) string {
	const longest = 64
	if len(s) <= longest {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return "sha256:" + base64.RawURLEncoding.EncodeToString(sum[:])
}

// begin starts a session of the caller.
func (s *sessions) begin(ctx context.Context, caller *rpc.Caller, v version) (id string, err error) {
	id = rand.Text()
	s.due(id)
	return id, s.records.Put(ctx, s.key(id, caller), []byte(v.String()), s.ttl)
}

// find is the version that a session of the caller agreed on. It prolongs the
// session, but not at every request.
func (s *sessions) find(ctx context.Context, caller *rpc.Caller, id string) (v version, ok bool, err error) {
	if len(id) != sessionLength {
		return unknownVersion, false, nil
	}
	key := s.key(id, caller)
	value, ok, err := s.records.Get(ctx, key)
	if err != nil || !ok {
		return unknownVersion, false, err
	}
	if s.due(id) {
		// A session that was found is served, also if it cannot be prolonged.
		if found, err := s.records.Touch(ctx, key, s.ttl); err == nil && !found {
			return unknownVersion, false, nil // it has ended just now
		}
	}
	v = versionOf(string(value))
	return v, v.legacy(), nil
}

// end ends a session of the caller.
func (s *sessions) end(ctx context.Context, caller *rpc.Caller, id string) (found bool, err error) {
	if len(id) != sessionLength {
		return false, nil
	}
	return s.records.Delete(ctx, s.key(id, caller))
}

// periods is how many times in a TTL a process prolongs a session in use.
const periods = 8

// due reports whether this process has not prolonged the session in the
// current period, and notes that it does so now. Sessions that share a place
// are prolonged more often than needed.
func (s *sessions) due(id string) bool {
	hash := maphash.String(s.seed, id)
	period := uint64(time.Since(s.start) / max(1, s.ttl/periods))
	now := hash&^(1<<32-1) | period&(1<<32-1)
	place := &s.prolongs[hash%uint64(len(s.prolongs))]
	return place.Load() != now && place.Swap(now) != now
}

// initialize begins a session, and agrees on a version: the one asked for,
// else our newest (lifecycle, "Version Negotiation"). It is never 2026-07-28,
// which has no sessions to initialize.
func (a *answer) initialize() {
	t := a.turn
	asked := t.params.version
	if asked.state != given {
		t.fail(invalidParams(`"protocolVersion" must be a string, such as "` + newestLegacy.String() + `".`))
		a.send()
		return
	}
	v := versionOf(string(asked.value))
	if !v.legacy() {
		v = newestLegacy
	}
	if t.sessions != nil {
		id, err := t.sessions.begin(t.ctx, t.visit.Caller, v)
		if err != nil {
			a.refuse(http.StatusServiceUnavailable, noSessions(err))
			return
		}
		a.w.Header()[headerSession] = []string{id}
	}
	t.result(t.about.initialize[v])
	a.send()
}

// enter finds the session that a request belongs to, and its version. ok is
// false when the request was refused. Without an id only a ping is served.
func (a *answer) enter(h http.Header, protocol versionHeader, ping bool) (ok bool) {
	t := a.turn
	id, n := field(h, headerSession)
	switch {
	case n > 1:
		a.refuse(http.StatusBadRequest, invalidRequest("the header Mcp-Session-Id is given more than once."))
		return false
	case t.sessions == nil && id != "":
		a.lost(protocol)
		return false
	case t.sessions == nil, id == "" && ping:
		t.version = legacyVersion(protocol)
		return true
	case id == "":
		a.refuse(http.StatusBadRequest, invalidRequest(
			"a session is required. Send initialize and repeat the Mcp-Session-Id of its answer, or make a request of 2026-07-28, which needs none."))
		return false
	}
	v, found, err := t.sessions.find(t.ctx, t.visit.Caller, id)
	switch {
	case err != nil:
		a.refuse(http.StatusServiceUnavailable, noSessions(err))
	case !found:
		a.lost(protocol)
	default:
		t.version, t.session = v, id
		return true
	}
	return false
}

// lost answers a request of a session that is not there: it has ended, or is
// of another caller, endpoint or program; nothing tells them apart. The 404
// makes the client begin anew. Where the version allows it the error has no
// id: the Go SDK takes one with an id for the failure of that message alone,
// and would keep the session for ever.
func (a *answer) lost(protocol versionHeader) {
	if versionOf(protocol.text) >= v20251125 {
		a.turn.id = nil
	}
	a.refuse(http.StatusNotFound, rpcerrors.InvalidRequest.New("Session not found: send initialize to begin anew."))
}

// noSessions is told as 503 and never as 404, which would make every client
// begin anew.
func noSessions(err error) *rpcerrors.Error {
	return rpcerrors.Unavailable.Wrap(err, "The sessions cannot be reached now; try again.")
}

// end answers DELETE, with which a client ends its session.
func (a *answer) end(h http.Header) {
	t := a.turn
	protocol := versionHeaderOf(h)
	id, n := field(h, headerSession)
	switch v := versionOf(protocol.text); {
	case v.modern():
		a.w.Header()["Allow"] = []string{"POST, OPTIONS"}
		a.refuse(http.StatusMethodNotAllowed, invalidRequest("version 2026-07-28 has no sessions to end."))
		return
	case protocol.repeated, protocol.text != "" && v == unknownVersion:
		a.refuse(http.StatusBadRequest, unsupported(protocol.text))
		return
	case n > 1, id == "":
		a.refuse(http.StatusBadRequest, invalidRequest("DELETE ends the session that one header Mcp-Session-Id names."))
		return
	}
	found, err := t.sessions.end(t.ctx, t.visit.Caller, id)
	switch {
	case err != nil:
		a.refuse(http.StatusServiceUnavailable, noSessions(err))
	case !found:
		a.lost(protocol)
	default:
		a.w.WriteHeader(http.StatusNoContent)
	}
}
