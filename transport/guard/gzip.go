package guard

import (
	"bufio"
	"compress/gzip"
	stderrors "errors"
	"io"
	"net/http"
	"strings"
	"sync"
)

// unzippers are used again: each has 40 KB of tables and buffers.
type unzippers struct{ pool sync.Pool }

// unzipper decodes one body. What comes out is bounded by who reads; what goes
// in is bounded here, because members of gzip that hold nothing could follow
// each other without end.
type unzipper struct {
	gzip   gzip.Reader
	buffer *bufio.Reader // of source
	body   io.Reader
	left   int64 // bytes that may still be read from body
}

// errZipped says that the body is larger than any encoding of MaxBody bytes.
var errZipped = stderrors.New("guard: the encoded body is too large")

// zipped is the most bytes of an encoded body: gzip makes what it cannot
// compress a little larger.
func zipped(limit int64) int64 { return limit + limit/256 + 1024 }

// take is an unzipper of the body, to be given back also after an error.
func (p *unzippers) take(body io.Reader, limit int64) (*unzipper, error) {
	z, _ := p.pool.Get().(*unzipper)
	if z == nil {
		z = new(unzipper)
		z.buffer = bufio.NewReader(source{z})
	}
	z.body, z.left = body, zipped(limit)
	z.buffer.Reset(source{z})
	err := z.gzip.Reset(z.buffer)
	if err == io.EOF { // which would be the end of a sound body
		err = io.ErrUnexpectedEOF
	}
	return z, err
}

func (p *unzippers) free(z *unzipper) {
	z.body = nil
	p.pool.Put(z)
}

// source is the encoded side of an unzipper.
type source struct{ z *unzipper }

func (s source) Read(b []byte) (int, error) {
	if s.z.left <= 0 {
		return 0, errZipped
	}
	n, err := s.z.body.Read(b[:min(int64(len(b)), s.z.left)])
	s.z.left -= int64(n)
	return n, err
}

// gzipped reports whether the body is gzip, and nothing besides (RFC 9110
// section 8.4.1.3).
func gzipped(r *http.Request) bool {
	values := r.Header["Content-Encoding"]
	return len(values) == 1 && (strings.EqualFold(values[0], "gzip") || strings.EqualFold(values[0], "x-gzip"))
}

// unzip is Body for a gzip body.
func (v *Visit) unzip(w http.ResponseWriter, r *http.Request, limit int64) (body []byte, ok bool) {
	if r.ContentLength > zipped(limit) {
		v.tooLarge(w, r, limit)
		return nil, false
	}
	var in io.Reader = http.NoBody
	if r.Body != nil {
		in = r.Body
	}
	pool := &v.door.gate.unzippers
	z, err := pool.take(in, limit)
	defer pool.free(z)
	if err != nil {
		v.broken(w, r, limit, err)
		return nil, false
	}
	return v.read(w, r, &z.gzip, -1, limit)
}
