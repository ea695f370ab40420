package rpc

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// redactor takes secrets out of what people read: every log line of the
// framework and the traces of errors in development.
type redactor struct {
	more  []string       // secret names besides those with [secretNames], plain
	named *regexp.Regexp // a secret name and its value
}

// secretNames are parts of the names whose values are never told, in lower case
// without - and _.
var secretNames = [...]string{"password", "passwd", "passphrase", "secret", "token", "authorization", "apikey", "privatekey", "credential", "cookie", "idempotencykey"}

// redacted is what stands in place of a secret.
const redacted = "[redacted]"

// newRedactor knows the values of secret names, with more besides, where they
// are written as name=value, as a member of JSON, or as a header.
func newRedactor(more []string) *redactor {
	r := &redactor{}
	for _, n := range more {
		if n = plainName(n); n != "" {
			r.more = append(r.more, n)
		}
	}
	name := `[\w-]*(?:` + spelled(secretNames[:]) + `)[\w-]*`
	if r.more != nil {
		name = `(?:` + name + `|` + spelled(r.more) + `)`
	}
	value := `(?:(\\?")[^"\\]*\\?"|\[redacted\]|[^\s,;&"')}\]\\]+)`
	r.named = regexp.MustCompile(`(?i)(\b` + name + `=|"` + name + `\\?"\s*:\s*|\b(?:authorization|cookie|x-api-key|rpc-token):\s*(?:(?:bearer|basic)\s+)?)` + value)
	return r
}

// spelled is an expression for plain names in all their spellings: apikey is
// api_key too.
func spelled(names []string) string {
	all := make([]string, len(names))
	for i, n := range names {
		letters := strings.Split(n, "")
		for k := range letters {
			letters[k] = regexp.QuoteMeta(letters[k])
		}
		all[i] = strings.Join(letters, "[-_]?")
	}
	return strings.Join(all, "|")
}

// plainName is a name without what differs between ways of writing it.
func plainName(s string) string { return strings.ToLower(separators.Replace(s)) }

var separators = strings.NewReplacer("-", "", "_", "")

// secret reports whether the values of a name are secrets.
func (r *redactor) secret(name string) bool {
	name = plainName(name)
	return slices.Contains(r.more, name) ||
		slices.ContainsFunc(secretNames[:], func(part string) bool { return strings.Contains(name, part) })
}

var (
	userInfo   = regexp.MustCompile(`\b([a-zA-Z][a-zA-Z0-9+.-]*://)[^/\s"'@]*@`)
	credential = regexp.MustCompile(`\b([Bb]earer|BEARER|Basic)\s+[\w.~+/=-]{8,}`)
	signing    = regexp.MustCompile(`\bwhsec_[\w+/=-]+`) // of Standard Webhooks
)

// text is s without the passwords of URLs, the tokens of headers, the secrets
// of webhooks, the values of secret names, and the given secrets.
func (r *redactor) text(s string, secrets ...string) string {
	if strings.Contains(s, "://") {
		s = userInfo.ReplaceAllString(s, "${1}"+redacted+"@")
	}
	if strings.Contains(s, "whsec_") {
		s = signing.ReplaceAllString(s, redacted)
	}
	if strings.ContainsAny(s, "=:") && r.mentions(s) {
		s = r.named.ReplaceAllString(s, "${1}${2}"+redacted+"${2}")
	}
	if strings.Contains(s, "earer ") || strings.Contains(s, "asic ") || strings.Contains(s, "EARER ") {
		s = credential.ReplaceAllString(s, "${1} "+redacted)
	}
	for _, secret := range secrets {
		s = strings.ReplaceAll(s, secret, redacted)
	}
	return s
}

// mentions reports whether s has a secret name in it: looking for its value
// costs more.
func (r *redactor) mentions(s string) bool {
	s = plainName(s)
	in := func(name string) bool { return strings.Contains(s, name) }
	return slices.ContainsFunc(secretNames[:], in) || slices.ContainsFunc(r.more, in)
}

const (
	// shortestSecret is in bytes: less is found in any text.
	shortestSecret = 4
	mostSecrets    = 32
)

// secrets are the values that the parameters of the call hold under secret
// names: the error of a method may repeat them.
func (x *Executor) secrets(c *Call) (all []string) {
	if p := bytes.TrimLeft(c.Params, " \t\r\n"); len(p) == 0 || p[0] == '{' && !bytes.ContainsRune(p, '\\') && !x.redactor.mentions(string(p)) {
		return nil // by position, and with escapes, a name cannot be seen
	}
	in := jsontext.NewDecoder(bytes.NewBuffer(c.Params), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for len(all) < mostSecrets {
		if !x.redactor.secretNext(in, c.spec) {
			if _, err := in.ReadToken(); err != nil {
				break
			}
			continue
		}
		value, err := in.ReadValue()
		if err != nil {
			break
		}
		all = appendSecrets(all, value)
	}
	// The longest first: one may be part of another.
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

// appendSecrets adds the texts and numbers in a value.
func appendSecrets(all []string, value jsontext.Value) []string {
	in := jsontext.NewDecoder(bytes.NewBuffer(value), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		token, err := in.ReadToken()
		if err != nil {
			return all
		}
		if k := token.Kind(); k != '"' && k != '0' {
			continue
		}
		if text := token.String(); len(text) >= shortestSecret {
			all = append(all, text)
		}
	}
}
