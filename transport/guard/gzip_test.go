package guard_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/transport/guard"
)

func zip(t testing.TB, b []byte, level int) string {
	t.Helper()
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, level)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// R-S04: a gzip body is bounded by its decoded bytes, and read only when it is
// sound to its end.
func TestGzip(t *testing.T) {
	const limit = 100_000
	random := make([]byte, limit)
	for i := range random {
		random[i] = byte(rand.Uint32())
	}
	hello := zip(t, []byte("hello"), gzip.BestSpeed)
	for _, c := range []struct {
		name, body, encoding string
		status               int
		want                 string
	}{
		{"small", hello, "gzip", 200, "hello"},
		{"other spelling", hello, "X-GZip", 200, "hello"},
		{"of nothing", zip(t, nil, gzip.BestSpeed), "gzip", 200, ""},
		{"of as much as allowed", zip(t, random, gzip.NoCompression), "gzip", 200, string(random)},
		{"two members (RFC 1952 section 2.2)", hello + hello, "gzip", 200, "hellohello"},
		{"one byte too many", zip(t, make([]byte, limit+1), gzip.BestCompression), "gzip", 413, ""},
		{"a bomb", zip(t, make([]byte, 100<<20), gzip.BestCompression), "gzip", 413, ""},
		{"members of nothing", strings.Repeat(zip(t, nil, gzip.BestSpeed), limit/10), "gzip", 413, ""},
		{"a head without end", "\x1f\x8b\x08\x10\x00\x00\x00\x00\x00\xff" + strings.Repeat("x", limit/2), "gzip", 400, ""},
		{"trailing garbage", hello + "x", "gzip", 400, ""},
		{"trailing zeros", hello + strings.Repeat("\x00", 512), "gzip", 400, ""},
		{"broken off", hello[:len(hello)-1], "gzip", 400, ""},
		{"a wrong checksum", hello[:len(hello)-8] + "aaaa" + hello[len(hello)-4:], "gzip", 400, ""},
		{"garbled", hello[:10] + "\xff\xff\xff\xff" + hello[14:], "gzip", 400, ""},
		{"not gzip", `{"jsonrpc":"2.0"}`, "gzip", 400, ""},
		{"empty", "", "gzip", 400, ""},
		{"another encoding", "x", "br", 415, ""},
		{"twice", zip(t, []byte(hello), gzip.BestSpeed), "gzip, gzip", 415, ""},
		{"none", "hello", "identity", 200, "hello"},
	} {
		for _, length := range []string{"known", "unknown"} {
			t.Run(c.name+" length "+length, func(t *testing.T) {
				engine := mounted(t, guard.Policy{Open: true, Gzip: true, MaxBody: limit}, echo)
				counted := &counting{in: strings.NewReader(c.body)}
				r := request("POST", "/rpc", "", "Content-Encoding: "+c.encoding)
				r.Body, r.ContentLength = io.NopCloser(counted), int64(len(c.body))
				if length == "unknown" {
					r.ContentLength = -1
				}
				w := serve(engine, r)
				if c.status == 200 {
					if w.Code != 200 || w.Body.String() != c.want {
						t.Fatalf("%d, %d bytes", w.Code, w.Body.Len())
					}
					return
				}
				want := answer{c.status, -32600, "Connection: close"}
				switch c.status {
				case 400:
					want.code = -32700
				case 415:
					want.header = "Accept-Encoding: gzip, identity"
				}
				check(t, w, want)
				if most := limit + limit/256 + 1024; counted.n > most {
					t.Errorf("%d bytes were read, %d at most", counted.n, most)
				}
			})
		}
	}
}

// counting counts what is read.
type counting struct {
	in io.Reader
	n  int
}

func (c *counting) Read(b []byte) (int, error) {
	n, err := c.in.Read(b)
	c.n += n
	return n, err
}

// A second body does not see anything of the first, whatever became of it.
func TestGzipAgain(t *testing.T) {
	engine := mounted(t, guard.Policy{Open: true, Gzip: true, MaxBody: 1000}, echo)
	for range 5 {
		for _, body := range []string{zip(t, bytes.Repeat([]byte("a"), 2000), 9), "not gzip", zip(t, []byte("hello"), 1)[:20]} {
			serve(engine, request("POST", "/rpc", body, "Content-Encoding: gzip"))
		}
		w := serve(engine, request("POST", "/rpc", zip(t, []byte("hello"), 1), "Content-Encoding: gzip"))
		if w.Code != http.StatusOK || w.Body.String() != "hello" {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
}

// FuzzGzip: a handler sees what compress/gzip reads from the whole body and
// nothing else; other bodies are 400, or 413 beyond MaxBody.
func FuzzGzip(f *testing.F) {
	const limit = 1000
	hello := zip(f, []byte("hello"), 1)
	for _, s := range []string{hello, hello + hello, hello + "x", hello[:len(hello)-1], zip(f, make([]byte, limit), 9),
		zip(f, make([]byte, limit+1), 9), strings.Repeat(zip(f, nil, 1), 100), "\x1f\x8b\x08\x10\x00\x00\x00\x00\x00\xff"} {
		f.Add([]byte(s))
	}
	engine := mounted(f, guard.Policy{Open: true, Gzip: true, MaxBody: limit}, echo)
	f.Fuzz(func(t *testing.T, body []byte) {
		w := serve(engine, request("POST", "/rpc", string(body), "Content-Encoding: gzip"))
		var want []byte
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err == nil {
			want, err = io.ReadAll(io.LimitReader(z, limit+1))
		}
		sound := err == nil && len(want) <= limit
		switch {
		case w.Code == 200 && sound && w.Body.String() == string(want):
		case w.Code == 400 && err != nil:
		case w.Code == 413 && (len(want) > limit || len(body) > limit+limit/256+1024):
		default:
			t.Errorf("%d, %d bytes; read were %d, %v", w.Code, w.Body.Len(), len(want), err)
		}
	})
}
