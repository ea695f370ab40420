package guard

import (
	"net/http"
	"strconv"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// The values of answer headers, shared by all answers. Each has no room to
// append, so that Header.Add copies.
var (
	jsonType        = []string{"application/json"}
	noSniff         = []string{"nosniff"}
	noStore         = []string{"no-store"}
	closeConnection = []string{"close"}
	identityOnly    = []string{"identity"}
	oneSecond       = []string{"1"}
	gzipOrIdentity  = []string{"gzip, identity"}
	bearer          = []string{"Bearer"}
)

// Answer writes a JSON answer of the parts in a row. A Content-Type that is
// set already stays; otherwise it is application/json. What answers GET sets
// its own Cache-Control: the answer to a POST is not kept by any cache unless
// it says so (RFC 9111 section 3).
//
// It is the last thing a handler does: the length of a small answer is left
// to net/http, which knows it when the handler returns.
func Answer(w http.ResponseWriter, status int, parts ...[]byte) {
	n := size(parts)
	write(w, status, n, n > smallAnswer, parts)
}

// AnswerNow is Answer that is on the wire when it returns, for a handler that
// goes on.
func AnswerNow(w http.ResponseWriter, status int, parts ...[]byte) {
	write(w, status, size(parts), true, parts)
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

// smallAnswer is what net/http holds back, in bytes, to find its length.
const smallAnswer = 2000

func size(parts [][]byte) (n int) {
	for _, p := range parts {
		n += len(p)
	}
	return n
}

func write(w http.ResponseWriter, status, n int, tellLength bool, parts [][]byte) {
	h := w.Header()
	head(h)
	if tellLength {
		h["Content-Length"] = []string{strconv.Itoa(n)}
	}
	w.WriteHeader(status)
	for _, p := range parts {
		if len(p) == 0 {
			continue
		}
		if _, err := w.Write(p); err != nil {
			return // the client has gone
		}
	}
}

// Refuse answers with a JSON-RPC error whose id is null, because the request
// was not read. A Cache-Control that is set already stays; otherwise it is
// no-store. A HEAD request gets the headers only.
func Refuse(w http.ResponseWriter, r *http.Request, status int, e *rpcerrors.Error) {
	refuse(w, r, false, status, e)
}

// refuse is Refuse; with noID the error has no id at all, see [Route.NoID].
func refuse(w http.ResponseWriter, r *http.Request, noID bool, status int, e *rpcerrors.Error) {
	var body []byte
	if noID {
		body = jsonrpc.AppendErrorNoID(nil, e)
	} else {
		body = jsonrpc.AppendError(nil, nil, e)
	}
	if h := w.Header(); h["Cache-Control"] == nil {
		h["Cache-Control"] = noStore
	}
	if r.Method != http.MethodHead {
		Answer(w, status, body)
		return
	}
	h := w.Header()
	head(h)
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
}

func head(h http.Header) {
	if h["Content-Type"] == nil {
		h["Content-Type"] = jsonType
	}
	h["X-Content-Type-Options"] = noSniff
}
