package scan

// Object walks over an object, whose '{' is the next byte ([Scanner.Peek]). member is called for
// each member in order, with its name as it is spelled, escapes resolved, and with Pos before the
// value; it reads the value, or passes it with Skip. name is valid until the next call. An error
// of member ends the walk.
func (s *Scanner) Object(member func(name []byte) error) error {
	s.Pos++
	if s.Peek() == '}' {
		s.Pos++
		return nil
	}
	for {
		if s.Peek() != '"' {
			return s.fail("member name expected")
		}
		name, escaped, err := s.Str()
		if err != nil {
			return err
		}
		if escaped {
			name = Unquote(name)
		}
		if s.Peek() != ':' {
			return s.fail("':' expected")
		}
		s.Pos++
		if err := member(name); err != nil {
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

// Array walks over an array, whose '[' is the next byte. element is called for each element, with
// its index and with Pos before it; it reads the element, or passes it with Skip. An error of
// element ends the walk.
func (s *Scanner) Array(element func(i int) error) error {
	s.Pos++
	if s.Peek() == ']' {
		s.Pos++
		return nil
	}
	for i := 0; ; i++ {
		if err := element(i); err != nil {
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
