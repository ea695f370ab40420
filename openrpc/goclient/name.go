package goclient

import (
	"strings"
	"unicode"

	"github.com/facet-rpc/facet/openrpc/internal/reader"
)

// initialisms are words that Go writes in capitals.
const initialisms = " API CPU CSS DNS EOF GUID HTML HTTP HTTPS ID IP JSON JWT MCP OK RAM RPC SKU SLA SQL SSH TCP TLS TTL UDP UI URI URL USD UTC UTF UUID VM XML "

// goName is text as an exported name: sku becomes SKU, userId UserID.
func goName(text string) string {
	var b strings.Builder
	for _, word := range words(reader.Pascal(text)) {
		if up := strings.ToUpper(word); strings.Contains(initialisms, " "+up+" ") {
			word = up
		}
		b.WriteString(word)
	}
	return b.String()
}

// words splits a name before each capital that begins a word.
func words(name string) []string {
	var out []string
	start := 0
	for i := 1; i < len(name); i++ {
		up := unicode.IsUpper(rune(name[i]))
		before := unicode.IsUpper(rune(name[i-1]))
		ends := i+1 < len(name) && unicode.IsLower(rune(name[i+1]))
		if up && (!before || ends) {
			out = append(out, name[start:i])
			start = i
		}
	}
	return append(out, name[start:])
}

// tag is the struct tag of a member. A name that is no word stands in single
// quotes, with the escapes of Go.
func tag(name, option string) string {
	label := name
	if !simple(name) {
		escaped := quote(name)
		label = "'" + strings.ReplaceAll(escaped[1:len(escaped)-1], "'", `\'`) + "'"
	}
	text := "json:" + quote(label+option)
	if strings.Contains(text, "`") {
		return quote(text)
	}
	return "`" + text + "`"
}

// simple reports whether a name can stand in a tag as it is.
func simple(name string) bool {
	return name != "" && !unicode.IsDigit(rune(name[0])) && strings.IndexFunc(name, func(c rune) bool {
		return c != '_' && (c > unicode.MaxASCII || !unicode.IsLetter(c) && !unicode.IsDigit(c))
	}) < 0
}
