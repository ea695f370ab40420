// Package scan reads JSON text (RFC 8259) in place: it checks every byte once, allocates nothing
// and hands out slices of its source.
//
// It is strict where a lenient reader would let two programs see two different values: invalid
// UTF-8, lone surrogates in \u escapes and raw control characters are errors, and nesting is
// bounded. It does not look at member names: duplicates are for the caller to find.
package scan

// DefaultDepth is the nesting limit of a Scanner whose MaxDepth is 0.
const DefaultDepth = 64

// Scanner walks over Src from Pos. The zero Scanner with Src set is ready to use. Every method
// that succeeds leaves Pos behind what it read; after an error Pos is at the offending byte and
// the Scanner is of no further use.
type Scanner struct {
	// Src is the text. The Scanner never changes it, and the slices it returns point into it.
	Src []byte
	// Pos is the offset of the next byte to read.
	Pos int
	// MaxDepth is how many arrays and objects may lie inside each other; 0 means DefaultDepth.
	// Skip recurses that deep, at about 200 bytes of stack a level.
	MaxDepth int
}

// Peek passes whitespace and returns the next byte without reading it, 0 at the end.
// A NUL byte in the text is 0 too; it begins no value, so callers need not tell the two apart.
func (s *Scanner) Peek() byte {
	if s.Pos < len(s.Src) {
		if c := s.Src[s.Pos]; c > ' ' {
			return c
		}
	}
	return s.peekSpace()
}

func (s *Scanner) peekSpace() byte {
	for s.Pos < len(s.Src) {
		c := s.Src[s.Pos]
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
		s.Pos++
	}
	return 0
}

// End returns nil when only whitespace is left, otherwise an *Error "trailing data".
func (s *Scanner) End() error {
	s.Peek()
	if s.Pos < len(s.Src) {
		return s.fail("trailing data")
	}
	return nil
}

// Lit reads the literal word: "true", "false" or "null".
func (s *Scanner) Lit(word string) error {
	end := s.Pos + len(word)
	if end > len(s.Src) || string(s.Src[s.Pos:end]) != word {
		return s.fail("invalid literal")
	}
	s.Pos = end
	return nil
}

// Skip checks and passes one value of any kind, whitespace before it included. depth is the
// number of arrays and objects that enclose the value: 0 for the text's only value. One that
// opens at MaxDepth or deeper is an *Error with Depth set.
func (s *Scanner) Skip(depth int) error {
	switch s.Peek() {
	case '"':
		_, _, err := s.Str()
		return err
	case '{':
		return s.skipObject(depth)
	case '[':
		return s.skipArray(depth)
	case 't':
		return s.Lit("true")
	case 'f':
		return s.Lit("false")
	case 'n':
		return s.Lit("null")
	default:
		_, _, err := s.Num()
		return err
	}
}

// skipObject is at '{'.
func (s *Scanner) skipObject(depth int) error {
	if err := s.enter(depth); err != nil {
		return err
	}
	if s.Peek() == '}' {
		s.Pos++
		return nil
	}
	for {
		if s.Peek() != '"' {
			return s.fail("member name expected")
		}
		if _, _, err := s.Str(); err != nil {
			return err
		}
		if s.Peek() != ':' {
			return s.fail("':' expected")
		}
		s.Pos++
		if err := s.Skip(depth + 1); err != nil {
			return err
		}
		switch s.Peek() {
		case ',':
			s.Pos++
		case '}':
			s.Pos++
			return nil
		default:
			return s.fail("',' or '}' expected")
		}
	}
}

// skipArray is at '['.
func (s *Scanner) skipArray(depth int) error {
	if err := s.enter(depth); err != nil {
		return err
	}
	if s.Peek() == ']' {
		s.Pos++
		return nil
	}
	for {
		if err := s.Skip(depth + 1); err != nil {
			return err
		}
		switch s.Peek() {
		case ',':
			s.Pos++
		case ']':
			s.Pos++
			return nil
		default:
			return s.fail("',' or ']' expected")
		}
	}
}

// enter passes the opening byte of an array or object that depth others enclose.
func (s *Scanner) enter(depth int) error {
	limit := s.MaxDepth
	if limit == 0 {
		limit = DefaultDepth
	}
	if depth >= limit {
		return s.failDepth(limit)
	}
	s.Pos++
	return nil
}
