package i18n

import (
	"regexp"
	"strconv"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/i18n/internal/textfile"
	"github.com/go-json-experiment/json/jsontext"
)

func digits(n int) string { return strconv.Itoa(n) }

// count is the number that the words of a violation agree with, empty without.
func count(v *rpcerrors.Violation) string {
	if v.Unit != "" || v.Rule == "count" {
		return v.Param
	}
	return ""
}

// words is what the text of a violation is a template over.
func words(v *rpcerrors.Violation) textfile.Words {
	w := textfile.Words{Name: v.Rule, Param: v.Param, Field: fieldOf(v.Pointer)}
	list := split(v.Param)
	for i := 0; i+1 < len(list); i += 2 {
		w.Pairs = append(w.Pairs, textfile.Pair{Name: list[i], Value: list[i+1]})
	}
	for i, word := range list {
		if word == "" || strings.ContainsAny(word, " ,") {
			list[i] = `"` + word + `"`
		}
	}
	w.List = strings.Join(list, ", ")
	switch v.Rule {
	case "json", "type":
		_, w.Why, _ = strings.Cut(v.Message, ": ")
	case "range":
		_, w.From, w.To = interval(v)
	case "count":
		w.From, w.To, _ = strings.Cut(v.Param, " to ")
		_, w.Got, _ = strings.Cut(v.Message, ", not ")
	}
	return w
}

// fieldOf is the name of the parameter that a pointer ends with.
func fieldOf(pointer string) string {
	return jsontext.Pointer(pointer).LastToken()
}

var word = regexp.MustCompile(`'[^']*'|\S+`)

// split cuts the parameter of a rule as validator does: at spaces, but for
// 'quoted words'.
func split(param string) []string {
	if !strings.Contains(param, "'") {
		return strings.Fields(param)
	}
	list := word.FindAllString(param, -1)
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], "'", "")
	}
	return list
}
