package server

import (
	"context"
	"fmt"
	"net/http"
	"os"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/transport/guard"
)

// StopError says that a stop was not a clean one.
type StopError struct {
	// Requests is how many were still running when their connections were closed.
	Requests int
	// Listeners: calls, or listeners of their rpc.post_response, had not returned.
	Listeners bool
	// Forced: a second signal came; otherwise the time was over.
	Forced bool
}

// Error says what was left.
func (e *StopError) Error() string {
	why := fmt.Sprintf("after %v", StopTimeout)
	if e.Forced {
		why = "by a second signal"
	}
	left := ""
	if e.Requests > 0 {
		left = fmt.Sprintf("; %d requests did not return", e.Requests)
	}
	if e.Listeners {
		left += "; calls or listeners of rpc.post_response did not return"
	}
	return "server: the stop was cut short " + why + left
}

// ServeHTTP counts the request, and refuses it once the program stops.
func (p *program) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.running.Add(1)
	if p.stopping.Load() {
		p.returned()
		w.Header().Set("Connection", "close")
		guard.Refuse(w, r, http.StatusServiceUnavailable, p.translated(w, r, rpcerrors.Unavailable.New("The server is stopping.")))
		return
	}
	defer p.returned()
	p.handler.ServeHTTP(w, r)
}

// translated is e in the language of who asks, as the doors would say it.
func (p *program) translated(w http.ResponseWriter, r *http.Request, e *rpcerrors.Error) *rpcerrors.Error {
	registry := p.exec.Registry()
	texts := registry.App().Texts
	if texts == nil {
		return e
	}
	lang := guard.Language(texts, r, w.Header())
	w.Header().Set("Vary", "Accept-Language")
	return registry.Translate(lang, "", e)
}

// returned notes the end of a request. Once the program stops, none is added,
// so the count reaches zero for good.
func (p *program) returned() {
	if p.running.Add(-1) == 0 && p.stopping.Load() {
		p.once.Do(func() { close(p.idle) })
	}
}

// stop refuses what comes, finishes what runs, drains the executor, and closes
// the listener last: net/http would drop newcomers without an answer.
func (p *program) stop(signals <-chan os.Signal) error {
	ctx, cancel := context.WithTimeout(context.Background(), StopTimeout)
	defer cancel()
	p.stopping.Store(true)
	p.http.SetKeepAlivesEnabled(false)
	p.running.Add(1)
	p.returned() // nothing may be running
	forced := false
	select {
	case <-p.idle:
	case <-ctx.Done():
	case <-signals:
		forced = true
		cancel()
	}
	drained := make(chan error, 1)
	go func() { drained <- p.exec.Shutdown(ctx) }()
	var err error
	select {
	case err = <-drained:
	case <-signals:
		forced = true
		cancel()
		err = <-drained
	}
	if err == nil && ctx.Err() == nil {
		p.close()
		return nil
	}
	p.cancel()
	p.close()
	late, done := context.WithTimeout(context.Background(), CancelTimeout)
	defer done()
	return &StopError{Requests: int(p.running.Load()), Listeners: p.exec.Shutdown(late) != nil, Forced: forced}
}

// close lets answers go out that are being written, then closes everything.
func (p *program) close() {
	ctx, cancel := context.WithTimeout(context.Background(), CancelTimeout)
	defer cancel()
	if p.http.Shutdown(ctx) != nil {
		_ = p.http.Close() // of the listener, which is closed already
	}
}
