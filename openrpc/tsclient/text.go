package tsclient

import (
	"strings"

	"github.com/facet-rpc/facet/openrpc/internal/reader"
	"github.com/go-json-experiment/json/jsontext"
)

// width is how long a line may be if it can be broken.
const width = 80

func (w *writer) line(depth int, text string) {
	if text != "" {
		w.b.WriteString(strings.Repeat("  ", depth))
	}
	w.b.WriteString(text + "\n")
}

// comment writes lines as a doc comment; nothing without lines.
func (w *writer) comment(depth int, lines []string) {
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], "*/", "*\\/")
	}
	switch {
	case len(lines) == 0:
	case len(lines) == 1:
		w.line(depth, "/** "+lines[0]+" */")
	default:
		w.line(depth, "/**")
		for _, l := range lines {
			w.line(depth, strings.TrimRight(" * "+l, " "))
		}
		w.line(depth, " */")
	}
}

// body is a text without what to use instead of something deprecated, which
// has a tag of its own.
func body(text string, deprecated bool) string {
	if !deprecated {
		return text
	}
	text, _ = reader.Deprecation(text)
	return text
}

// tags are what a schema says besides the type.
func tags(t *reader.Type, deprecated bool, text string) []string {
	var out []string
	if deprecated {
		_, instead := reader.Deprecation(text)
		out = append(out, strings.TrimSpace("@deprecated "+strings.Join(reader.Lines(instead), " ")))
	}
	if t.Kind == reader.Integer && t.Fact("format") == nil {
		out = append(out, "@integer")
	}
	for _, f := range t.Facts {
		value := string(f.Value)
		if f.Value.Kind() == '"' && f.Name != "default" {
			plain, _ := jsontext.AppendUnquote(nil, f.Value) // it was read as JSON
			value = string(plain)
		}
		out = append(out, strings.TrimSpace("@"+f.Name+" "+strings.Join(reader.Lines(value), " ")))
	}
	return out
}
