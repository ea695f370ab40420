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

// Pointer is name as one step of a JSON pointer (RFC 6901 section 3).
func Pointer(name string) string {
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

// MaxViolations bounds an answer: hostile input may be wrong everywhere.
const MaxViolations = 100

func (d *decoder) add(at, rule, param string) {
	if len(d.violations) >= MaxViolations {
		return
	}
	v := rpcerrors.Violation{Pointer: at, Rule: rule, Param: param, Message: message(rule, param)}
	if rule == "len" {
		v.Unit = "length"
	}
	d.violations = append(d.violations, v)
}

// wrong notes what is wrong with the value being read.
func (d *decoder) wrong(rule, param string) { d.add("", rule, param) }
