package cache

import (
	"container/heap"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// never is the deadline of a record without one.
const never = time.Duration(math.MaxInt64)

const shards = 32

// table is a map with exact deadlines, split so that callers of different keys
// seldom wait for each other. Deadlines are judged on each access; the sweeper
// only takes the memory back.
type table struct {
	max     int64
	used    atomic.Int64 // records in all shards, also those past their deadline
	hash    func(string) uint64
	now     func() time.Duration
	shards  [shards]shard
	sweeper sweeper
}

type shard struct {
	table   *table
	mu      sync.Mutex
	closed  bool
	records map[string]*record
	timed   dueHeap // those that have a deadline; some that had one
}

// record is in the heap by due, which is never later than ends. Moving ends
// further, which each use of a session does, leaves due alone: the sweep puts
// the record in its new place when due comes.
type record struct {
	key       string
	value     []byte
	ends, due time.Duration
	at        int // index in the heap; -1: not in it
}

func (t *table) init(limit int64, hash func(string) uint64, now func() time.Duration) {
	t.max, t.hash, t.now = limit, hash, now
	t.sweeper.sweep = t.sweep
	for i := range t.shards {
		t.shards[i].table = t
		t.shards[i].records = make(map[string]*record)
	}
}

// lock returns the shard of key, locked.
func (t *table) lock(key string) *shard {
	s := &t.shards[t.hash(key)%shards]
	s.mu.Lock()
	return s
}

// open returns the record of key and whether it is alive. If it is not, it is
// new, or old bytes to be replaced. The caller must give it a value and a
// deadline, then unlock s. On an error nothing is locked.
func (t *table) open(key string) (s *shard, r *record, alive bool, err error) {
	for swept := false; ; swept = true {
		s = t.lock(key)
		if s.closed {
			s.mu.Unlock()
			return nil, nil, false, ErrClosed
		}
		if r = s.records[key]; r != nil {
			return s, r, r.ends > t.now(), nil
		}
		if t.reserve() {
			r = &record{key: key, at: -1}
			s.records[key] = r
			return s, r, false, nil
		}
		s.mu.Unlock()
		if swept {
			return nil, nil, false, ErrFull
		}
		t.sweep()
	}
}

// reserve counts one more record if there is room.
func (t *table) reserve() bool {
	for {
		n := t.used.Load()
		if n >= t.max {
			return false
		}
		if t.used.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// find returns the record of key, nil when there is none alive.
func (s *shard) find(key string) (*record, error) {
	if s.closed {
		return nil, ErrClosed
	}
	r := s.records[key]
	if r == nil || r.ends > s.table.now() {
		return r, nil
	}
	s.remove(r)
	return nil, nil
}

// schedule gives r the deadline of a ttl that starts now.
func (s *shard) schedule(r *record, ttl time.Duration) {
	r.ends = deadline(s.table.now(), ttl)
	switch {
	case r.ends == never:
		return // if it is in the heap, the sweep takes it out
	case r.at < 0:
		r.due = r.ends
		heap.Push(&s.timed, r)
	case r.ends < r.due:
		r.due = r.ends
		heap.Fix(&s.timed, r.at)
	}
	s.table.sweeper.start()
}

func (s *shard) remove(r *record) {
	delete(s.records, r.key)
	if r.at >= 0 {
		heap.Remove(&s.timed, r.at)
	}
	s.table.used.Add(-1)
}

func (t *table) close() {
	t.sweeper.close()
	for i := range t.shards {
		s := &t.shards[i]
		s.mu.Lock()
		s.closed, s.records, s.timed = true, nil, nil
		s.mu.Unlock()
	}
}
