package scan

import "strconv"

// Error says what is wrong with a text and where.
type Error struct {
	// Offset is the index in Src of the byte that cannot stand there; len(Src) when the text
	// ends too early.
	Offset int
	// Reason is a short English phrase: "unterminated string".
	Reason string
	// Depth is set when the text may be valid but nests deeper than MaxDepth.
	Depth bool
}

func (e *Error) Error() string {
	if e.Depth { // the text may well be valid
		return e.Reason + ", at byte " + strconv.Itoa(e.Offset)
	}
	return "invalid JSON at byte " + strconv.Itoa(e.Offset) + ": " + e.Reason
}

func (s *Scanner) fail(reason string) error {
	if s.Pos >= len(s.Src) {
		reason += ", the text ends"
	}
	return &Error{Offset: s.Pos, Reason: reason}
}

func (s *Scanner) failAt(offset int, reason string) error {
	s.Pos = offset
	return &Error{Offset: offset, Reason: reason}
}

func (s *Scanner) failDepth(limit int) error {
	return &Error{Offset: s.Pos, Reason: "nested deeper than " + strconv.Itoa(limit) + " levels", Depth: true}
}
