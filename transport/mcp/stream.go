package mcp

import (
	"net/http"
)

// The head of an event stream. Each value has no room to append, so that
// Header.Add copies.
var (
	streamType = []string{"text/event-stream"}
	noBuffer   = []string{"no"}
)

// openStream begins an event stream as the answer.
func openStream(w http.ResponseWriter) {
	h := w.Header()
	h["Content-Type"] = streamType
	h["X-Accel-Buffering"] = noBuffer // nginx must not hold events back
}

// event puts a JSON message of parts into an event of a stream. The JSON has
// no line breaks, which would end the event's line: results are compact.
func event(parts ...[]byte) [][]byte {
	e := make([][]byte, 0, len(parts)+2)
	e = append(append(e, []byte("event: message\ndata: ")), parts...)
	return append(e, []byte("\n\n"))
}

// writeEvent sends an event on an open stream, where it is on the wire when
// writeEvent returns.
func writeEvent(w http.ResponseWriter, parts ...[]byte) error {
	for _, p := range event(parts...) {
		if _, err := w.Write(p); err != nil {
			return err
		}
	}
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
	return nil
}
