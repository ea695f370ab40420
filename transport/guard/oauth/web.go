package oauth

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxAnswer is the most bytes of an answer of the authorization server.
const maxAnswer = 1 << 20

// web makes requests to the authorization server. They end with ctx or when
// patience does, not with the call that was the first to need them: others
// wait for the same answer.
type web struct {
	ctx    context.Context
	client http.Client
}

func newWeb(ctx context.Context, client *http.Client) *web {
	w := &web{ctx: ctx}
	if client != nil {
		w.client = *client
	}
	w.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return w
}

// within is the context of a piece of work.
func (w *web) within() (context.Context, context.CancelFunc) {
	return context.WithTimeout(w.ctx, patience)
}

// get reads a JSON document into v.
func (w *web) get(ctx context.Context, address string, v any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	return w.do(r, v)
}

// do reads the answer into v. The errors tell no secrets: url.Error names the
// address only, and the body is not repeated.
func (w *web) do(r *http.Request, v any) error {
	r.Header.Set("Accept", "application/json")
	answer, err := w.client.Do(r)
	if err != nil {
		return fmt.Errorf("oauth: the authorization server was not reached: %w", err)
	}
	defer func() { _ = answer.Body.Close() }()
	where := r.URL.Redacted()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("oauth: %s answered %d, want 200", where, answer.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case err != nil:
		return fmt.Errorf("oauth: the answer of %s broke off: %w", where, err)
	case len(body) > maxAnswer:
		return fmt.Errorf("oauth: the answer of %s is longer than %d bytes", where, maxAnswer)
	}
	if err := json.Unmarshal(body, v); err != nil {
		// Not wrapped: what the codec says may quote the answer.
		return fmt.Errorf("oauth: the answer of %s is not the JSON that was asked for", where)
	}
	return nil
}

// checkURL: tokens, keys and secrets travel by TLS, except on this machine.
func checkURL(add func(string, ...any), name, address string) {
	if address == "" {
		return
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.Fragment != "":
		add("%s must be a URL such as https://login.shop.example", name) // it may hold a password: not repeated
	case u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())):
		add("%s must begin with https://; http is for loopback addresses only", name)
	}
}

func loopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback() || strings.EqualFold(host, "localhost")
}

// flight is one piece of work that several callers wait for.
type flight struct {
	done chan struct{}
	err  error
}

// wait ends with the work or with the call.
func (f *flight) wait(ctx context.Context) error {
	select {
	case <-f.done:
		return f.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// raw is JSON kept as it came.
type raw = jsontext.Value
