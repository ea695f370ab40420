package textfile

import (
	"regexp"
	"strconv"
	"strings"
	"text/template"
)

var (
	kind = regexp.MustCompile(`^[A-Z][A-Za-z0-9]{0,63}$`)
	rule = regexp.MustCompile(`^[^.\s]+(\.[^.\s]+)?$`)
)

func lineText(line int) string { return "in line " + strconv.Itoa(line) }

// check says what is wrong with a text, by its key alone; empty: nothing.
func check(t *Text) string {
	if name, ok := strings.CutPrefix(t.Key, Errors); ok {
		if !kind.MatchString(name) {
			return "this is no kind of an error; write the name that stands in data.exception, such as NotFound"
		}
		if _, err := template.New("").Parse(t.Text); err != nil {
			return "the text is a template over the data of the error: " + templateError(err)
		}
		return ""
	}
	if name, ok := strings.CutPrefix(t.Key, Violations); ok {
		if !rule.MatchString(name) {
			return "this is no rule; write its name, or rule.unit as in min.character"
		}
		for _, text := range t.texts() {
			tmpl, err := template.New("").Parse(text)
			if err == nil {
				err = tmpl.Execute(new(strings.Builder), Words{})
			}
			if err != nil {
				return "the text is a template over the violation: " + templateError(err)
			}
		}
		return ""
	}
	if strings.HasPrefix(t.Key, Sentences) {
		return ""
	}
	if method := t.Method(); method == t.Key || method == "" {
		return "no text is called so; write <Service.method>.title, .description or .params.<name>, errors.<Kind>, sentences.<sentence> or violations.<rule>"
	}
	return ""
}

// texts is the text, or its plural forms.
func (t *Text) texts() []string {
	if t.Forms == nil {
		return []string{t.Text}
	}
	var all []string
	for _, c := range categories {
		if f := t.Forms[c]; f != "" {
			all = append(all, f)
		}
	}
	return all
}

// templateError is err without the name of the template, which has none.
func templateError(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "template: "), ":")
}

// Words is what a text of a violation is a template over.
type Words struct {
	// Param is the parameter of the rule, such as 3 for min=3.
	Param string
	// List is the values of Param for people: a, b, "c d".
	List string
	// Pairs are the names and values of Param, for required_if and its like.
	Pairs []Pair
	// Field is the name of the parameter that breaks the rule, for languages in
	// which a sentence cannot begin with it.
	Field string
	// Why is the reason of json and type, where there is one, translated as a
	// sentence.
	Why string
	// Name is that of the rule.
	Name string
	// Got is the number of values that came, for count.
	Got string
	// From and To are the ends of a range.
	From, To string
	// Error is the text of the error without its full stop, for first and more.
	Error string
	// First is where and what the first violation is, for first and more.
	First string
	// More is how many others there are, for more.
	More int
}

// Pair is a parameter and the value it must have.
type Pair struct{ Name, Value string }
