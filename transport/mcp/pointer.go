package mcp

import (
	"iter"
	"strconv"
	"strings"
)

// steps are the unescaped parts of a JSON pointer (RFC 6901 section 4).
func steps(pointer string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if pointer == "" {
			return
		}
		for step := range strings.SplitSeq(pointer[1:], "/") {
			if !yield(strings.NewReplacer("~1", "/", "~0", "~").Replace(step)) {
				return
			}
		}
	}
}

func lastStep(pointer string) (last string) {
	for last = range steps(pointer) {
	}
	return last
}

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
