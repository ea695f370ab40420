package schema

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/invopop/jsonschema"
)

// stringRule are the rules on strings, but for lengths.
func stringRule(r Rule) (s *jsonschema.Schema, exact bool) {
	switch r.Name {
	case "required":
		return &jsonschema.Schema{MinLength: size(1)}, true
	case "isdefault":
		return &jsonschema.Schema{Const: ""}, true
	case "eq":
		return &jsonschema.Schema{Const: r.Param}, true
	case "ne":
		return not(&jsonschema.Schema{Const: r.Param}), true
	case "oneof", "noneof":
		var values []any
		for _, word := range words(r.Param) {
			values = append(values, word)
		}
		return listed(values, r.Name == "noneof")
	case "email":
		return &jsonschema.Schema{Format: "email"}, false
	case "url":
		return &jsonschema.Schema{Format: "uri"}, false
	case "http_url":
		return &jsonschema.Schema{Format: "uri", Pattern: `^[hH][tT][tT][pP][sS]?://`}, false
	case "https_url":
		return &jsonschema.Schema{Format: "uri", Pattern: `^[hH][tT][tT][pP][sS]://`}, false
	case "ipv4", "ipv6", "hostname":
		return &jsonschema.Schema{Format: r.Name}, false
	case "ip":
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Format: "ipv4"}, {Format: "ipv6"}}}, false
	case "datetime":
		return datetime(r.Param)
	case "lowercase": // letters beyond ASCII are left to validator
		return &jsonschema.Schema{Pattern: "^[^A-Z]+$"}, false
	case "uppercase":
		return &jsonschema.Schema{Pattern: "^[^a-z]+$"}, false
	}
	if pattern := namedPattern(r.Name); pattern != "" {
		return &jsonschema.Schema{Pattern: pattern}, true
	}
	return affix(r)
}

// datetime knows the layouts that JSON Schema has a format for.
func datetime(layout string) (*jsonschema.Schema, bool) {
	switch layout {
	case "2006-01-02T15:04:05Z07:00":
		return &jsonschema.Schema{Format: "date-time"}, false
	case "2006-01-02":
		return &jsonschema.Schema{Format: "date"}, false
	default:
		return nil, false
	}
}

// affix are the rules on parts of a string.
func affix(r Rule) (*jsonschema.Schema, bool) {
	part := regexp.QuoteMeta(r.Param)
	pattern, negated := "", false
	switch r.Name {
	case "startswith":
		pattern = "^" + part
	case "endswith":
		pattern = part + "$"
	case "contains":
		pattern = part
	case "containsany":
		pattern = class(r.Param)
	case "containsrune":
		pattern = class(firstRune(r.Param))
	case "startsnotwith":
		pattern, negated = "^"+part, true
	case "endsnotwith":
		pattern, negated = part+"$", true
	case "excludes":
		pattern, negated = part, true
	case "excludesall":
		pattern, negated = class(r.Param), true
	case "excludesrune":
		pattern, negated = class(firstRune(r.Param)), true
	}
	if r.Param == "" || pattern == "" {
		return nil, false
	}
	s := &jsonschema.Schema{Pattern: pattern}
	if negated {
		s = not(s)
	}
	return s, true
}

// class matches any one of the characters.
func class(chars string) string {
	return "[" + strings.NewReplacer(`\`, `\\`, `]`, `\]`, `[`, `\[`, `^`, `\^`, `-`, `\-`).Replace(chars) + "]"
}

func firstRune(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
}

// namedPattern are validator's own regular expressions, where every dialect
// reads them alike; "" for other rules.
func namedPattern(rule string) string {
	switch rule {
	case "alpha":
		return `^[a-zA-Z]+$`
	case "alphaspace":
		return `^[a-zA-Z ]+$`
	case "alphanum":
		return `^[a-zA-Z0-9]+$`
	case "alphanumspace":
		return `^[a-zA-Z0-9 ]+$`
	case "numeric":
		return `^[-+]?[0-9]+(?:\.[0-9]+)?$`
	case "number":
		return `^[0-9]+$`
	case "hexadecimal":
		return `^(0[xX])?[0-9a-fA-F]+$`
	case "hexcolor":
		return `^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$`
	case "e164":
		return `^\+?[1-9][0-9]{7,14}$`
	case "boolean":
		return `^(1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$`
	case "uuid", "uuid_rfc4122":
		return `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`
	case "uuid3":
		return `^[0-9a-f]{8}-[0-9a-f]{4}-3[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$`
	case "uuid4":
		return `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`
	case "uuid5":
		return `^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`
	case "uuid7":
		return `^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`
	case "uuid4_rfc4122":
		return `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$`
	case "ulid":
		return `^[0-7][a-hjkmnp-tv-zA-HJKMNP-TV-Z0-9]{25}$`
	case "ascii":
		return `^[\x00-\x7F]*$`
	case "printascii":
		return `^[\x20-\x7E]*$`
	case "base64":
		return `^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$`
	case "base64url":
		return `^(?:[A-Za-z0-9_\-]{4})*(?:[A-Za-z0-9_\-]{2}==|[A-Za-z0-9_\-]{3}=|[A-Za-z0-9_\-]{4})$`
	case "md5":
		return `^[0-9a-f]{32}$`
	case "sha256":
		return `^[0-9a-f]{64}$`
	case "sha512":
		return `^[0-9a-f]{128}$`
	case "hostname_rfc1123":
		return `^[a-zA-Z0-9]([a-zA-Z0-9\-]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9\-]{0,61}[a-zA-Z0-9])?)*$`
	case "mongodb":
		return `^[a-f0-9]{24}$`
	default:
		return ""
	}
}
