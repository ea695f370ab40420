package rpc

import "net/url"

// webURL reports whether text is an absolute URL of the web.
func webURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// wrongURL says what is wrong with the address of a page for people, which may
// be left out; empty if nothing.
func wrongURL(text string) string {
	if text == "" || webURL(text) {
		return ""
	}
	return "is " + quoted(text) + ", and no http or https URL"
}
