package rediscache

import "sync"

// maxCounters bounds what the set remembers of keys that are counters no more.
const maxCounters = 100_000

// keySet is the keys that were counters when last seen. Forgetting one costs a
// round trip and nothing else.
type keySet struct {
	mu   sync.RWMutex
	keys map[string]struct{}
}

func (s *keySet) has(key string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.keys[key]
	return ok
}

func (s *keySet) add(key string) {
	if s.has(key) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys == nil || len(s.keys) >= maxCounters {
		s.keys = make(map[string]struct{})
	}
	s.keys[key] = struct{}{}
}

func (s *keySet) remove(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.keys, key)
}

// isCounter: the text of a whole number that fits an int64 or is close to it.
func isCounter(value []byte) bool {
	if len(value) > 0 && value[0] == '-' {
		value = value[1:]
	}
	if len(value) == 0 || len(value) > 19 {
		return false
	}
	for _, c := range value {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
