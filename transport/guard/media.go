package guard

import (
	"mime"
	"net/http"
	"strings"
)

// mediaType reports whether the body's type is one of types. A request that
// names none passes: many clients forget it, and what a page of another
// origin sends without one is stopped by its Origin header.
func mediaType(r *http.Request, types []string) bool {
	values := r.Header["Content-Type"]
	if len(values) == 0 || len(types) == 0 {
		return true
	}
	if len(values) > 1 {
		return false
	}
	for _, t := range types {
		if values[0] == t {
			return true
		}
	}
	if values[0] == "" {
		return true
	}
	name, params, err := mime.ParseMediaType(values[0]) // name in lower case
	if err != nil {
		return false
	}
	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return false
	}
	for _, t := range types {
		if name == t {
			return true
		}
	}
	return false
}

// identity reports whether the body is sent as it is.
func identity(r *http.Request) bool {
	values := r.Header["Content-Encoding"]
	return len(values) == 0 || len(values) == 1 && (values[0] == "" || strings.EqualFold(values[0], "identity"))
}

// mayHaveBody leaves out what clients send with a type but without a body.
func mayHaveBody(r *http.Request) bool {
	return r.ContentLength != 0 || r.Method == http.MethodPost
}
