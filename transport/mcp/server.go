package mcp

import (
	"context"
	"net/http"
	"slices"
	"sync"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// server answers for one endpoint: a group at a version.
type server struct {
	door      *guard.Door
	sizes     jsonrpc.Sizes
	own       *view   // of requests that ask for no profile
	views     []*view // of all profiles
	catalogue catalogue
	about     about
	sessions  *sessions // nil: requests of the session era stand alone
	running   running
	mirrors   map[string]mirrored // arguments that headers repeat, by method
	turns     sync.Pool           // of *turn
}

func newServer(e Edge, a about, records rpc.Records, model *schema.Model, d *guard.Door) *server {
	s := &server{
		door: d, sessions: newSessions(e, records, d.Name()), about: a, views: e.views(d.Endpoint()),
		sizes: jsonrpc.Sizes{Response: e.MaxResponse, Result: e.MaxResult}.OrDefaults(),
	}
	s.own = s.views[slices.Index(Profiles(), e.Profile)]
	s.catalogue = catalogue{door: d, model: model, server: a.server}
	return s
}

// turn is one request being answered: a POST, or a member of a batch.
type turn struct {
	*server
	ctx       context.Context
	visit     *guard.Visit
	view      *view // the tools as the request's profile shows them
	version   version
	session   string // the id of the session that the request is of
	id        []byte // raw
	method    []byte // of the protocol
	params    params
	out       []byte       // the answer, or its beginning
	ready     []byte       // the result that follows, see result
	ran       rpc.Response // of the tool, to be told that it was sent
	ok        bool         // the tool succeeded
	progress  *progress    // who hears of it, nil for nobody
	cancelled bool         // by the client: there is no answer
	told      bool         // the error of this turn is in the log
	reqs      []jsonrpc.Request
}

// keptAnswer is the largest buffer of an answer that is kept for the next.
const keptAnswer = 1 << 20

func (s *server) turn(ctx context.Context, v *guard.Visit) *turn {
	t, _ := s.turns.Get().(*turn)
	if t == nil {
		t = &turn{server: s}
	}
	t.ctx, t.visit = ctx, v
	return t
}

// free is not called after a panic.
func (s *server) free(t *turn) {
	if cap(t.out) > keptAnswer {
		t.out = nil
	}
	clear(t.reqs)
	*t = turn{server: s, out: t.out[:0], reqs: t.reqs[:0]}
	s.turns.Put(t)
}

// serve answers one POST, or the DELETE that ends a session. The body is one
// message, or in version 2025-03-26 a batch of them.
func (s *server) serve(w http.ResponseWriter, r *http.Request, v *guard.Visit) {
	if r.Method == http.MethodDelete {
		t := s.turn(r.Context(), v)
		(&answer{w: w, turn: t}).end(r.Header)
		s.free(t)
		return
	}
	json, stream, named := accepts(r.Header)
	if !json && !stream {
		refuse(w, http.StatusNotAcceptable, nil, v.Fail(r.Context(), v.Call("", nil), rpcerrors.InvalidRequest.New(
			"Not acceptable: answers are application/json or text/event-stream; the header Accept must allow one of them.")))
		return
	}
	shown := s.view(r)
	if shown == nil {
		refuse(w, http.StatusBadRequest, nil, v.Fail(r.Context(), v.Call("", nil), invalidRequest(
			"the URL may have one ?profile=, which is one of "+profileList()+".")))
		return
	}
	body, ok := v.Body(w, r)
	if !ok {
		return
	}
	t := s.turn(r.Context(), v)
	t.view = shown
	a := answer{w: w, stream: !json, takesStream: named, turn: t}
	reqs, batch, err := jsonrpc.Parse(body, jsonrpc.Limits{}, t.reqs)
	switch {
	case err != nil:
		a.refuse(http.StatusBadRequest, public(err))
	case batch:
		t.reqs = reqs
		if v.Charge(w, r, len(reqs)-1) {
			a.batch(r.Header)
		}
	default:
		t.reqs = reqs
		a.message(r.Header, body)
	}
	s.free(t)
}

// view is how the request wants to see tools, nil for a profile that is none.
func (s *server) view(r *http.Request) *view {
	if r.URL.RawQuery == "" {
		return s.own
	}
	p, ok := profile(r, s.own.profile)
	if !ok {
		return nil
	}
	return s.views[slices.Index(Profiles(), p)]
}

// message answers a body that is no batch.
func (a *answer) message(h http.Header, body []byte) {
	req := &a.turn.reqs[0]
	a.turn.method = req.Method
	protocol := versionHeaderOf(h)
	a.turn.params.read(req.Params)
	isModern := modern(protocol, req.Method, &a.turn.params.meta)
	if string(req.ID) != "null" {
		a.turn.id = req.ID
	}
	switch {
	case req.Fault != nil && !isModern && isResponse(body):
		a.accepted() // to a request that was never made: there is nothing to do with it
	case req.Fault != nil:
		a.refuse(http.StatusBadRequest, public(req.Fault))
	case req.ID != nil && a.turn.id == nil:
		a.refuse(http.StatusBadRequest, invalidRequest(`"id" must be a string or an integer, not null.`))
	case isModern:
		a.modern(h, protocol, req)
	default:
		a.legacy(h, protocol, req)
	}
}
