package cache

import (
	"container/heap"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// sweepEvery is how long a record may take memory after its deadline.
	sweepEvery = time.Second
	// sweepBatch is how many records are swept while their shard is locked.
	sweepBatch = 256
)

// sweeper calls sweep each second for as long as that says that there will be
// more to do. It is one timer: an idle table has no goroutine and no timer.
type sweeper struct {
	sweep func() (more bool)

	running atomic.Bool // the timer is set
	mu      sync.Mutex
	closed  bool
	timer   *time.Timer
	calls   sync.WaitGroup // one for a timer that is set or a sweep that runs
}

func (w *sweeper) start() {
	if w.running.Load() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || w.running.Load() {
		return
	}
	w.running.Store(true)
	w.calls.Add(1)
	w.timer = time.AfterFunc(sweepEvery, w.tick)
}

func (w *sweeper) tick() {
	defer w.calls.Done()
	// First, so that a record that comes to a shard just swept sets it again.
	w.running.Store(false)
	if w.sweep() {
		w.start()
	}
}

// close returns when no sweep runs.
func (w *sweeper) close() {
	w.mu.Lock()
	w.closed = true
	if w.timer != nil && w.timer.Stop() {
		w.calls.Done()
	}
	w.mu.Unlock()
	w.calls.Wait()
}

// sweep removes what is past its deadline and reports whether other records have
// one.
func (t *table) sweep() (more bool) {
	for i := range t.shards {
		s := &t.shards[i]
		for s.sweep() == sweepBatch {
		}
		s.mu.Lock()
		more = more || len(s.timed) > 0
		s.mu.Unlock()
	}
	return more
}

// sweep looks at a batch of records that are due and returns how many there were.
func (s *shard) sweep() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.table.now()
	for n := range sweepBatch {
		if len(s.timed) == 0 || s.timed[0].due > now {
			s.shrink()
			return n
		}
		switch r := s.timed[0]; {
		case r.ends <= now:
			s.remove(r)
		case r.ends == never:
			heap.Pop(&s.timed)
		default:
			r.due = r.ends
			heap.Fix(&s.timed, 0)
		}
	}
	return sweepBatch
}

// shrink gives back the room of an empty shard: a map only grows by itself.
func (s *shard) shrink() {
	if len(s.records) == 0 && !s.closed {
		s.records, s.timed = make(map[string]*record), nil
	}
}

// dueHeap is a heap of records, the one due first on top.
type dueHeap []*record

func (h dueHeap) Len() int           { return len(h) }
func (h dueHeap) Less(i, j int) bool { return h[i].due < h[j].due }
func (h dueHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].at, h[j].at = i, j
}

// Push is for package heap.
func (h *dueHeap) Push(x any) {
	r := x.(*record)
	r.at = len(*h)
	*h = append(*h, r)
}

// Pop is for package heap.
func (h *dueHeap) Pop() any {
	last := len(*h) - 1
	r := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	r.at = -1
	return r
}
