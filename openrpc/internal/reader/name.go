package reader

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names gives out names, each once.
type Names struct{ taken map[string]bool }

// NewNames are names of which some are taken.
func NewNames(taken ...string) *Names {
	n := &Names{taken: map[string]bool{}}
	for _, name := range taken {
		n.taken[name] = true
	}
	return n
}

// Take is the first of wanted that is free, else the last of them with a
// number behind.
func (n *Names) Take(wanted ...string) string {
	for _, name := range wanted {
		if !n.taken[name] {
			n.taken[name] = true
			return name
		}
	}
	last := wanted[len(wanted)-1]
	for i := 2; ; i++ {
		if name := last + strconv.Itoa(i); !n.taken[name] {
			n.taken[name] = true
			return name
		}
	}
}

// Pascal is text as the name of a type: get-pet becomes GetPet. Letters and
// digits are kept; a name always begins with a capital.
func Pascal(text string) string {
	var b strings.Builder
	up := true
	for _, c := range text {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			up = true
			continue
		}
		if up {
			c = unicode.ToUpper(c)
		}
		if b.Len() == 0 && !unicode.IsUpper(c) {
			b.WriteByte('N')
		}
		up = false
		b.WriteRune(c)
		if b.Len() >= 100 {
			break
		}
	}
	if b.Len() == 0 {
		return "Unnamed"
	}
	return b.String()
}

// Camel is text as the name of a member: Catalog becomes catalog, HTTPServer
// httpServer, URL url. Underscores stay.
func Camel(text string) string {
	parts := strings.FieldsFunc(text, func(c rune) bool {
		return c != '_' && c != '$' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
	for i := range parts {
		if i > 0 {
			first, size := utf8.DecodeRuneInString(parts[i])
			parts[i] = string(unicode.ToUpper(first)) + parts[i][size:]
		}
	}
	name := strings.Join(parts, "")
	runes := []rune(name)
	upper := 0
	for upper < len(runes) && unicode.IsUpper(runes[upper]) {
		upper++
	}
	if upper > 1 && upper < len(runes) && unicode.IsLower(runes[upper]) {
		upper--
	}
	name = strings.ToLower(string(runes[:upper])) + string(runes[upper:])
	switch {
	case name == "":
		return "unnamed"
	case unicode.IsDigit(runes[0]):
		return "_" + name
	}
	return name
}

// Lines are the lines of a text without what may end a line or a comment of a
// source in another way: control characters, and marks that are no text.
func Lines(text string) []string {
	text = strings.Map(func(c rune) rune {
		switch {
		case c == '\n' || c == '\u2028' || c == '\u2029' || c == '\u0085' || c == '\v' || c == '\f':
			return '\n'
		case c == '\t':
			return ' '
		case c == '\ufeff' || unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c):
			return -1
		}
		return c
	}, text)
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	if len(lines) == 1 && lines[0] == "" {
		return nil
	}
	return lines
}

// Free reports whether a name can still be taken.
func (n *Names) Free(name string) bool { return !n.taken[name] }
