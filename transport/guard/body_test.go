package guard_test

import (
	"bytes"
	stderrors "errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/facet-rpc/facet/transport/guard"
)

// counter counts what is read, and never ends when it has no end.
type counter struct {
	io.Reader
	read int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read += int64(n)
	return n, err
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// R-S04, case B05 (ethereum/go-ethereum#35224, DeWebProtocol/malt-core#119).
func TestBodyLimit(t *testing.T) {
	const limit = 10_000
	ten := strings.Repeat("x", limit)
	for _, c := range []struct {
		name   string
		body   io.Reader
		length int64 // -1: chunked
		want   answer
		read   int64 // at most
	}{
		{"at the limit", strings.NewReader(ten), limit, answer{200, 0, ""}, limit},
		{"at the limit, chunked", strings.NewReader(ten), -1, answer{200, 0, ""}, limit},
		{"byte by byte", iotest.OneByteReader(strings.NewReader(ten)), -1, answer{200, 0, ""}, limit},
		{"end with the data", iotest.DataErrReader(strings.NewReader(ten)), limit, answer{200, 0, ""}, limit},
		{"one more", strings.NewReader(ten + " "), limit + 1, answer{413, -32600, "Connection: close"}, 0},
		{"one more, chunked", strings.NewReader(ten + " "), -1, answer{413, -32600, "Connection: close"}, limit + 1},
		{"JSON and padding for ever", io.MultiReader(strings.NewReader("{}"), endless{}), -1, answer{413, -32600, "Connection: close"}, limit + 1},
		{"more than was said", endless{}, 10, answer{413, -32600, "Connection: close"}, limit + 1},
		{"nothing", strings.NewReader(""), 0, answer{200, 0, ""}, 0},
		{"broken", io.MultiReader(strings.NewReader("{"), iotest.ErrReader(io.ErrUnexpectedEOF)), 100, answer{400, -32700, "Connection: close"}, 1},
		{"too slow", iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("{}"))), -1, answer{400, -32700, "Connection: close"}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			engine := mounted(t, guard.Policy{Open: true, MaxBody: limit}, echo) // without a buffer yet
			in := &counter{Reader: c.body}
			r := httptest.NewRequest(http.MethodPost, "/rpc", in)
			r.ContentLength = c.length
			w := serve(engine, r)
			check(t, w, c.want)
			if in.read > c.read {
				t.Errorf("read %d bytes, want at most %d", in.read, c.read)
			}
			if c.want.code == 0 && w.Body.Len() != int(in.read) {
				t.Errorf("%d bytes came back of %d", w.Body.Len(), in.read)
			}
		})
	}
}

// The buffer is used again, and never shows what another request sent.
func TestBodiesDoNotMix(t *testing.T) {
	engine := mounted(t, guard.Policy{Open: true}, echo)
	for _, n := range []int{5_000_000, 3, 0, 70_000, 1, 1_048_577, 512} {
		for _, length := range []int64{int64(n), -1} {
			sent := bytes.Repeat([]byte{byte('a' + n%26)}, n)
			r := httptest.NewRequest(http.MethodPost, "/rpc", bytes.NewReader(sent))
			r.ContentLength = length
			if w := serve(engine, r); !bytes.Equal(w.Body.Bytes(), sent) {
				t.Errorf("%d bytes of length %d: %d came back", n, length, w.Body.Len())
			}
		}
	}
}

// A large buffer is not kept for small bodies.
func TestLargeBuffersAreNotKept(t *testing.T) {
	room := 0
	engine := mounted(t, guard.Policy{Open: true}, edge{route: calls.route, serve: func(w http.ResponseWriter, r *http.Request, v *guard.Visit) {
		body, _ := v.Body(w, r)
		room = cap(body)
	}})
	for _, n := range []int{5_000_000, 10, 5_000_000, 10} {
		serve(engine, httptest.NewRequest(http.MethodPost, "/rpc", bytes.NewReader(make([]byte, n))))
		if n == 10 && room > 2<<20 {
			t.Errorf("%d bytes wait for the next body", room)
		}
	}
}

// A body of known length gets a buffer of that length, so that one just above
// 1 MiB is kept for the next.
func TestBufferFitsTheAnnouncedLength(t *testing.T) {
	room := 0
	engine := mounted(t, guard.Policy{Open: true}, edge{route: calls.route, serve: func(w http.ResponseWriter, r *http.Request, v *guard.Visit) {
		body, _ := v.Body(w, r)
		room = cap(body)
	}})
	for _, n := range []int{1<<20 + 100, 1_500_000, 2<<20 - 1} {
		serve(engine, httptest.NewRequest(http.MethodPost, "/rpc", bytes.NewReader(make([]byte, n))))
		if room < n || room > 2<<20 {
			t.Errorf("a body of %d bytes lies in %d", n, room)
		}
	}
}

// The default is 8 MiB.
func TestDefaultBodyLimit(t *testing.T) {
	engine := mounted(t, guard.Policy{Open: true}, echo)
	r := httptest.NewRequest(http.MethodPost, "/rpc", endless{})
	r.ContentLength = 8<<20 + 1
	check(t, serve(engine, r), answer{413, -32600, ""})
	r = httptest.NewRequest(http.MethodPost, "/rpc", io.LimitReader(endless{}, 8<<20))
	r.ContentLength = -1
	check(t, serve(engine, r), answer{200, 0, ""})
}

// A Content-Length is a claim, not a reason to allocate.
func TestClaimedLengthDoesNotAllocate(t *testing.T) {
	engine := mounted(t, guard.Policy{Open: true}, echo)
	const requests = 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range requests {
		r := httptest.NewRequest(http.MethodPost, "/rpc", iotest.ErrReader(stderrors.New("gone")))
		r.ContentLength = 8 << 20
		serve(engine, r)
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / requests; each > 2<<20 {
		t.Errorf("%d bytes for a body of which nothing came", each)
	}
}
