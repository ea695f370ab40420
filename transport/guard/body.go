package guard

import (
	stderrors "errors"
	"io"
	"net/http"
	"os"
	"strconv"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

const (
	// firstBody is the most that a Content-Length makes us allocate before
	// the bytes have come; from there the buffer doubles with what is read.
	firstBody = 1 << 20
	// keptBody is the largest buffer that is kept for the next request.
	keptBody = 2 << 20
	// smallBody is the first buffer for a body of unknown length.
	smallBody = 4 << 10
)

// Body reads the whole body, decoded, at most [Policy.MaxBody] bytes, into a
// buffer that is valid until the [Handler] returns. Call it once. When ok is
// false the answer has been written: 413, 408 for a body that did not come
// before the server's ReadTimeout, or 400 for one that broke off or is not the
// gzip that its Content-Encoding says.
func (v *Visit) Body(w http.ResponseWriter, r *http.Request) (body []byte, ok bool) {
	limit := v.door.gate.maxBody
	if v.door.gate.gzip && gzipped(r) {
		return v.unzip(w, r, limit)
	}
	if r.ContentLength > limit {
		v.tooLarge(w, r, limit)
		return nil, false
	}
	if r.Body == nil {
		return nil, true
	}
	return v.read(w, r, r.Body, r.ContentLength, limit)
}

// read reads all of in, whose length is -1 if unknown.
func (v *Visit) read(w http.ResponseWriter, r *http.Request, in io.Reader, length, limit int64) (body []byte, ok bool) {
	v.room(length)
	for {
		n, err := in.Read(v.body[len(v.body):min(int64(cap(v.body)), limit+1)])
		v.body = v.body[:len(v.body)+n]
		switch {
		case int64(len(v.body)) > limit:
			v.tooLarge(w, r, limit)
			return nil, false
		case err == io.EOF:
			return v.body, true
		case err != nil:
			v.broken(w, r, limit, err)
			return nil, false
		case len(v.body) == cap(v.body):
			v.grow(length)
		}
	}
}

// room makes an empty buffer for a body of the given length, -1 if unknown.
// One byte more lets the reader find the end without another buffer.
func (v *Visit) room(length int64) {
	want := smallBody
	if length >= 0 {
		want = int(min(length, firstBody)) + 1
	}
	if cap(v.body) < want {
		v.body = make([]byte, 0, want)
	}
	v.body = v.body[:0]
}

// grow makes room for twice as much, or only for the announced length, so that
// a body just above firstBody does not outgrow keptBody.
func (v *Visit) grow(length int64) {
	want := 2 * cap(v.body)
	if length >= int64(cap(v.body)) {
		want = min(want, int(length)+1)
	}
	next := make([]byte, len(v.body), want)
	copy(next, v.body)
	v.body = next
}

func (v *Visit) tooLarge(w http.ResponseWriter, r *http.Request, limit int64) {
	v.door.refuse(w, r, &refusal{status: http.StatusRequestEntityTooLarge, kind: rpcerrors.InvalidRequest,
		text:   "The body is too large: " + strconv.FormatInt(limit, 10) + " bytes at most.",
		header: "Connection", value: closeConnection})
}

func (v *Visit) broken(w http.ResponseWriter, r *http.Request, limit int64, err error) {
	text := "Parse error: the body broke off."
	switch {
	case stderrors.Is(err, errZipped):
		v.tooLarge(w, r, limit)
		return
	case stderrors.Is(err, os.ErrDeadlineExceeded): // the server's ReadTimeout
		v.door.refuse(w, r, &tooSlow)
		return
	case gzipped(r):
		text = "Parse error: the body broke off, or is not sound gzip."
	}
	v.door.refuse(w, r, &refusal{status: http.StatusBadRequest, kind: rpcerrors.ParseError,
		text: text, cause: err, header: "Connection", value: closeConnection})
}
