package async

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/facet-rpc/facet/rpc"
)

// newRequest is the webhook with the answer of a job. It carries nothing of
// the caller but what connects it with the request.
func newRequest(ctx context.Context, d *rpc.Deferred, keys [][]byte, body []byte) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, d.Callback, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	for name, value := range d.Header {
		r.Header.Set(name, value)
	}
	if d.RayID != "" {
		r.Header.Set("X-Ray-Id", plain(d.RayID))
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Facet-Webhooks/1")
	r.Header.Set(headerID, d.Job)
	r.Header.Set(headerTimestamp, stamp)
	r.Header.Set(headerSignature, signature(keys, d.Job, stamp, body))
	return r, nil
}

// plain is text as a header can carry it: what is not visible ASCII is
// percent-encoded.
func plain(text string) string {
	for i := range len(text) {
		if text[i] <= ' ' || text[i] >= 0x7f {
			return url.PathEscape(text)
		}
	}
	return text
}

// drain reads what is left of a small answer, so that the connection can be
// used again.
func drain(body io.Reader) { _, _ = io.CopyN(io.Discard, body, maxAnswer) }

// refused is a delivery that failed: what the caller may know of it, and why.
type refused struct {
	public string
	err    error
}

func (e *refused) Error() string {
	if e.err == nil {
		return e.public
	}
	return e.public + ": " + e.err.Error()
}

func (e *refused) Unwrap() error { return e.err }

// unreached is the error of a request without an answer. What could tell a
// caller about networks that he does not see is for the log, which gets no
// callback either: there may be a secret in its path.
func unreached(err error) error {
	var whole *url.Error
	if errors.As(err, &whole) {
		err = whole.Err
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return &refused{"no answer in time", err}
	}
	return &refused{"the host cannot be reached", err}
}

// verdict judges a receiver's answer by its status alone.
func verdict(answer *http.Response) error {
	status := answer.StatusCode
	if status >= 200 && status < 300 {
		return nil
	}
	err := &refused{public: "the receiver answered with status " + strconv.Itoa(status)}
	switch status {
	case http.StatusGone:
		return &Final{err}
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		if after := retryAfter(answer.Header.Get("Retry-After")); after > 0 {
			return &Again{After: after, Err: err}
		}
	}
	return err
}

// retryAfter reads the header (RFC 9110, section 10.2.3): seconds or a date,
// at most [maxDelay]; 0: none.
func retryAfter(value string) time.Duration {
	value = strings.TrimSpace(value)
	if seconds, err := strconv.ParseInt(value, 10, 64); err == nil {
		return time.Duration(min(max(seconds, 0), int64(maxDelay/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(time.Until(at), 0), maxDelay)
	}
	return 0
}

// publicly is what a caller may know of a delivery that failed.
func publicly(err error) string {
	var r *refused
	if errors.As(err, &r) {
		return r.public
	}
	var f *Final
	if errors.As(err, &f) {
		return f.Error()
	}
	return "the answer could not be posted"
}
