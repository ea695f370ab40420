package async_test

import (
	"io"
	"net/http"
	"sync"

	"github.com/facet-rpc/facet/transport/async"
)

// hookReceiver takes webhooks: each job once, however often it comes. done
// acts on a JSON-RPC response; after an error of it the webhook comes again.
func hookReceiver(secrets []string, done func(id string, response []byte) error) http.Handler {
	var mu sync.Mutex
	seen := map[string]bool{} // a table of the database, where what done does is
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 2<<20))
		if err != nil {
			http.Error(w, "too large", http.StatusRequestEntityTooLarge)
			return
		}
		id, err := async.Verify(r.Header, body, secrets...)
		if err != nil {
			http.Error(w, "not signed", http.StatusUnauthorized)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if !seen[id] {
			if err := done(id, body); err != nil {
				http.Error(w, "try again", http.StatusInternalServerError)
				return
			}
			seen[id] = true
		}
		w.WriteHeader(http.StatusNoContent)
	})
}
