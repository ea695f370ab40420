package mcp

import (
	stderrors "errors"
	"slices"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc/scan"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json/jsontext"
)

// argumentError reports whether e says that the arguments break what the
// tool's inputSchema states, or what decoding needs. Then the answer is an
// error of the protocol: an agent could see before the call that it was
// wrong. What the schema lets pass is refused by the executor alone, and is a
// result that failed. t are the tool's params, nil for none.
func argumentError(e *rpcerrors.Error, t *schema.Type, arguments []byte) bool {
	if !stderrors.Is(e, rpcerrors.InvalidParams) {
		return false
	}
	return slices.ContainsFunc(e.Violations(), func(v rpcerrors.Violation) bool { return refused(t, arguments, v) })
}

// refused reports whether the schema of t, or decoding, refuses what v tells.
func refused(t *schema.Type, arguments []byte, v rpcerrors.Violation) bool {
	value, given := valueAt(arguments, v.Pointer)
	if v.Rule == "required" && !given {
		return true
	}
	found := false
	for _, p := range placesAt(t, v.Pointer) {
		for _, r := range p.rules.List {
			if !called(r, v.Rule) {
				continue
			}
			found = true
			text := value
			if p.key {
				text = jsontext.Pointer(v.Pointer).LastToken()
			}
			if p.quoted || !schema.Refuses(p.t, r, text) {
				return false
			}
		}
	}
	return found || decoding(v.Rule)
}

// decoding reports whether a rule that no tag has is one of decoding.
func decoding(rule string) bool {
	switch rule {
	case "required", "unknown", "duplicate", "null", "type", "range", "format", "count", "enum", "len":
		return true
	}
	return false
}

// called reports whether a violation of the name is one of r. The name of
// alternatives is a|b, with their parameters.
func called(r schema.Rule, name string) bool {
	if r.Or == nil {
		return r.Name == name
	}
	names := strings.Split(name, "|")
	return slices.EqualFunc(names, r.Or, func(name string, r schema.Rule) bool {
		name, _, _ = strings.Cut(name, "=")
		return name == r.Name
	})
}

// place is a type in the params with the rules on it.
type place struct {
	t      *schema.Type
	rules  *schema.Rules
	quoted bool // a number that is written as a string; the schema states no rules of it
	key    bool // the name of the member and not its value
}

// placesAt are what stands at a pointer into values of t and has rules: in a
// map both the member's name and its value.
func placesAt(t *schema.Type, pointer string) []place {
	at := place{t: t}
	var key place
	for step := range jsontext.Pointer(pointer).Tokens() {
		for at.t != nil && at.t.Kind == schema.Pointer {
			at.t = at.t.Elem
		}
		if at.t == nil {
			return nil
		}
		var below, keys *schema.Rules
		if at.rules != nil {
			below, keys = at.rules.Elem, at.rules.Keys
		}
		key = place{}
		switch at.t.Kind {
		case schema.Object:
			i := at.t.Lookup([]byte(step))
			if i < 0 {
				return nil
			}
			f := &at.t.Fields[i]
			at = place{t: f.Type, rules: f.Rules, quoted: f.Quoted}
		case schema.Map:
			key = place{t: at.t.Key, rules: keys, quoted: at.t.Key.Kind != schema.String, key: true}
			at = place{t: at.t.Elem, rules: below}
		default:
			at = place{t: at.t.Elem, rules: below}
		}
	}
	return slices.DeleteFunc([]place{at, key}, func(p place) bool { return p.t == nil || p.rules == nil })
}

// valueAt is the value at a pointer into arguments, unquoted if it is a string.
func valueAt(arguments []byte, pointer string) (value string, given bool) {
	r := reader{scan.Scanner{Src: arguments}}
	for step := range jsontext.Pointer(pointer).Tokens() {
		if !r.enter(step) {
			return "", false
		}
	}
	if r.Peek() == '"' {
		s, _ := r.str()
		return string(s), true
	}
	return string(r.value()), true
}
