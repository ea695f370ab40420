package params

import (
	"reflect"
	"regexp"
	"strings"

	"github.com/facet-rpc/facet/rpc/schema"
)

// message says in English what decoding found wrong.
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
	case "enum":
		return "must be one of: " + param
	case "len":
		return "must have the length " + param
	case "count":
		switch param {
		case "0":
			return "takes no values by position"
		case "1":
			return "takes 1 value by position"
		}
		return "takes " + param + " values by position"
	}
	return "must be " + param // range, format
}

func article(noun string) string {
	if noun != "" && strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// unit is what a limit counts; empty for numbers, which are compared.
type unit string

func unitOf(k reflect.Kind) unit {
	switch k {
	case reflect.String:
		return "character"
	case reflect.Slice, reflect.Array:
		return "item"
	case reflect.Map:
		return "member"
	}
	return ""
}

// broken says in English which validate rule a value breaks.
func broken(rule, param string, u unit) string {
	if text, ok := phrases[rule]; ok {
		return text
	}
	switch rule {
	case "required":
		if u == "" {
			return "is required"
		}
		return "must not be empty"
	case "oneof":
		return "must be one of: " + listed(param)
	case "oneofci":
		return "must be one of, in any case: " + listed(param)
	case "noneof", "noneofci":
		return "must be none of: " + listed(param)
	case "eq", "ne":
		if u == "item" || u == "member" {
			break
		}
		if rule == "ne" {
			return "must not be " + param
		}
		return "must be " + param
	case "startswith":
		return "must begin with " + param
	case "endswith":
		return "must end with " + param
	case "contains":
		return "must contain " + param
	}
	if text := limit(rule, param, u); text != "" {
		return text
	}
	if text := compared(rule, param); text != "" {
		return text
	}
	if param == "" {
		return "does not keep the rule " + rule
	}
	return "does not keep the rule " + rule + "=" + param
}

// limit says a rule that compares a number, or counts; empty for others.
func limit(rule, param string, u unit) string {
	if u == "" {
		switch rule {
		case "min", "gte":
			return "must be at least " + param
		case "max", "lte":
			return "must be at most " + param
		case "gt":
			return "must be more than " + param
		case "lt":
			return "must be less than " + param
		case "len":
			return "must be " + param
		}
		return ""
	}
	how, ok := map[string]string{
		"min": "at least ", "gte": "at least ", "max": "at most ", "lte": "at most ",
		"gt": "more than ", "lt": "fewer than ", "len": "exactly ", "eq": "exactly ", "ne": "other than ",
	}[rule]
	if !ok {
		return ""
	}
	text := "must have " + how + param + " " + string(u)
	if param != "1" {
		text += "s"
	}
	return text
}

// compared says a rule that looks at other fields; empty for others.
func compared(rule, param string) string {
	switch rule {
	case "eqfield":
		return "must be the same as " + param
	case "nefield":
		return "must differ from " + param
	case "gtfield":
		return "must be more than " + param
	case "gtefield":
		return "must be at least " + param
	case "ltfield":
		return "must be less than " + param
	case "ltefield":
		return "must be at most " + param
	case "required_with":
		return "is required together with " + param
	case "required_without":
		return "is required without " + param
	case "required_if":
		return "is required when " + pairs(param)
	case "required_unless":
		return "is required unless " + pairs(param)
	}
	return ""
}

// pairs reads names and values in turn: kind party.
func pairs(param string) string {
	list := words(param)
	var parts []string
	for i := 0; i+1 < len(list); i += 2 {
		parts = append(parts, list[i]+" is "+list[i+1])
	}
	return strings.Join(parts, " and ")
}

// words splits the parameter of a rule as validator does: at spaces, but for
// 'quoted words'.
func words(param string) []string {
	if !strings.Contains(param, "'") {
		return strings.Fields(param)
	}
	list := regexp.MustCompile(`'[^']*'|\S+`).FindAllString(param, -1)
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], "'", "")
	}
	return list
}

// listed names the values of a rule for people, in quotes where one could not
// tell where they end.
func listed(param string) string {
	list := words(param)
	for i, w := range list {
		if w == "" || strings.ContainsAny(w, " ,") {
			list[i] = `"` + w + `"`
		}
	}
	return strings.Join(list, ", ")
}

// form says what the text of a type is that reads itself.
func form(t *schema.Type) string {
	format := t.Format()
	if text, ok := map[string]string{
		"uuid": "a UUID", "email": "an e-mail address", "uri": "a URI", "ipv4": "an IPv4 address", "ipv6": "an IPv6 address", "hostname": "a host name",
		"date": "a date such as 2026-01-02", "date-time": "a time such as 2026-01-02T15:04:05Z", "duration": "a duration such as PT1M30S",
	}[format]; ok {
		return text
	}
	switch {
	case format != "":
		return "text of the format " + format
	case t.Kind == schema.Custom:
		return "a value of the documented form"
	}
	return "text of the documented form"
}

// phrases are the rules that need no parameter.
var phrases = map[string]string{
	"email": "must be an e-mail address", "url": "must be a URL", "http_url": "must be an http or https URL", "uri": "must be a URI",
	"uuid": "must be a UUID", "uuid4": "must be a UUID of version 4", "ip": "must be an IP address", "ipv4": "must be an IPv4 address",
	"ipv6": "must be an IPv6 address", "cidr": "must be a network in CIDR notation", "hostname": "must be a host name",
	"fqdn": "must be a full domain name", "timezone": "must be a time zone such as Europe/Kyiv", "e164": "must be a phone number such as +380441234567",
	"alpha": "must have letters only", "alphanum": "must have letters and digits only", "numeric": "must be a number", "number": "must have digits only",
	"ascii": "must have ASCII characters only", "lowercase": "must be in lower case", "uppercase": "must be in upper case",
	"boolean": "must be a boolean", "hexadecimal": "must be hexadecimal", "hexcolor": "must be a colour such as #00aaff",
	"unique": "must have no equal items", "iso4217": "must be a currency code such as EUR", "iso3166_1_alpha2": "must be a country code such as UA",
	"bcp47_language_tag": "must be a language tag such as uk", "json": "must be JSON text", "base64": "must be base64 text",
}
