package schema

import (
	"reflect"
	"strings"
)

// jsonTag is a parsed json tag of a field.
type jsonTag struct {
	name                        string // empty: the Go name
	skip                        bool   // json:"-"
	omitEmpty, omitZero, quoted bool
}

// parseJSONTag reads the tag as json/v2 does, and calls fault for everything
// that json/v2 refuses, ignores, or that we do not support.
func parseJSONTag(sf reflect.StructField, fault func(problem, mend string)) jsonTag {
	tag := sf.Tag.Get("json")
	if tag == "-" {
		return jsonTag{skip: true}
	}
	name, rest, _ := strings.Cut(tag, ",")
	out := jsonTag{name: name}
	switch {
	case name == "-":
		fault(`json:"-," reads as "leave out" but names a member "-"`, `write json:"-" to leave the field out, or choose another name`)
	case strings.ContainsAny(name, "\\'\"`"):
		fault("the JSON name "+name+" has a quote or a backslash", "use letters, digits, - and _")
	}
	if rest == "" {
		if name != "-" && strings.HasSuffix(tag, ",") {
			fault("the json tag ends in a comma", "leave the comma out")
		}
		return out
	}
	for opt := range strings.SplitSeq(rest, ",") {
		key, _, _ := strings.Cut(opt, ":")
		switch key {
		case "omitempty":
			out.omitEmpty = true
		case "omitzero":
			out.omitZero = true
		case "string":
			out.quoted = true
		case "inline", "embed", "unknown":
			fault("the json option "+opt+" is not supported", "embed a struct, or name a map field of its own")
		case "format":
			fault("the json option "+opt+" is not supported", "give the field a type with MarshalText and UnmarshalText")
		case "case":
			fault("the json option "+opt+" is not supported", "leave it out: names match exactly, by case")
		default:
			fault("the json option "+quote(opt)+" is unknown", "known are omitzero, omitempty and string")
		}
	}
	return out
}
