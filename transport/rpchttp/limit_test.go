package rpchttp_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/go-json-experiment/json"
)

// batchOf is a batch of n calls with the ids 1 to n.
func batchOf(n int, method, params string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, i+1, method, params)
	}
	return "[" + b.String()[1:] + "]"
}

// case B01: ethereum/go-ethereum#27924, erigontech/erigon#18074, besu-eth/besu#4951
func TestBatchTooLong(t *testing.T) {
	for _, c := range []struct{ limit, n int }{{0, 101}, {0, 10_000}, {3, 4}} { // R-C07
		s := newStack(t, rpchttp.Edge{Batch: c.limit}, guard.Policy{})
		first := connection(t, s, batchOf(c.n, "T.count", "null"))
		if first.status != 400 || summary(first.body) != "null!-32600 InvalidRequest" {
			t.Errorf("%d members: %d %.300s", c.n, first.status, first.body)
		}
		if n := s.svc.ran.Load(); n != 0 {
			t.Errorf("%d of %d members ran", n, c.n)
		}
		if got := s.post(batchOf(max(c.limit, 1), "T.count", "null")); got.status != 200 {
			t.Errorf("as many as allowed: %d %s", got.status, got.body)
		}
	}
}

// connection posts a body and fails if the connection is not kept.
func connection(t *testing.T, s *stack, body string) reply {
	t.Helper()
	got := s.post(body)
	if got.header.Get("Connection") == "close" {
		t.Error("the connection was closed")
	}
	return got
}

// case B03: the cap of ethereum/go-ethereum, category-labs/monad-bft#910,
// tronprotocol/java-tron#6632. R-C07, R-C14
func TestResponseLimit(t *testing.T) {
	const n, each, limit = 100, 1 << 20, 10 << 20
	for _, c := range []struct {
		parallel, most int // workers; bytes of a result
		full           int
	}{{1, limit / 2, limit/each - 1}, {4, limit / 2, limit/each - 1}, {1, each - 1, 0}} {
		s := newStack(t, rpchttp.Edge{Batch: n + 1, Parallel: c.parallel, MaxResponse: limit, MaxResult: int64(c.most)}, guard.Policy{})
		batch := batchOf(n, "T.big", fmt.Sprintf(`{"bytes":%d}`, each))
		batch = strings.TrimSuffix(batch, "]") + fmt.Sprintf(`,{"jsonrpc":"2.0","id":%d,"method":"T.heap"}]`, n+1)
		got := s.post(batch)
		if got.status != 200 || len(got.body) > limit+n*512 {
			t.Fatalf("%d, %d bytes", got.status, len(got.body))
		}
		var answers []struct {
			ID     int    `json:"id"`
			Result any    `json:"result"`
			Error  *refus `json:"error"`
		}
		if err := json.Unmarshal([]byte(got.body), &answers); err != nil {
			t.Fatal(err)
		}
		full := 0
		for i, a := range answers[:n] {
			switch {
			case a.ID != i+1:
				t.Fatalf("answer %d has the id %d", i+1, a.ID)
			case a.Error == nil:
				full++
			case a.Error.Code != -32603 || a.Error.Data.Exception != "ResponseTooLarge" || !strings.Contains(a.Error.Message, " bytes"):
				t.Fatalf("answer %d: %+v", i+1, a.Error)
			}
		}
		if full != c.full {
			t.Errorf("%d answers of 1 MiB, want %d", full, c.full)
		}
		// The small one at the end fits, and 100 MiB were not kept meanwhile.
		if heap, ok := answers[n].Result.(float64); !ok || heap > 3*limit {
			t.Errorf("alive at the end of the batch: %v bytes", answers[n].Result)
		}
	}
}

type refus struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    struct {
		Exception string `json:"exception"`
	} `json:"data"`
}

// R-C07: a call's own limit is the same alone and in a batch.
func TestResultLimit(t *testing.T) {
	s := newStack(t, rpchttp.Edge{MaxResponse: 1000}, guard.Policy{}) // 500 for one
	for bytes, want := range map[int]string{498: "", 499: "1!-32603 ResponseTooLarge", 1 << 20: "1!-32603 ResponseTooLarge"} {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"T.big","params":[%d]}`, bytes)
		alone := s.post(body)
		if alone.status != 200 || want != "" && summary(alone.body) != want || want == "" && len(alone.body) < bytes {
			t.Errorf("%d bytes: %d %s", bytes, alone.status, alone.body)
		}
		s.expect("["+body+"]", 200, "["+alone.body+"]")
	}
}

// A member that does not fit spoils nothing.
func TestSmallMembersFitBehindALargeOne(t *testing.T) {
	s := newStack(t, rpchttp.Edge{MaxResponse: 1000, MaxResult: 1000}, guard.Policy{})
	got := s.post(`[{"jsonrpc":"2.0","id":1,"method":"T.big","params":[700]},{"jsonrpc":"2.0","id":2,"method":"T.big","params":[700]},{"jsonrpc":"2.0","id":3,"method":"T.ping"}]`)
	short := summary(got.body)
	if !strings.HasPrefix(short, `[1="xxx`) || !strings.HasSuffix(short, ` 2!-32603 ResponseTooLarge 3="pong"]`) {
		t.Error(short)
	}
}

// endless is a body that starts like JSON and goes on.
type endless struct{ left, read int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), e.left)
	for i := range p[:n] {
		p[i] = ' '
	}
	if e.read == 0 {
		copy(p, `{"jsonrpc":"2.0","id":1,"method":"T.count"}`)
	}
	e.left -= n
	e.read += n
	return int(n), nil
}

// case B05: ethereum/go-ethereum#35224, DeWebProtocol/malt-core#119. R-C14
func TestChunkedBodyTooLarge(t *testing.T) {
	const limit = 1 << 20
	s := newStack(t, rpchttp.Edge{}, guard.Policy{MaxBody: limit})
	var before, after runtime.MemStats
	for _, size := range []int64{limit + 1, 128 << 20} {
		runtime.ReadMemStats(&before)
		// Straight into the engine: the client of net/http may give up while
		// it still sends, and then shows no answer.
		body := &endless{left: size}
		r := httptest.NewRequest("POST", "/rpc", body)
		r.Header.Set("Content-Type", "application/json")
		r.ContentLength = -1
		w := httptest.NewRecorder()
		s.engine.ServeHTTP(w, r)
		runtime.ReadMemStats(&after)
		if w.Code != 413 || summary(w.Body.String()) != "null!-32600 InvalidRequest" {
			t.Errorf("%d bytes: %d %s", size, w.Code, w.Body)
		}
		if body.read > limit+64<<10 {
			t.Errorf("%d of %d bytes were read", body.read, size)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 6*limit {
			t.Errorf("%d bytes of memory for a limit of %d", took, limit)
		}
	}
	// Over a socket, with the connection that the server closes.
	conn := dial(t, s.http)
	_, _ = io.WriteString(conn, "POST /rpc HTTP/1.1\r\nHost: "+s.http.Listener.Addr().String()+"\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
	chunk := "10000\r\n" + strings.Repeat(" ", 0x10000) + "\r\n"
	go func() {
		for range (128 << 20) / 0x10000 {
			if _, err := io.WriteString(conn, chunk); err != nil {
				return
			}
		}
	}()
	head := make([]byte, len("HTTP/1.1 413"))
	if _, err := io.ReadFull(conn, head); err != nil || string(head) != "HTTP/1.1 413" {
		t.Errorf("%q, %v", head, err)
	}
	if n := s.svc.ran.Load(); n != 0 {
		t.Errorf("%d calls ran", n)
	}
	s.expect(`{"jsonrpc":"2.0","id":1,"method":"T.ping"}`, 200, `{"jsonrpc":"2.0","id":1,"result":"pong"}`)
}

func dial(t *testing.T, s *httptest.Server) net.Conn {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// case B07: filecoin-project/go-jsonrpc, mark3labs/mcp-go#780. The deadlines
// are the server's; what is held while they run is given back. R-C14
func TestSlowClients(t *testing.T) {
	s := buildStack(t, rpchttp.Edge{MaxResponse: 128 << 20}, guard.Policy{})
	served := make(chan int, 2)
	slow := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.engine.ServeHTTP(w, r)
		served <- 1
	}))
	slow.Config.ReadTimeout, slow.Config.WriteTimeout = 200*time.Millisecond, 300*time.Millisecond
	slow.Start()
	t.Cleanup(slow.Close)
	const head = "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

	writes := dial(t, slow)
	_, _ = io.WriteString(writes, head+"Content-Length: 100\r\n\r\n{")
	<-served
	if answer, _ := io.ReadAll(writes); !strings.HasPrefix(string(answer), "HTTP/1.1 408") {
		t.Errorf("a body that does not come: %s", answer)
	}

	reads := dial(t, slow)
	body := `{"jsonrpc":"2.0","id":1,"method":"T.big","params":[67108000]}`
	_, _ = fmt.Fprintf(reads, head+"Content-Length: %d\r\n\r\n%s", len(body), body)
	<-served // although nobody reads the answer
}

// R-C14: as deep as allowed, and one more; the same in a batch.
func TestDepth(t *testing.T) {
	s := newStack(t, rpchttp.Edge{Depth: 10}, guard.Policy{})
	body := func(depth int) string {
		return `{"jsonrpc":"2.0","id":1,"method":"T.ping","x":` + strings.Repeat("[", depth-1) + strings.Repeat("]", depth-1) + `}`
	}
	s.expect(body(10), 200, `{"jsonrpc":"2.0","id":1,"result":"pong"}`)
	s.expect("["+body(10)+"]", 200, `[{"jsonrpc":"2.0","id":1,"result":"pong"}]`)
	for _, tooDeep := range []string{body(11), "[" + body(11) + "]"} {
		if got := s.post(tooDeep); got.status != 400 || summary(got.body) != "null!-32700 ParseError" {
			t.Errorf("%d %s", got.status, got.body)
		}
	}
}

func TestNegativeOptions(t *testing.T) {
	s := buildStack(t, rpchttp.Edge{}, guard.Policy{})
	for name, e := range map[string]rpchttp.Edge{
		"Batch": {Batch: -1}, "Parallel": {Parallel: -1}, "Depth": {Depth: -1}, "MaxResponse": {MaxResponse: -1}, "MaxResult": {MaxResult: -1},
	} {
		e.Path = "/other"
		err := guard.Mount(s.engine, s.exec, guard.Policy{Open: true}, e)
		if err == nil || !strings.Contains(err.Error(), "Edge."+name+" is -1; give") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A depth that parameters are not read to is told when the edge is mounted.
func TestDepthIsBounded(t *testing.T) {
	s := buildStack(t, rpchttp.Edge{}, guard.Policy{})
	err := guard.Mount(s.engine, s.exec, guard.Policy{Open: true}, rpchttp.Edge{Path: "/other", Depth: 65})
	if err == nil || !strings.Contains(err.Error(), "Edge.Depth is 65; parameters are read to a depth of 64") {
		t.Error(err)
	}
}
