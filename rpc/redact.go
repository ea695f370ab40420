package rpc

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// secretNames are parts of the names of parameters whose values are never
// logged, in lower case without - and _.
var secretNames = [...]string{"password", "passwd", "passphrase", "secret", "token", "authorization", "apikey", "privatekey", "credential", "cookie", "idempotencykey"}

// redacted is what stands in the log for such a value.
const redacted = "[redacted]"

// secret reports whether a parameter's value must not be logged.
func (o *Options) secret(name string) bool {
	name = plainName(name)
	for _, s := range secretNames {
		if strings.Contains(name, s) {
			return true
		}
	}
	for _, s := range o.Redact {
		if name == plainName(s) {
			return true
		}
	}
	return false
}

// plainName is a name without what differs between ways of writing it.
func plainName(s string) string { return strings.ToLower(separators.Replace(s)) }

var separators = strings.NewReplacer("-", "", "_", "")

// redact is params for the log, at any depth without the values of secret
// names. By position the method's parameters name the values; without a method
// they are all left out. What is no JSON is cut where it ends to be.
func (o *Options) redact(params []byte, s *Spec) []byte {
	lenient := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	in := jsontext.NewDecoder(bytes.NewReader(params), lenient...)
	var out bytes.Buffer
	to := jsontext.NewEncoder(&out, lenient...)
	for {
		if o.secretNext(in, s) {
			if in.SkipValue() != nil || to.WriteToken(jsontext.String(redacted)) != nil {
				return out.Bytes()
			}
			continue
		}
		token, err := in.ReadToken()
		if err != nil || to.WriteToken(token) != nil {
			return bytes.TrimSpace(out.Bytes())
		}
	}
}

// secretNext reports whether the next value has a secret name.
func (o *Options) secretNext(in *jsontext.Decoder, s *Spec) bool {
	if k := in.PeekKind(); k == ']' || k == '}' || k == jsontext.KindInvalid {
		return false
	}
	depth := in.StackDepth()
	kind, n := in.StackIndex(depth)
	switch {
	case kind == '{' && n%2 == 1:
		at := in.StackPointer()
		return o.secret(at.LastToken()) || at == "/$rpc/callback" // its path may be what lets one in
	case kind == '[' && depth == 1:
		if s == nil || s.Params == nil || n >= int64(len(s.Params.Fields)) {
			return true
		}
		return o.secret(s.Params.Fields[n].Name)
	}
	return false
}
