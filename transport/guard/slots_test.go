package guard_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/facet-rpc/facet/transport/guard"
)

// R-S04, R-S05: beyond Concurrent nobody waits, and however a request ends
// its place is free again.
func TestConcurrent(t *testing.T) {
	for name, finish := range map[string]func(cancel func(), end chan<- bool){
		"answers":       func(_ func(), end chan<- bool) { end <- true },
		"panics":        func(_ func(), end chan<- bool) { end <- false },
		"disconnection": func(cancel func(), _ chan<- bool) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			began, end := make(chan bool), make(chan bool)
			slow := edge{route: sessions.route, serve: func(w http.ResponseWriter, r *http.Request, v *guard.Visit) {
				began <- true
				select {
				case answer := <-end:
					if !answer {
						panic("at the disco")
					}
				case <-r.Context().Done():
				}
			}}
			policy := twoTokens()
			policy.Concurrent = 2
			engine := mounted(t, policy, slow, calls)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan bool, 2)
			for range 2 {
				go func() {
					defer func() { _ = recover(); ended <- true }()
					engine.ServeHTTP(httptest.NewRecorder(), request("POST", "/mcp", "{}", asAll).WithContext(ctx))
				}()
				<-began
			}
			full := answer{503, -32503, "Retry-After: 1"}
			check(t, serve(engine, request("POST", "/rpc", "{}", asAll, "Content-Type: text/plain")), full) // before 415
			check(t, serve(engine, request("POST", "/rpc", "{}", "RPC-Token: wrong")), answer{403, -32403, ""})
			for range 2 {
				finish(cancel, end)
			}
			<-ended
			<-ended
			for range 3 { // none is lost by refusing either
				check(t, serve(engine, request("POST", "/rpc", "{}", asAll)), answer{200, 0, ""})
			}
			cancel()
		})
	}
}
