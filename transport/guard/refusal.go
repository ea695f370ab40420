package guard

import (
	"net/http"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

// refusal is an answer to a request that is not admitted. The texts never
// repeat what the request said.
type refusal struct {
	status int
	kind   *rpcerrors.Kind
	text   string
	cause  error    // for the log, if any
	header string   // one more header, if any
	value  []string // and its value
}

// refuse answers and counts: each refusal of the guard goes through here once.
func (d *Door) refuse(w http.ResponseWriter, r *http.Request, f *refusal) {
	if f.header != "" {
		w.Header()[f.header] = f.value
	}
	if count := d.gate.onRefuse; count != nil {
		count(d.name, f.status, f.kind.Name())
	}
	refuse(w, r, d.noID, f.status, d.translate(w.Header().Get("Content-Language"), f.kind.Wrap(f.cause, f.text)))
}

// translate puts the text of a refusal in the language of the answer.
func (d *Door) translate(lang string, e *rpcerrors.Error) *rpcerrors.Error {
	group := ""
	if d.endpoint != nil {
		group = d.endpoint.Group
	}
	return d.exec.Registry().Translate(lang, group, e)
}

var (
	wrongHost = refusal{status: http.StatusForbidden, kind: rpcerrors.Forbidden,
		text: "The Host header names another server."}
	wrongOrigin = refusal{status: http.StatusForbidden, kind: rpcerrors.Forbidden,
		text: "Pages of this Origin may not call."}
	noToken = refusal{status: http.StatusUnauthorized, kind: rpcerrors.TokenMissing,
		text: "A token is required.", header: "Www-Authenticate", value: bearer}
	wrongToken = refusal{status: http.StatusForbidden, kind: rpcerrors.Forbidden,
		text: "The token is not valid."}
	twoTokens = refusal{status: http.StatusForbidden, kind: rpcerrors.Forbidden,
		text: "The request holds two different tokens."}
	noVerification = refusal{status: http.StatusServiceUnavailable, kind: rpcerrors.Unavailable,
		text: "The token cannot be verified now."}
	wrongGroup = refusal{status: http.StatusForbidden, kind: rpcerrors.Forbidden,
		text: "The token is not for this endpoint."}
	notAllowed = refusal{status: http.StatusForbidden, kind: rpcerrors.Forbidden,
		text: "The caller may not use this endpoint."}
	noSlot = refusal{status: http.StatusServiceUnavailable, kind: rpcerrors.Unavailable,
		text: "The server is busy; try again.", header: "Retry-After", value: oneSecond}
	tooSlow = refusal{status: http.StatusRequestTimeout, kind: rpcerrors.Timeout,
		text: "The body did not come in time.", header: "Connection", value: closeConnection}
	onlyGzip = refusal{status: http.StatusUnsupportedMediaType, kind: rpcerrors.InvalidRequest,
		text: "The body's encoding is not read; send it as gzip, or without Content-Encoding.", header: "Accept-Encoding", value: gzipOrIdentity}
	wrongEncoding = refusal{status: http.StatusUnsupportedMediaType, kind: rpcerrors.InvalidRequest,
		text: "An encoded body is not read; send it without Content-Encoding.", header: "Accept-Encoding", value: identityOnly}
)
