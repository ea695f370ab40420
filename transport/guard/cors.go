package guard

import "net/http"

var (
	varyBoth      = []string{"Accept-Language, Origin"}
	varyOrigin    = []string{"Origin"}
	varyLanguage  = []string{"Accept-Language"}
	varyPreflight = []string{"Origin, Access-Control-Request-Method, Access-Control-Request-Headers"}
	// exposed are the answer headers that a page of another origin may read.
	exposed = []string{"Mcp-Session-Id, Idempotency-Replayed, Content-Language, ETag, WWW-Authenticate, Retry-After"}
)

// tenMinutes is how long a browser may go by a preflight, in seconds: each
// request is judged by its Origin all the same.
var tenMinutes = []string{"600"}

// maxRequestHeaders is the longest list of header names that is echoed, in bytes.
const maxRequestHeaders = 2048

// preflight reports whether r asks what a page may do (Fetch, section 4.8).
// The browser sends no token with it.
func preflight(r *http.Request) bool {
	return r.Method == http.MethodOptions &&
		len(r.Header["Origin"]) == 1 && len(r.Header["Access-Control-Request-Method"]) == 1
}

// answerPreflight allows what the path serves and the headers that were asked
// for: an origin that may call may send any header.
func answerPreflight(w http.ResponseWriter, r *http.Request, allow []string) {
	h := w.Header()
	h["Vary"] = varyPreflight
	h["Access-Control-Allow-Origin"] = r.Header["Origin"]
	h["Access-Control-Allow-Methods"] = allow
	if asked := r.Header["Access-Control-Request-Headers"]; len(asked) == 1 && isHeaderList(asked[0]) {
		h["Access-Control-Allow-Headers"] = asked
	}
	h["Access-Control-Max-Age"] = tenMinutes
	w.WriteHeader(http.StatusNoContent)
}

// isHeaderList reports whether s is names and commas: nothing else is echoed.
func isHeaderList(s string) bool {
	if len(s) > maxRequestHeaders {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isTokenChar(c) && c != ',' && c != ' ' {
			return false
		}
	}
	return s != ""
}

// isTokenChar is the grammar of header names (RFC 9110 section 5.6.2).
func isTokenChar(c byte) bool {
	if isAlphanumeric(c) {
		return true
	}
	switch c {
	case '!', '#', '$', '%', '&', '\'', '*', '+', '-', '.', '^', '_', '`', '|', '~':
		return true
	}
	return false
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
