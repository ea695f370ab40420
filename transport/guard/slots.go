package guard

import "sync/atomic"

// slots are the requests that may be served at once.
type slots struct {
	most  int64 // 0: no limit
	taken atomic.Int64
}

// take reports whether there was a free one. Nobody waits for one: a queue
// only makes everybody late.
func (s *slots) take() bool {
	if s.taken.Add(1) <= s.most {
		return true
	}
	s.taken.Add(-1)
	return false
}

func (s *slots) free() { s.taken.Add(-1) }
