package goclient

import (
	"strings"
	"unicode"
	"unicode/utf8"

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

// tag is the struct tag of a member.
func tag(name, option string) string {
	if name == "-" && option == "" {
		option = ",case:strict" // a dash alone would mean no member
	}
	return "`json:" + quote(name+option) + "`"
}

// taggable reports whether a struct tag can name a member: the codec takes no
// empty name, and none with these characters.
func taggable(name string) bool {
	return name != "" && !strings.ContainsAny(name, ",\\'\"`") && utf8.ValidString(name)
}
