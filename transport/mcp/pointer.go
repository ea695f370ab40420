package mcp

import "strconv"

// enter reads from the value it is at up to the one that a step leads to: a
// member's name, or an index. Without such a value it is false.
func (r *reader) enter(step string) bool {
	switch r.Peek() {
	case '{':
		for name, ok := r.first(); ok; name, ok = r.next() {
			if string(name) == step {
				return true
			}
			r.value()
		}
	case '[':
		n, err := strconv.Atoi(step)
		r.Pos++
		for ; err == nil && r.Peek() != ']' && r.Pos < len(r.Src); n-- {
			if n == 0 {
				return true
			}
			r.value()
			if r.Peek() == ',' {
				r.Pos++
			}
		}
	}
	return false
}
