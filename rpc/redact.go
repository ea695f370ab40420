package rpc

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// params are those of a call for the log, at any depth without the values of secret
// names. By position the method's parameters name the values; without a method
// they are all left out. What is no JSON is cut where it ends to be.
func (r *redactor) params(raw []byte, s *Spec) []byte {
	lenient := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	in := jsontext.NewDecoder(bytes.NewReader(raw), lenient...)
	var out bytes.Buffer
	to := jsontext.NewEncoder(&out, lenient...)
	for {
		if r.secretNext(in, s) {
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
func (r *redactor) secretNext(in *jsontext.Decoder, s *Spec) bool {
	if k := in.PeekKind(); k == ']' || k == '}' || k == jsontext.KindInvalid {
		return false
	}
	depth := in.StackDepth()
	kind, n := in.StackIndex(depth)
	switch {
	case kind == '{' && n%2 == 1:
		at := in.StackPointer()
		return r.secret(at.LastToken()) || at == "/$rpc/callback" // its path may be what lets one in
	case kind == '[' && depth == 1:
		if s == nil || s.Params == nil || n >= int64(len(s.Params.Fields)) {
			return true
		}
		return r.secret(s.Params.Fields[n].Name)
	}
	return false
}
