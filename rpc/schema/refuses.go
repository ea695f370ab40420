package schema

import "regexp"

// Refuses reports whether the schema of t refuses a value that breaks rule r:
// always when [States] says so, and for the rules of which it states a part
// as a pattern, such as lowercase, when text does not match that. text is the
// value as a string; it does not matter for other kinds. Formats are hints
// and refuse nothing.
func Refuses(t *Type, r Rule, text string) bool {
	if States(t, r) {
		return true
	}
	s, _ := stated(t.base(), r)
	switch {
	case s == nil:
		return false
	case r.Or == nil:
		return s.Pattern != "" && !regexp.MustCompile(s.Pattern).MatchString(text)
	}
	for _, alternative := range r.Or {
		if !Refuses(t, alternative, text) {
			return false
		}
	}
	return true
}
