package scan

// Num reads a number and returns its text. integer says that it has neither a fraction nor an
// exponent, so that its digits are its value; "-0" is an integer, "1.0" and "1e2" are not.
func (s *Scanner) Num() (raw []byte, integer bool, err error) {
	b, start := s.Src, s.Pos
	i := start
	if i < len(b) && b[i] == '-' {
		i++
	}
	switch {
	case i < len(b) && b[i] == '0':
		i++
	case digit(b, i):
		i = digits(b, i)
	case i == start:
		return nil, false, s.fail("value expected")
	default:
		return nil, false, s.failNumber(i)
	}
	integer = true
	if i < len(b) && b[i] == '.' {
		integer = false
		if i++; !digit(b, i) {
			return nil, false, s.failNumber(i)
		}
		i = digits(b, i)
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		integer = false
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if !digit(b, i) {
			return nil, false, s.failNumber(i)
		}
		i = digits(b, i)
	}
	s.Pos = i
	return b[start:i:i], integer, nil
}

func (s *Scanner) failNumber(offset int) error {
	s.Pos = offset
	return s.fail("invalid number: digit expected")
}

func digit(b []byte, i int) bool { return i < len(b) && b[i]-'0' <= 9 }

// digits returns the offset behind the digits that begin at i.
func digits(b []byte, i int) int {
	for digit(b, i) {
		i++
	}
	return i
}
