package schema

import (
	"strconv"
	"strings"
)

// describe reads what is said about the field: jsonschema_description and
// the title, description and deprecated of a jsonschema tag, then its doc
// comment. Constraints are refused there: nothing would execute them.
func (f *Field) describe(tag interface{ Get(string) string }, doc string, fault func(problem, mend string)) {
	f.Description, f.Deprecated = SplitDeprecated(doc)
	for _, item := range splitTag(tag.Get("jsonschema")) {
		key, value, _ := strings.Cut(item, "=")
		switch key {
		case "title":
			f.Title = value
		case "description":
			f.Description = value
		case "deprecated":
			f.Deprecated = value
			if value == "" || value == "true" {
				f.Deprecated = "Deprecated."
			}
		case "example", "":
		case "required":
			fault("jsonschema:\"required\" is not read", "leave it out: a field without omitzero, default or pointer is required")
		case "default":
			fault("jsonschema:"+quote(item)+" is not read", "write default:"+quote(value))
		default:
			fault("jsonschema:"+quote(item)+" would be shown but never checked",
				"write constraints in the validate tag; the jsonschema tag takes title, description, example and deprecated")
		}
	}
	if text := tag.Get("jsonschema_description"); text != "" {
		f.Description = text
	}
}

// examples are the example items of a jsonschema tag, as written.
func (f *Field) examples() []string {
	var out []string
	for _, item := range splitTag(f.tag.Get("jsonschema")) {
		if text, ok := strings.CutPrefix(item, "example="); ok {
			out = append(out, text)
		}
	}
	return out
}

// splitTag splits at commas without a backslash before them.
func splitTag(tag string) []string {
	var out []string
	var b strings.Builder
	for i := 0; i < len(tag); i++ {
		switch {
		case tag[i] == '\\' && i+1 < len(tag) && tag[i+1] == ',':
			b.WriteByte(',')
			i++
		case tag[i] == ',':
			out = append(out, b.String())
			b.Reset()
		default:
			b.WriteByte(tag[i])
		}
	}
	return append(out, b.String())
}

// SplitDeprecated takes the "Deprecated: " paragraph out of a doc comment,
// as https://go.dev/wiki/Deprecated defines it. deprecated says what to use
// instead.
func SplitDeprecated(doc string) (text, deprecated string) {
	paragraphs := strings.Split(strings.TrimSpace(doc), "\n\n")
	var keep []string
	for _, p := range paragraphs {
		if rest, ok := strings.CutPrefix(p, "Deprecated: "); ok {
			deprecated = strings.TrimSpace(rest)
			continue
		}
		keep = append(keep, p)
	}
	return strings.Join(keep, "\n\n"), deprecated
}

func quote(s string) string { return strconv.Quote(s) }
