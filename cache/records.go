package cache

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
)

// Get returns the record of key, unless its ttl is over. The value is shared: do
// not change it. It fails with [ErrClosed] only.
func (m *Memory) Get(_ context.Context, key string) (value []byte, ok bool, err error) {
	s := m.records.lock(key)
	defer s.mu.Unlock()
	r, err := s.find(key)
	if r == nil {
		return nil, false, err
	}
	return r.value, true, nil
}

// PutIfAbsent keeps a copy of value as the record of key for ttl, unless there is
// one already, which then stays as it is. Of several callers at once exactly one
// is told stored. It fails with [ErrFull] or [ErrClosed].
func (m *Memory) PutIfAbsent(_ context.Context, key string, value []byte, ttl time.Duration) (stored bool, err error) {
	s, r, alive, err := m.records.open(key)
	if err != nil {
		return false, err
	}
	defer s.mu.Unlock()
	if alive {
		return false, nil
	}
	r.value = clone(value)
	s.schedule(r, ttl)
	return true, nil
}

// Put keeps a copy of value as the record of key for ttl, whether there is one or
// not. It fails with [ErrFull], only when there is none, or [ErrClosed].
func (m *Memory) Put(_ context.Context, key string, value []byte, ttl time.Duration) error {
	s, r, _, err := m.records.open(key)
	if err != nil {
		return err
	}
	defer s.mu.Unlock()
	r.value = clone(value)
	s.schedule(r, ttl)
	return nil
}

// Touch lets the ttl of a record start again, now. found is false when there is
// no record, or none any more. It fails with [ErrClosed] only.
func (m *Memory) Touch(_ context.Context, key string, ttl time.Duration) (found bool, err error) {
	s := m.records.lock(key)
	defer s.mu.Unlock()
	r, err := s.find(key)
	if r == nil {
		return false, err
	}
	s.schedule(r, ttl)
	return true, nil
}

// Incr adds 1 to the counter of key and returns the sum: 1 when there was none.
// The ttl is that of the counter, from the Incr that made it; later ones do not
// prolong it, Touch does. To Get a counter is its decimal text, and the text of a
// number is a counter. It fails with [ErrFull], [ErrClosed], or when the record
// is something else or as high as an int64 goes.
func (m *Memory) Incr(_ context.Context, key string, ttl time.Duration) (int64, error) {
	s, r, alive, err := m.records.open(key)
	if err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	var n int64
	if alive {
		if n, err = strconv.ParseInt(string(r.value), 10, 64); err != nil {
			return 0, fmt.Errorf("cache: Incr: the record is no counter; it holds %d bytes that are no int64", len(r.value))
		}
		if n == math.MaxInt64 {
			return 0, errors.New("cache: Incr: the counter is at its end, the highest int64")
		}
	}
	n++
	r.value = slices.Clip(strconv.AppendInt(nil, n, 10)) // new bytes: Get has given out the old
	if !alive {
		s.schedule(r, ttl)
	}
	return n, nil
}

// Delete forgets the record of key. found is false when there is none, or none
// any more: of several callers at once exactly one is told found. It fails with
// [ErrClosed] only.
func (m *Memory) Delete(_ context.Context, key string) (found bool, err error) {
	s := m.records.lock(key)
	defer s.mu.Unlock()
	r, err := s.find(key)
	if r == nil {
		return false, err
	}
	s.remove(r)
	return true, nil
}
