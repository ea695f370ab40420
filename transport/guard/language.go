package guard

import (
	"net/http"

	"github.com/facet-rpc/facet/rpc"
)

// Language is the effective language of a request, which the headers h of the
// answer then name. A program without texts speaks the one language of its
// methods, which nobody told us: its answers name none and do not vary. [Mount]
// does this for every edge; it is for what answers in front of the doors.
func Language(texts rpc.Texts, r *http.Request, h http.Header) string {
	if texts == nil {
		return "en"
	}
	accept := ""
	if values := r.Header["Accept-Language"]; len(values) > 0 {
		accept = values[0]
		for _, more := range values[1:] {
			accept += "," + more
		}
	}
	language := texts.Language(accept)
	if language == "" {
		language = "en"
	}
	h["Content-Language"] = []string{language}
	return language
}
