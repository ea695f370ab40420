package guard_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/go-json-experiment/json"
)

var update = flag.Bool("update", false, "write the table of refusals into docs/security.md")

// refused is a row of the table in docs/security.md.
type refused struct {
	when   string
	status int
	code   int
	kind   string
	header string // "Name: value", or "Name" when the value depends on the edge

	stage   stage
	headers []string // of the request, besides the token of everything
	policy  func(*guard.Policy)
	request func(*http.Request)
	busy    bool // another request is being served
	twice   bool // the second such request is the one
}

// stage is where in the order a refusal stands.
type stage int

const (
	beforeMethod stage = iota // for every HTTP method
	ofMethod                  // for those that are not served
	afterMethod               // for those that are served
	ofBody                    // for POST
)

const noTokenSent = "no token"

var refusals = []refused{
	{when: "the Host header names another server", status: 403, code: -32403, kind: "Forbidden",
		headers: []string{"Host: evil.example"}},
	{when: "a page of another Origin calls, or there are several Origins", status: 403, code: -32403, kind: "Forbidden",
		headers: []string{"Origin: https://evil.example"}},
	{when: "the group has no such version", status: 404, code: -32601, kind: "MethodNotFound",
		request: func(r *http.Request) { r.URL.Path += "/v9" }},
	{when: "the endpoint is not `Available`", status: 404, code: -32601, kind: "MethodNotFound",
		policy: func(p *guard.Policy) { p.Available = func(*rpc.Endpoint) bool { return false } }},
	{when: "the path does not serve the HTTP method", status: 405, code: -32600, kind: "InvalidRequest",
		header: "Allow", stage: ofMethod},
	{when: "no token", status: 401, code: -32401, kind: "TokenMissing",
		header: "WWW-Authenticate: Bearer", stage: afterMethod, headers: []string{noTokenSent}},
	{when: "a token that is not valid", status: 403, code: -32403, kind: "Forbidden",
		stage: afterMethod, headers: []string{noTokenSent, "RPC-Token: wrong"}},
	{when: "two tokens that differ", status: 403, code: -32403, kind: "Forbidden",
		stage: afterMethod, headers: []string{"RPC-Token: default-secret"}},
	{when: "two tokens that differ, with a `Challenge`", status: 400, code: -32600, kind: "InvalidRequest",
		header: "WWW-Authenticate", stage: afterMethod, headers: []string{"RPC-Token: default-secret"}, policy: challenged},
	{when: "a token that is not valid, with a `Challenge`", status: 401, code: -32403, kind: "Forbidden",
		header: "WWW-Authenticate", stage: afterMethod, policy: challenged},
	{when: "the Verifier cannot find out", status: 503, code: -32503, kind: "Unavailable",
		stage: afterMethod, policy: func(p *guard.Policy) {
			p.Tokens, p.Verifier = nil, func(context.Context, string) (*rpc.Caller, error) { return nil, io.ErrClosedPipe }
		}},
	{when: "a token that is not for the group", status: 403, code: -32403, kind: "Forbidden",
		stage: afterMethod, headers: []string{noTokenSent, "RPC-Token: no-group"}},
	{when: "`Allow` keeps the caller out of the endpoint", status: 403, code: -32403, kind: "Forbidden",
		stage: afterMethod, policy: func(p *guard.Policy) { p.Allow = func(*rpc.Caller, *rpc.Endpoint) bool { return false } }},
	{when: "the caller calls more often than `Rate`", status: 429, code: -32429, kind: "RateLimit",
		header: "Retry-After: 1000", stage: afterMethod, twice: true,
		policy: func(p *guard.Policy) { p.Rate = guard.Rate{PerSecond: 0.001, Burst: 1} }},
	{when: "the same, on all nodes together with `Rate.Shared`", status: 429, code: -32429, kind: "RateLimit",
		header: "Retry-After: 1000", stage: afterMethod,
		policy: func(p *guard.Policy) { p.Rate = guard.Rate{PerSecond: 0.001, Burst: 1, Shared: spent{}} }},
	{when: "more requests at once than `Concurrent`", status: 503, code: -32503, kind: "Unavailable",
		header: "Retry-After: 1", stage: afterMethod, busy: true,
		policy: func(p *guard.Policy) { p.Concurrent = 1 }},
	{when: "another Content-Type, or not UTF-8", status: 415, code: -32600, kind: "InvalidRequest",
		stage: ofBody, headers: []string{"Content-Type: text/plain"}},
	{when: "an encoding that is not read, with `Gzip`", status: 415, code: -32600, kind: "InvalidRequest",
		header: "Accept-Encoding: gzip, identity", stage: ofBody, headers: []string{"Content-Encoding: br"},
		policy: func(p *guard.Policy) { p.Gzip = true }},
	{when: "an encoded body, without `Gzip`", status: 415, code: -32600, kind: "InvalidRequest",
		header: "Accept-Encoding: identity", stage: ofBody, headers: []string{"Content-Encoding: gzip"}},
	{when: "a body of more than `MaxBody` bytes, decoded", status: 413, code: -32600, kind: "InvalidRequest",
		header: "Connection: close", stage: ofBody, policy: func(p *guard.Policy) { p.MaxBody = 1 }},
	{when: "the body does not come within the server's `ReadTimeout`", status: 408, code: -32408, kind: "Timeout",
		header: "Connection: close", stage: ofBody, request: func(r *http.Request) {
			r.Body = io.NopCloser(iotest.ErrReader(os.ErrDeadlineExceeded))
		}},
	{when: "the body breaks off", status: 400, code: -32700, kind: "ParseError",
		header: "Connection: close", stage: ofBody, request: func(r *http.Request) {
			r.Body = io.NopCloser(iotest.ErrReader(io.ErrUnexpectedEOF))
		}},
	{when: "the body is not the gzip that it says, or there is more behind it", status: 400, code: -32700, kind: "ParseError",
		header: "Connection: close", stage: ofBody, headers: []string{"Content-Encoding: gzip"},
		policy: func(p *guard.Policy) { p.Gzip = true }},
}

// challenged lets nobody in and says where tokens come from.
func challenged(p *guard.Policy) {
	p.Tokens, p.Challenge = nil, &guard.Challenge{Metadata: "/hold"}
	p.Verifier = func(context.Context, string) (*rpc.Caller, error) { return nil, guard.ErrToken }
}

// spent are buckets that other nodes have emptied.
type spent struct{}

func (spent) Take(context.Context, string, int, int, time.Duration) (time.Duration, error) {
	return 1000 * time.Second, nil
}

// kinds of edges: what serves POST reads the body.
var threeEdges = []edge{
	{route: calls.route, serve: readBody},
	{route: func() guard.Route { r := sessions.route; r.NoID = true; return r }(), serve: readBody},
	pages,
}

func readBody(w http.ResponseWriter, r *http.Request, v *guard.Visit) {
	if r.Method == http.MethodPost {
		if _, ok := v.Body(w, r); !ok {
			return
		}
	}
	guard.Answer(w, http.StatusOK, []byte(`"ok"`))
}

// R-S01, R-S04, R-S05, R-C03, R-C06: every refusal on every edge with every
// HTTP method, each counted once.
func TestEveryRefusal(t *testing.T) {
	methods := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "TRACE", "OPTIONS"}
	for _, row := range refusals {
		for _, e := range threeEdges {
			for _, method := range methods {
				served := slices.Contains(e.route.Methods, method) || method == "HEAD" && slices.Contains(e.route.Methods, "GET")
				if row.stage == ofMethod && (served || method == "OPTIONS") ||
					row.stage == afterMethod && !served || row.stage == ofBody && (!served || method != "POST") {
					continue
				}
				t.Run(row.when+" "+method+" "+e.route.Path, func(t *testing.T) { row.test(t, e, method) })
			}
		}
	}
}

func (row *refused) test(t *testing.T, e edge, method string) {
	policy := twoTokens()
	policy.Tokens = append(policy.Tokens, guard.Token{Secret: "no-group", Caller: rpc.Caller{ID: "none", Groups: []string{"other"}}})
	policy.Hosts = []string{"example.com"}
	if row.policy != nil {
		row.policy(&policy)
	}
	var counted []string
	policy.OnRefuse = func(door string, status int, kind string) {
		counted = append(counted, fmt.Sprint(door, " ", status, " ", kind))
	}
	inner := func() {}
	hold := edge{route: guard.Route{Edge: "hold", Path: "/hold", Group: "default", Methods: []string{"GET"}, Public: true},
		serve: func(http.ResponseWriter, *http.Request, *guard.Visit) { inner() }}
	engine := mounted(t, policy, e, hold)
	var w *httptest.ResponseRecorder
	inner = func() { w = serve(engine, row.make(method, e.route.Path)) }
	switch {
	case row.busy:
		serve(engine, request("GET", "/hold", ""))
	case row.twice:
		inner()
		fallthrough
	default:
		inner()
	}
	row.check(t, w, method, e.route.NoID)
	door := e.route.Edge + "." + e.route.Group
	if row.status != http.StatusNotFound {
		door += ".v1"
	}
	if want := fmt.Sprint(door, " ", row.status, " ", row.kind); !slices.Equal(counted, []string{want}) {
		t.Errorf("counted %q, want %q once", counted, want)
	}
}

// make is the request of the row.
func (row *refused) make(method, path string) *http.Request {
	r := request(method, path, "{}", row.headers...)
	r.Header.Del(noTokenSent)
	if !slices.Contains(row.headers, noTokenSent) {
		r.Header.Set("Authorization", "Bearer all-secret")
	}
	if row.request != nil {
		row.request(r)
	}
	return r
}

func (row *refused) check(t *testing.T, w *httptest.ResponseRecorder, method string, noID bool) {
	t.Helper()
	want := answer{row.status, 0, row.header}
	if method != http.MethodHead {
		want.code = row.code
	}
	name, _, exact := strings.Cut(row.header, ": ")
	if !exact {
		want.header = ""
	}
	if name != "" && w.Header().Get(name) == "" {
		t.Errorf("no header %s", name)
	}
	check(t, w, want)
	if method == http.MethodHead {
		if w.Body.Len() > 0 {
			t.Errorf("HEAD has a body: %s", w.Body)
		}
		return
	}
	var body struct {
		Error struct {
			Data struct {
				Exception string `json:"exception"`
			} `json:"data"`
		} `json:"error"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || body.Error.Data.Exception != row.kind {
		t.Errorf("%s, want %s", w.Body, row.kind)
	}
	if id := strings.Contains(w.Body.String(), `"id":null`); id == noID {
		t.Errorf("id: %s", w.Body)
	}
}

// TestRefusalsInTheDocs holds docs/security.md against the table; -update
// writes it.
func TestRefusalsInTheDocs(t *testing.T) {
	const page = "../../docs/security.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	table.WriteString("<!-- refusals -->\n| when | status | code | kind | header |\n|---|---|---|---|---|\n")
	for _, row := range refusals {
		header := ""
		if row.header != "" {
			header = "`" + strings.Replace(row.header, "1000", "…", 1) + "`"
		}
		fmt.Fprintf(&table, "| %s | %d | %d | %s | %s |\n", row.when, row.status, row.code, row.kind, header)
	}
	table.WriteString("<!-- end of refusals -->\n")
	section := regexp.MustCompile(`(?s)<!-- refusals -->.*<!-- end of refusals -->\n`)
	switch old := section.FindString(string(text)); {
	case old == "":
		t.Fatalf("%s has no place for the refusals", page)
	case old == table.String():
	case *update:
		next := section.ReplaceAllLiteralString(string(text), table.String())
		if err := os.WriteFile(page, []byte(next), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s differs; go test ./transport/guard -run RefusalsInTheDocs -update writes it:\n%s", page, table.String())
	}
}

// TestRefusalsOfCalls: docs/http.md has the status and the code of each row.
func TestRefusalsOfCalls(t *testing.T) {
	text, err := os.ReadFile("../../docs/http.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range refusals {
		line := regexp.MustCompile(fmt.Sprintf(`(?m)^\| %d \|.*%d.*$`, row.status, row.code))
		if !line.Match(text) {
			t.Errorf("docs/http.md has no line for %d with %d: %s", row.status, row.code, row.when)
		}
	}
}
