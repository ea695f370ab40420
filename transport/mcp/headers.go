package mcp

import (
	"encoding/base64"
	"net/http"
	"strings"
)

// The headers of the protocol, as net/http spells their names.
const (
	headerVersion = "Mcp-Protocol-Version"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
	headerSession = "Mcp-Session-Id"
)

// field is the value of a header that may stand once; n is how often it
// stands. name is in the form of net/http.
func field(h http.Header, name string) (value string, n int) {
	all := h[name]
	if len(all) == 0 {
		return "", 0
	}
	return all[0], len(all)
}

// accepts says which of our two answer types the client takes. A client that
// says nothing takes both. Real clients send one, both, or a wildcard, so one
// match is enough and weights (RFC 9110 section 12.4.2) do not matter. named
// says that the stream is meant and not just allowed by a wildcard.
func accepts(h http.Header) (json, stream, named bool) {
	said := false
	for _, line := range h["Accept"] {
		for item := range strings.SplitSeq(line, ",") {
			item, _, _ = strings.Cut(item, ";")
			item = strings.TrimSpace(item)
			switch {
			case item == "":
				continue
			case item == "*/*":
				json, stream = true, true
			case strings.EqualFold(item, "application/json"), strings.EqualFold(item, "application/*"):
				json = true
			case strings.EqualFold(item, "text/event-stream"), strings.EqualFold(item, "text/*"):
				stream, named = true, true
			}
			said = true
		}
	}
	if !said {
		return true, true, false
	}
	return json, stream, named
}

// The marks around a header value in base64 (2026-07-28, Streamable HTTP,
// "Value Encoding").
const (
	encodedPrefix = "=?base64?"
	encodedSuffix = "?="
)

// decodeValue resolves the base64 form of a header value; a value with only
// one of the two marks stands for itself. ok is false when the form is wrong.
func decodeValue(s string) (value string, ok bool) {
	if len(s) < len(encodedPrefix)+len(encodedSuffix) ||
		!strings.HasPrefix(s, encodedPrefix) || !strings.HasSuffix(s, encodedSuffix) {
		return s, true
	}
	b, err := base64.StdEncoding.Strict().DecodeString(s[len(encodedPrefix) : len(s)-len(encodedSuffix)])
	return string(b), err == nil
}
