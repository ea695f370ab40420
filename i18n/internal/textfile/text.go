// Package textfile reads the YAML files that hold texts of methods and errors
// and finds what is wrong in them.
package textfile

import (
	"strconv"
	"strings"
)

// Text is one text of a file.
type Text struct {
	File  string
	Line  int
	Lang  string // a tag in the casing of RFC 5646 section 2.1.1
	Group string // empty: all groups
	Key   string // dotted
	Text  string
	Forms map[string]string // one, few, many, other: the text of each plural form; nil without
}

// Where is the place of the text, for a message.
func (t *Text) Where() string { return t.File + ":" + strconv.Itoa(t.Line) + ": " + t.Key }

// OfMethod reports whether the text belongs to a method or its parameter.
func (t *Text) OfMethod() bool {
	return !strings.HasPrefix(t.Key, Errors) && !strings.HasPrefix(t.Key, Violations) && !strings.HasPrefix(t.Key, Sentences)
}

// Method is the name of the method that the text belongs to.
func (t *Text) Method() string {
	if name, _, ok := strings.Cut(t.Key, params); ok {
		return name
	}
	return strings.TrimSuffix(strings.TrimSuffix(t.Key, ".title"), ".description")
}

// The beginnings of keys that belong to no method.
const (
	Errors     = "errors."
	Violations = "violations."
	Sentences  = "sentences."
)

const params = ".params."

// Fault is something wrong in the files.
type Fault struct {
	Where   string // file:line: key, as far as they are known
	Problem string // and the way to mend it
}

func (f Fault) Error() string { return f.Where + ": " + f.Problem }

// Faults is all that is wrong with all files.
type Faults []Fault

// Error lists the faults, a line each.
func (fs Faults) Error() string {
	noun := " faults"
	if len(fs) == 1 {
		noun = " fault"
	}
	var b strings.Builder
	b.WriteString("facet: " + strconv.Itoa(len(fs)) + noun + " in the texts:")
	for _, f := range fs {
		b.WriteString("\n  - " + f.Error())
	}
	return b.String()
}
