package params

import (
	"strings"
	"unicode/utf8"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

// longName is where a name in a pointer is cut, in bytes: no parameter is
// called so, and a hundred violations below a name of a megabyte would be an
// answer of a hundred megabytes.
const longName = 128

// pointer is name as one step of a JSON pointer (RFC 6901 section 3).
func pointer(name string) string {
	if len(name) > longName {
		end := longName
		for !utf8.RuneStart(name[end]) {
			end--
		}
		name = name[:end] + "…"
	}
	if strings.ContainsAny(name, "~/") {
		name = pointerEscape.Replace(name)
	}
	return "/" + name
}

// prefix puts step before the pointers of vs.
func prefix(vs []rpcerrors.Violation, step string) {
	for i := range vs {
		vs[i].Pointer = step + vs[i].Pointer
	}
}

// maxViolations bounds an answer: hostile input may be wrong everywhere.
const maxViolations = 100

func (d *decoder) add(at, rule, param string) {
	if len(d.violations) < maxViolations {
		d.violations = append(d.violations, rpcerrors.Violation{Pointer: at, Rule: rule, Param: param, Message: message(rule, param)})
	}
}

// wrong notes what is wrong with the value being read.
func (d *decoder) wrong(rule, param string) { d.add("", rule, param) }

// message says a rule to people, in English.
func message(rule, param string) string {
	switch rule {
	case "required":
		return "is required"
	case "unknown":
		return "is not a known parameter"
	case "duplicate":
		return "is given twice"
	case "null":
		return "must not be null"
	case "type":
		return "must be " + article(param)
	case "range":
		return "must be " + param
	case "format":
		return "must be " + param
	case "enum", "oneof":
		return "must be one of: " + param
	case "count":
		switch param {
		case "0":
			return "takes no values by position"
		case "1":
			return "takes 1 value by position"
		}
		return "takes " + param + " values by position"
	case "min", "gte":
		return "must be at least " + param
	case "max", "lte":
		return "must be at most " + param
	case "gt":
		return "must be more than " + param
	case "lt":
		return "must be less than " + param
	case "len":
		return "must have the length " + param
	case "eq":
		return "must be " + param
	case "ne":
		return "must not be " + param
	case "json":
		return "is not valid JSON"
	}
	if param == "" {
		return "does not keep the rule " + rule
	}
	return "does not keep the rule " + rule + "=" + param
}

func article(noun string) string {
	if noun != "" && strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}
